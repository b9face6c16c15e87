import AdapterKit
import Conversion
import Files
import FolderSource
import Foundation
import OrderedJSON
import PageModel
import Scratch
import Testing

@testable import Work

@Suite struct RecipeTests {
    private static let settings = TestBooks.registry.recipeSettings
    private static let recipe = Recipe([
        "trim": ["auto"], "author": ["A", "B"], "quality": ["85"], "gray": ["true"], "series": [],
    ])
    private static let text = #"{"author":["A","B"],"gray":"true","quality":"85","trim":"auto"}"#

    @Test func jsonHasSortedNames() {
        #expect(Self.recipe.json.compactText == Self.text)
        #expect(Recipe().json.compactText == "{}")
    }

    /// The values are those of `sha256sum` for the compact JSON.
    @Test func digestIsStable() {
        #expect(Self.recipe.digest == "70ad5546297629ea175cd358f03fd7dabb87a598e2db97a09febf4550ee80a1d")
        #expect(Recipe().digest == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    }

    @Test func codingKeepsEveryValue() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(Self.recipe)
        #expect(String(decoding: data, as: UTF8.self) == Self.text)
        #expect(try JSONDecoder().decode(Recipe.self, from: data) == Self.recipe)
    }

    /// A flag of an adapter that the registry lacks is left to the check.
    @Test(arguments: [
        text, #"{"quality": 85, "gray": true, "trim": ["auto"], "author": ["A", "B"]}"#,
        #"{"jisui": "1.2.3", "report": 1, "input": "a", "recipe": \#(text), "recipeDigest": ""}"#,
        "{\"report\": 1, \"recipe\": \(text)}\n{\"report\": 1, \"recipe\": {}}\n",
    ])
    func recipeIsReadFromAFileOrAReport(_ contents: String) throws {
        #expect(try Recipe(contents: Array(contents.utf8), Self.settings) == Self.recipe)
    }

    @Test func valuesOfAnotherRecipeReplaceTheOwn() {
        let other = Recipe(["author": ["C"], "fit": ["100x"]])
        let both = Self.recipe.overridden(by: other)
        #expect(both.values["author"] == ["C"] && both[.quality] == "85")
        #expect(both.values["fit"] == ["100x"])
    }

    @Test(
        arguments: [
            (["quality": ["0"]], "--quality takes a number from 1 to 100, not '0'"),
            (["image-format": ["gif"]], "--image-format takes keep, jpeg, png, webp, jxl, tiff, not 'gif'"),
            (["max-pixels": ["many"]], "--max-pixels takes millions of pixels from 1 to 10000, not 'many'"),
            (["max-memory": ["1"]], "--max-memory takes megabytes from 100 to 1000000, not '1'"),
            (["direction": ["up"]], "--direction takes ltr or rtl, not 'up'"),
            (["date": ["31.5.2019"]], "--date takes a date like 2019, 2019-05 or 2019-05-31, not '31.5.2019'"),
            (["language": ["?"]], "--language takes a tag like ja or en-GB, not '?'"),
            (["title": [""]], "--title needs a text"), (["author": ["A", ""]], "--author needs a text"),
            (["metadata": [""]], "--metadata needs a path"),
            (["order": ["name"]], "--order takes natural, given, not 'name'"),
            (["title": ["A", "B"]], "--title takes one value, not 2"),
            (["strict": ["no"]], "--strict takes no value but true, not 'no'"),
            (["to": ["word"]], "unknown format 'word'; --to takes cbz, folder, web"),
            (["to": ["zip"]], "unknown format 'zip'; use --to cbz"),
            (
                ["to": ["mobi"]],
                "jisui writes no MOBI; write a .azw3 to copy by USB, or with --epub-for kindle an .epub for "
                    + "Send to Kindle"
            ),
            (["name": ["a/b"]], "--name takes the name of a file, without '/', not 'a/b'"),
            (["from": ["pdf"]], "unknown format 'pdf'; --from takes folder, picture"),
            (
                ["base-url": ["example.org"]],
                "--base-url takes the http or https address that the shelf is served at, not 'example.org'; "
                    + "like https://example.org/shelf/; catalogs hold whole addresses, so that apps find the books"
            ),
            (
                ["pages": ["0"]],
                "--pages has an invalid item '0'; it takes a list like 1-10,15,odd,-3.. (see 'jisui help convert')"
            ),
            (
                ["guess": ["true"], "combine": ["true"]],
                "--guess uses the name of one file and cannot be combined with --combine"
            ),
            (["qualty": ["85"]], "unknown setting 'qualty'; did you mean 'quality'?"),
            (["entirely-other": ["85"]], "unknown setting 'entirely-other'"),
            (["quality": ["85"], "lossless": ["true"]], "--quality and --lossless exclude each other"),
            (
                ["quality": ["85"], "image-format": ["png"]],
                "--quality has no effect on PNG, which keeps every pixel"
            ),
        ] as [([String: [String]], String)])
    func faultsAreNamed(_ values: [String: [String]], _ message: String) {
        let error = #expect(throws: AdapterError.self) { try Recipe(values).check(TestBooks.registry.recipeSettings) }
        #expect(error?.code == .usage)
        #expect(error?.text.english == message)
    }

