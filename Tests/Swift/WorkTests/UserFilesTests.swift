import Files
import PageModel
import Scratch
import Testing

@testable import Work

/// The presets of jisui, and those of users.
@Suite struct UserFilesTests {
    private let scratch: ScratchFolder
    private let files: UserFiles

    init() throws {
        scratch = try ScratchFolder()
        files = UserFiles(folder: scratch("config/jisui"))
    }

    @Test func aSavedPresetIsReadBack() throws {
        let recipe = Recipe(["author": ["A", "B"], "quality": ["85"], "title": ["\"T\""]])
        _ = try files.save(recipe, asPreset: "mine", TemporaryFiles())
        #expect(try files.preset(named: "mine").recipe(TestBooks.registry.recipeSettings) == recipe)
        #expect(
            String(decoding: try scratch.read("config/jisui/presets/mine.json"), as: UTF8.self)
                == "{\n  \"author\": [\"A\", \"B\"],\n  \"quality\": \"85\",\n  \"title\": \"\\\"T\\\"\"\n}\n")
        #expect(files.presets.map(\.name) == Preset.shipped.map(\.name) + ["mine"])
        let second = #expect(throws: AdapterError.self) { try files.save(Recipe(), asPreset: "mine", TemporaryFiles()) }
        #expect(second?.code == .exists)
        _ = try files.save(Recipe(), asPreset: "mine", mayReplace: true, TemporaryFiles())
        #expect(try files.preset(named: "mine").recipe(TestBooks.registry.recipeSettings) == Recipe())
        try files.removePreset("mine")
        let missing = #expect(throws: AdapterError.self) { try files.preset(named: "mine") }
        #expect(missing?.hint?.english.contains("comic, archive") == true)
    }

    @Test(arguments: ["", "../a", "a/b", ".a", "a b", "comic"])
    func otherNamesAreRejected(_ name: String) {
        let error = #expect(throws: AdapterError.self) { try files.save(Recipe(), asPreset: name, TemporaryFiles()) }
        #expect(error?.code == .usage)
        #expect(FileStatus(of: scratch("config")) == nil)
    }

    @Test func presetsOfJisuiStay() {
        let error = #expect(throws: AdapterError.self) { try files.removePreset("comic") }
        #expect(error?.message.english == "'comic' is a preset of jisui, which cannot be removed")
        let nearest = #expect(throws: AdapterError.self) { try files.preset(named: "commic") }
        #expect(nearest?.hint?.english == "did you mean 'comic'?")
    }

    @Test func faultsInAPresetHaveALine() throws {
        try scratch.write("config/jisui/presets/p.json", Array("{\n  \"quality\": 85,\n  \"qualty\": 85\n}".utf8))
        let error = #expect(throws: AdapterError.self) {
            try files.preset(named: "p").recipe(TestBooks.registry.recipeSettings)
        }
        #expect(
            error?.text.english
                == "\(scratch("config/jisui/presets/p.json")):3: unknown setting 'qualty'; did you mean 'quality'?")
    }
}
