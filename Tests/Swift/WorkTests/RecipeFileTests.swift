import AdapterKit
import Conversion
import Files
import PageModel
import Scratch
import Testing

@testable import Work

@Suite struct RecipeFileTests {
    private static let notJSON = "not a recipe: not JSON, or a name occurs twice"
    private static let onlyReports = "not a recipe: only a report has other keys next to 'recipe'"

    private static let settings =
        TestBooks.registry.recipeSettings + [
            Setting("gray", .flag, valueName: "", help: ""),
            Setting("trim", .choice(["auto", "page"]), implied: "auto", valueName: "mode", help: ""),
        ]

    private static func recipe(_ contents: String) throws -> Recipe {
        try Recipe(contents: Array(contents.utf8), settings)
    }

    @Test(arguments: [
        ("quality: 85", RecipeFileTests.notJSON), ("", RecipeFileTests.notJSON),
        ("[]", "not a recipe: not a JSON object"),
        (#"{"report": 1, "input": "a.pdf"}"#, "the report contains no recipe"),
        (#"{"report": 1, "recipe": "a.json"}"#, "the report contains no recipe"),
        (#"{"gray": true, "recipe": {"trim": "page"}}"#, RecipeFileTests.onlyReports),
        (#"{"report": "r.json", "recipe": {}}"#, RecipeFileTests.onlyReports),
        (#"{"gray": false}"#, "'gray' needs a text, a whole number, true, or a list of texts"),
        (#"{"author": []}"#, "'author' needs a text, a whole number, true, or a list of texts"),
        (#"{"quality": 1.5}"#, "'quality' needs a text, a whole number, true, or a list of texts"),
        (#"{"quality": 1, "quality": 2}"#, RecipeFileTests.notJSON),
        ("{\"gray\": true}\n{\"trim\": \"page\"}\n", RecipeFileTests.notJSON),
        ("{}\ngarbage", RecipeFileTests.notJSON), ("{\"recipe\": {}}\n{}", RecipeFileTests.notJSON),
        (#"{"title": true}"#, "--title needs a value; 'true' is for options that can be given without one"),
        (#"{"author": ["A", true]}"#, "--author needs a value; 'true' is for options that can be given without one"),
    ])
    func otherFilesAreRejected(_ contents: String, _ message: String) {
        let error = #expect(throws: AdapterError.self) { try Self.recipe(contents) }
        #expect(error?.code == .usage)
        #expect(error?.message.english == message)
    }

    @Test func trueStandsForAnOptionWithoutAValue() throws {
        let recipe = try Self.recipe(#"{"gray": true, "trim": true, "title": "true"}"#)
        #expect(recipe.values == ["gray": ["true"], "trim": ["auto"], "title": ["true"]])
    }

    /// A key of a report that is no object is a setting, which the check does not know.
    @Test(arguments: [#"{"report": "r.json"}"#, #"{"recipe": "r.json"}"#])
    func keysOfReportsAreNoSettings(_ contents: String) throws {
        let recipe = try Self.recipe(contents)
        let error = #expect(throws: AdapterError.self) { try recipe.checkValues(Self.settings) }
        #expect(error?.message.english.hasPrefix("unknown setting 're") == true)
    }

    /// The other lines of a large file of reports are not read.
    @Test func theFirstReportNeedsOnlyItsLine() throws {
        let beginning = Array("{\"report\": 1, \"recipe\": {\"quality\": \"85\"}}\n{\"report\": 1, \"in".utf8)
        let recipe = try Recipe(contents: beginning, isWhole: false, Self.settings)
        #expect(recipe == Recipe(["quality": ["85"]]))
        for other in ["{\n\"quality\": 85", "{\"report\": 1, \"recipe\": {}}"] {
            let error = #expect(throws: AdapterError.self) {
                try Recipe(contents: Array(other.utf8), isWhole: false, Self.settings)
            }
            #expect(error?.message == "the file is too large for a recipe or a report")
        }
    }

    @Test func largeFilesOfReportsAreRead() throws {
        let scratch = try ScratchFolder()
        let line = Array("{\"report\": 1, \"recipe\": {\"quality\": \"85\"}}\n".utf8)
        let path = try scratch.write("reports", line + [UInt8](repeating: 0x20, count: Recipe.maximumBytes))
        #expect(try Recipe(file: path, Self.settings) == Recipe(["quality": ["85"]]))
    }

    @Test func errorNamesTheFile() throws {
        let scratch = try ScratchFolder()
        try scratch.write("recipe.json", Array("no".utf8))
        let path = scratch("recipe.json")
        let invalid = #expect(throws: AdapterError.self) { try Recipe(file: path, Self.settings) }
        #expect(invalid?.file == path)
        let missing = #expect(throws: AdapterError.self) { try Recipe(file: scratch("none"), Self.settings) }
        #expect(missing?.code == .unreadable)
    }
}