    @Test func everyBuiltInSettingIsChecked() throws {
        let values = [
            "to": "CBZ", "name": "{name}.{ext}", "order": "natural", "pages": "1-2", "direction": "rtl",
            "from": "folder",
            "image-format": "jpg", "quality": "85", "max-pixels": "10", "max-memory": "100", "title": "A",
            "author": "B", "series": "C", "number": "1", "volume": "2", "publisher": "D", "date": "2019-05",
            "language": "en-GB", "metadata": "facts.json", "split-volumes": "chapters",
        ].mapValues { [$0] }
        let flags = ["verify", "strict", "guess"].map { ($0, ["true"]) }
        let recipe = Recipe(values.merging(flags) { $1 })
        try recipe.check(TestBooks.registry.recipeSettings)
        #expect(
            Set(recipe.values.keys).union(["lossless", "combine", "target-size"]) == Set(Recipe.settings.map(\.name)))
    }

    /// The error of an adapter that cannot be used is not about the recipe.
    @Test func refusedAdaptersAreLeftToTheRun() {
        let refusal = AdapterError(.damaged, "the manifest is invalid")
        let registry = Registry(sources: [], sinks: [], refusals: ["plug": refusal])
        #expect(throws: Never.self) { try Recipe(["to": ["plug"], "from": ["plug"]]).check(registry.recipeSettings) }
        #expect(throws: refusal) { try RecipeJobs(Recipe(["from": ["plug"]]), registry) }
    }

    @Test func spellingsOfAValueAreOne() {
        let typed = Recipe([
            "direction": ["RTL"], "image-format": ["jpg"], "quality": ["085"], "max-pixels": ["+3"],
            "language": ["en_gb"], "page-timeout": ["060"], "author": ["085"],
        ])
        let usual = Recipe([
            "direction": ["rtl"], "image-format": ["jpeg"], "quality": ["85"], "max-pixels": ["3"],
            "language": ["en-GB"], "page-timeout": ["60"], "author": ["085"],
        ])
        let settings = Recipe.settings + [.pageTimeout]
        #expect(throws: Never.self) { try typed.check(settings) }
        #expect(typed.canonical(settings) == usual && usual.canonical(settings) == usual)
        #expect(typed.canonical(settings).digest == usual.digest)
    }

    @Test func secretsAreNotReported() throws {
        var key = Setting("tool-key", .text, valueName: "key", help: "")
        key.isSecret = true
        let recipe = Recipe(["tool-key": ["SECRET"], "tool": ["true"]])
        #expect(recipe.withoutSecrets([key]) == Recipe(["tool": ["true"]]))
        let sink = SettingSink([key])
        let jobs = try RecipeJobs(recipe, Registry(sources: [], sinks: [sink]))
        #expect(jobs.reported == Recipe(["tool": ["true"]]) && jobs.recipe == recipe)
    }

    /// A field has its option without any code here.
    @Test func everyOptionOfAFieldIsASetting() throws {
        let fields = MetadataField.all.compactMap(\.option?.name)
        #expect(Recipe.ofMetadata.map(\.name) == fields + ["metadata", "guess"])
        let values = [
            "title": "A", "series": "B", "volume": "1", "number": "2", "publisher": "C", "date": "2019-05",
            "language": "en_gb", "author": "D",
        ].mapValues { [$0] }
        #expect(Set(values.keys) == Set(fields))
        let expected = BookMetadata(
            title: "A", authors: ["D"], series: "B", volume: "1", number: "2", publisher: "C",
            date: BookDate(year: 2019, month: 5), language: "en-GB")
        #expect(try Recipe(values).metadataOptions().book == expected)
        #expect(Recipe(values).singleBookSetting?.name == "title")
    }

    @Test func settingNeedsAnother() {
        let settings = [
            Setting("margin", .text, valueName: "length", help: "", needs: "trim"),
            Setting("trim", .flag, valueName: "", help: ""),
        ]
        let error = #expect(throws: AdapterError.self) { try Recipe(["margin": ["5%"]]).check(settings) }
        #expect(error?.message.english == "--margin needs --trim")
        // The command line may give the other one.
        #expect(throws: Never.self) { try Recipe(["margin": ["5%"]]).checkValues(settings) }
    }

    @Test func recipeMakesJobs() throws {
        let books = try TestBooks()
        let paths = [try books.image("one.png"), try books.image("two.png")]
        let recipe = Recipe([
            "to": ["cbz"], "quality": ["40"], "image-format": ["jpg"], "direction": ["RTL"], "author": ["A", "B"],
            "strict": ["true"], "max-pixels": ["3"], "pages": ["1"], "from": ["picture"],
        ])
        let jobs = try Self.jobs(recipe, books, paths)
        #expect(jobs.map(\.destination.path) == ["one.cbz", "two.cbz"].map { books.scratch("out/\($0)") })
        let job = try #require(jobs.first)
        #expect(job.sink == "cbz" && job.source == "picture" && job.direction == .rightToLeft)
        #expect(job.encoding == EncodingRequest(format: .jpeg, quality: 40))
        #expect(job.limits.pixels == 3_000_000 && job.isStrict && job.settings.isEmpty)
        #expect(job.metadataOptions.book.authors == ["A", "B"])
        #expect(job.selection == (try PageSelection("1")))
    }

    @Test func combinedInputsMakeOneJob() throws {
        let books = try TestBooks()
        let paths = [try books.image("one.png"), try books.image("two.png")]
        var recipe = Recipe(["to": ["cbz"], "combine": ["true"], "title": ["Both"]])
        #expect(try Self.jobs(recipe, books, paths).map(\.inputs.count) == [2])
        recipe[.combine] = nil
        let error = #expect(throws: AdapterError.self) { try Self.jobs(recipe, books, paths) }
        #expect(error?.message.english == "--title is for one book, but the inputs are 2 books")
        let ofPreset = #expect(throws: AdapterError.self) {
            try Self.jobs(recipe, books, paths, places: ["title": "preset mine", "to": "other.json"])
        }
        #expect(
            ofPreset?.text.english == "--title is for one book, but the inputs are 2 books "
                + "(with the settings of preset mine); use --recipe-without title to leave it out")
    }

    private static func jobs(
        _ recipe: Recipe, _ books: TestBooks, _ paths: [String], places: [String: String] = [:]
    ) throws(AdapterError) -> [Job] {
        let registry = TestBooks.registry
        let inputs = paths.map { Input(path: $0) }
        let target = try Target(registry, output: books.scratch("out/"), recipe, inputs: paths)
        var plan = try RecipeJobs(recipe, registry)
        plan.places = places
        return try plan.jobs(
            for: inputs, to: target, mayReplace: false, protected: paths, inputFolders: InputFolders(inputs))
    }

    @Test func reportsContainTheRecipe() throws {
        let scratch = try ScratchFolder()
        let reports = try ReportStream(
            scratch("reports"), mayReplace: false, version: "1.2.3", recipe: Self.recipe)
        let job = Job(
            inputs: [Input(path: "a.pdf")], sink: "cbz", destination: Destination(path: "a.cbz"))
        try reports.append(AdapterError(.damaged, "broken"), about: job)
        let bytes = try scratch.read("reports")
        #expect(try Recipe(contents: bytes, Self.settings) == Self.recipe)
        #expect(JSON(parsing: bytes)?["recipeDigest"]?.asString == Self.recipe.digest)
    }

    /// No file that the run reads is replaced, of jisui itself or of an adapter.
    @Test func outputsDoNotReplaceFilesThatAreRead() async throws {
        let books = try TestBooks()
        let path = try books.image("one.png")
        let clips = Setting("clips", .file, valueName: "file", help: "")
        let sink = SettingSink([clips])
        let registry = Registry(sources: [PictureSource()], sinks: [sink])
        for name in ["clips.json", "recipe.json"] {
            let file = try books.scratch.write(name, Array("{}".utf8))
            let recipe = Recipe(["to": ["s"]].merging(name == "clips.json" ? ["clips": [file]] : [:]) { $1 })
            let inputs = [Input(path: path)]
            let target = try Target(registry, output: file, recipe, inputs: [path])
            let jobs = try RecipeJobs(recipe, registry).jobs(
                for: inputs, to: target, mayReplace: true, protected: [path],
                readFiles: name == "recipe.json" ? [file] : [], inputFolders: InputFolders(inputs))
            let error = await #expect(throws: AdapterError.self) { try await Batch(registry, jobs).run() }
            #expect(error?.message == "the output would replace this file, which the run reads")
            #expect(error?.file == file)
        }
    }
}
