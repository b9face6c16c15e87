internal import AdapterKit
internal import Conversion
internal import OrderedJSON
internal import PageModel
internal import Scratch
internal import Testing
internal import Work

@testable internal import jisui

/// A recipe file gives the same run as the options that it stands for.
@Suite(.withoutUserFiles) struct RecipeTests {
    /// Samples of the options that have none in `OptionSamples.swift`, and of those that need a different one here.
    private static let others: [OptionSample] = [
        .init("to", "cbz"), .init("from", "folder"), .init("name", "{file}.{ext}"), .init("combine"),
        .init("order", "given", with: "--combine"),
        .init("verify"), .init("strict"), .init("lossless"), .init("max-pixels", "1"), .init("max-memory", "100"),
        .init("page-timeout", "60"), .init("trim-sheet", "sheet.html", with: "--trim page"),
        .init("split-volumes", "2pages"), .init("target-size", "5MB"),
        .init("clean-sheet", "sheet.html", with: "--whiten"), .init("clean-file", "cleaning.json", with: "--whiten"),
        .init("trim-file", "boxes.json", with: "--trim page"), .init("flatten-file", "curves.json", with: "--flatten"),
        .init("spread-file", "spreads.json", with: "--spreads pair"), .init("clips", OptionSample.clips),
        .init("metadata", OptionSample.metadata), .init("align", "end", with: "--spreads merge"),
        .init("background", "black", with: "--spreads merge --gutter 4"),
        .init("base-url", "https://example.org/", with: "--add"), .init("shelf-title", "Comics", with: "--add"),
    ]

    /// Many options at once.
    private static let together = OptionSample(
        "verify",
        with: "--author A --author B --background black --cover paired --crop 2 --date 2019-05 --direction rtl "
            + "--fit 40x40 --gray --gutter 4 --image-format jpeg --language ja --max-pixels 10 --number 3 "
            + "--pages 1-3 --quality 60 --series S --spreads merge --title T --trim page --trim-margin 3")

    /// One sample of each setting.
    private static let samples: [OptionSample] = {
        var seen: Set<String> = []
        return (others + OptionSample.all).filter { seen.insert($0.option).inserted }
    }()

    /// The settings of the built-in adapters and of jisui itself.
    private static let settings = Registry.own.recipeSettings

    @Test func everySettingHasASample() {
        #expect(Set(Self.samples.map(\.option)) == Set(Self.settings.map(\.name)))
    }

    @Test(.endsWhenItHangs) func aRecipeFileGivesTheSameRun() async throws {
        let inputs = try OptionInputs()
        let different = try await withThrowingTaskGroup(of: String?.self, returning: [String].self) { group in
            for sample in Self.samples + [Self.together] {
                group.addTask { try RecipeTrial(sample, inputs).difference(Self.settings) }
            }
            var lines: [String] = []
            for try await line in group { if let line { lines.append(line) } }
            return lines
        }
        for line in different.sorted() { Issue.record("\(line)") }
    }

    /// A setting of any text would be checked by its adapter only, after inputs were opened.
    @Test func everySettingStatesItsValues() {
        #expect(Self.settings.allSatisfy { $0.kind != .text })
    }

    @Test(arguments: [
        "base-url": "ftp://a", "fold": "0%", "from": "word", "page-size": "a9", "pages": "0", "shift": "2,x",
        "to": "word", "trim-aspect": "wide", "trim-confidence": "2", "trim-margin": "2cm", "wide-ratio": "no",
    ])
    func invalidValuesAreNamed(_ name: String, _ value: String) {
        let settings = Registry.own.recipeSettings
        let error = #expect(throws: AdapterError.self) { try Recipe([name: [value]]).check(settings) }
        #expect(error?.code == .usage && error?.message.english.contains("'\(value)'") == true)
    }

    @Test func everySettingIsOneOption() {
        // `jisui watch` adds three.
        let names = (Setting.ofConversion + [.done, .failed, .settle]).map(\.name)
        #expect(names.sorted() == (Convert.settings + Setting.ofRun).map(\.name).sorted())
    }

    /// A list of pages may begin with a minus.
    @Test func optionsBecomeOneRecipe() throws {
        let arguments = [
            "a.pdf", "b.pdf", "-o", "a.cbz", "--to", "cbz", "--from", "zip", "--combine", "--order", "given",
            "--strict", "--direction", "RTL", "--pages", "-2..", "--quality", "085",
        ]
        let command = try #require(try CommandLineParser.command(arguments) as? Convert)
        let recipe = Recipe([
            "to": ["cbz"], "from": ["zip"], "combine": ["true"], "order": ["given"], "strict": ["true"],
            "direction": ["rtl"], "pages": ["-2.."], "quality": ["85"],
        ])
        #expect(try RecipeJobs(command.recipe, .jisui).recipe == recipe)
    }

    @Test func aReportIsARecipe() throws {
        let scratch = try ScratchFolder()
        let book = "\(BuiltJisui.fixtures)/good/PDFSource/mixed.pdf"
        func run(_ output: String, _ arguments: [String]) throws -> (text: String, report: JSON?) {
            let outcome = try BuiltJisui.run(
                [book, "-o", output, "--report", "\(output).json"] + arguments, in: scratch.path,
                temporary: scratch.path)
            #expect([0, 3].contains(outcome.status), "\(outcome.errorText)")
            return (outcome.errorText, JSON(parsing: try scratch.read("\(output).json")))
        }
        let options = [
            "--gray", "--fit", "40x", "--author", "A", "--author=B", "--image-format", "png", "--pages", "-2..",
        ]
        let typed = try run("a.cbz", options)
        let recipe = [
            #""author": ["A", "B"]"#, #""fit": "40x""#, #""gray": "true""#, #""image-format": "png""#,
            #""pages": "-2..""#,
        ]
        #expect(typed.report?["recipe"]?.text == "{\(recipe.joined(separator: ", "))}")
        let again = try run("b.cbz", ["--recipe", "a.cbz.json"])
        #expect(again.text.hasPrefix("took the settings of a.cbz.json\n"))
        #expect(again.report?["recipeDigest"]?.asString == typed.report?["recipeDigest"]?.asString)
        #expect(try scratch.read("a.cbz") == scratch.read("b.cbz"))
        let overridden = try run("c.cbz", ["--recipe=a.cbz.json", "--pages=1", "--author", "C"])
        #expect(
            overridden.text.hasPrefix(
                "took the settings of a.cbz.json; the command line overrides --author and --pages\n"))
        #expect(overridden.report?["recipe"]?["author"]?.asString == "C")
        #expect(overridden.report?["recipe"]?["pages"]?.asString == "1")
        #expect(overridden.report?["recipe"]?["gray"]?.asString == "true")
    }

    @Test(arguments: [
        ("not JSON", "not a recipe: not JSON, or a name occurs twice"),
        (#"{"qualty": 85}"#, "unknown setting 'qualty'; did you mean 'quality'?"),
        (#"{"jobs": 2}"#, "unknown setting 'jobs'; a recipe cannot contain --jobs; give it on the command line"),
        (#"{"quality": 0}"#, "--quality takes a number from 1 to 100, not '0'"),
        (#"{"trim": "tight"}"#, "--trim takes auto, page, book, sides, uniform, not 'tight'"),
        (#"{"order": "name"}"#, "--order takes natural, given, not 'name'"),
        (#"{"trim-margin": "2cm"}"#, "--trim-margin takes a length like 2%, 3mm or 20, not '2cm'"),
        (
            #"{"report": "r.json"}"#,
            "unknown setting 'report'; a recipe cannot contain --report; give it on the command line"
        ),
        (#"{"title": true}"#, "--title needs a value; 'true' is for options that can be given without one"),
    ])
    func aFaultyRecipeIsRejected(_ contents: String, _ message: String) throws {
        let scratch = try ScratchFolder()
        try scratch.write("recipe.json", Array(contents.utf8))
        let outcome = try BuiltJisui.run(
            ["a.pdf", "-o", "a.cbz", "--recipe", "recipe.json"], in: scratch.path, temporary: scratch.path)
        #expect(outcome.status == 64)
        #expect(outcome.errorText == "jisui: error: recipe.json:1: \(message)\n")
    }

    /// The options of the recipe are not on the command line, so the error names the file.
    @Test(arguments: [
        (#"{"gray": true, "lossless": true}"#, "--quality and --lossless exclude each other", "see jisui --help"),
        (#"{"enlarge": true}"#, "--enlarge needs --fit", "add --fit"),
    ])
    func aConflictNamesTheRecipe(_ contents: String, _ message: String, _ hint: String) throws {
        let scratch = try ScratchFolder()
        try scratch.write("r.json", Array(contents.utf8))
        let outcome = try BuiltJisui.run(
            ["a.pdf", "-o", "a.cbz", "--recipe", "r.json", "--quality", "80"], in: scratch.path,
            temporary: scratch.path)
        #expect(outcome.status == 64)
        #expect(outcome.errorText == "jisui: error: \(message) (with the settings of r.json); \(hint)\n")
    }

    @Test(arguments: ["r.json", "clips.json", "password.txt"])
    func filesThatTheRunReadsAreNotReplaced(_ output: String) throws {
        let scratch = try ScratchFolder()
        try scratch.write("password.txt", Array("secret".utf8))
        try scratch.write("r.json", Array(#"{"clips": "clips.json", "to": "cbz"}"#.utf8))
        let clips = Array(#"{"jisui":"clips","clips":[{"page":1,"rect":[0,0,2,2],"size":[5,5]}]}"#.utf8)
        try scratch.write("clips.json", clips)
        let outcome = try BuiltJisui.run(
            ["\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg", "-o", output, "-f", "--recipe", "r.json"]
                + ["--password-file", "password.txt"],
            in: scratch.path, temporary: scratch.path)
        #expect(outcome.status == 64)
        let message = "\(output): the output would replace this file, which the run reads; give another name with -o"
        #expect(outcome.errorText.hasSuffix("jisui: error: \(message)\n"))
        #expect(try scratch.read("clips.json") == clips)
    }

    @Test func namedSettingsAreLeftOut() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.write("r", Array(#"{"gray": true, "ocr": true, "title": "A", "to": "cbz"}"#.utf8))
        let given = try Self.given(["--recipe", path, "--recipe-without", "title,ocr,verify"])
        #expect(given.recipe == Recipe(["gray": ["true"], "to": ["cbz"]]))
        for names in ["titel", "ocr,"] {
            let error = #expect(throws: AdapterError.self) {
                try Self.given(["--recipe", path, "--recipe-without=\(names)"])
            }
            #expect(error?.message.english.hasPrefix("--recipe-without has an unknown name '") == true)
        }
        let outcome = try BuiltJisui.run(["a.pdf", "-o", "a.cbz", "--recipe-without", "title"])
        #expect(outcome.status == 64)
        #expect(
            outcome.errorText
                == "jisui: error: --recipe-without needs --recipe, --preset or --device; see jisui --help\n")
    }

    /// The tests have no plug-ins: a missing one cannot state what its options need. The values are valid together.
    @Test(arguments: [
        (
            "spreads", #""spreads": "split", "cover": "alone", "fold": "50%", "spread-file": "s""#,
            "cover, fold, spread-file"
        ),
        ("spreads", #""spreads": "merge", "wide": "rotate", "gutter": 9, "align": "top""#, "align, gutter"),
        ("spreads", #""spreads": "merge", "wide": "split", "cover": "alone""#, ""),
        ("wide", #""wide": "split", "cover": "alone", "wide-ratio": "1.2""#, "cover, wide-ratio"),
        ("flatten", #""flatten": true, "flatten-file": "f", "deskew": true"#, "flatten-file"),
        ("whiten", #""whiten": "auto", "paper": "gray", "clean-file": "c""#, "clean-file, paper"),
        ("whiten", #""whiten": "auto", "despeckle": true, "clean-file": "c""#, ""),
        (
            "trim", #""trim": "auto", "trim-margin": "2%", "trim-aspect": "device", "fit": "6x8""#,
            "trim-aspect, trim-margin"
        ),
        ("fit", #""trim": "auto", "trim-margin": "2%", "trim-aspect": "device", "fit": "6x8""#, "trim-aspect"),
        ("to", #""to": "epub", "epub-for": "kobo", "bake": true, "title": "A""#, "bake, epub-for"),
        ("ocr", #""ocr": true, "ocr-pages": "all", "gray": true"#, "ocr-pages"),
    ])
    func settingsThatNeedALeftOutOneGoWithIt(_ name: String, _ settings: String, _ others: String) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.write("r", Array("{\(settings)}".utf8))
        let given = try Self.given(["--recipe", path, "--recipe-without", name])
        let left = others.split(separator: ", ").map(String.init)
        #expect(given.dependents == left)
        let recipe = try Recipe(file: path, Convert.settings)
        #expect(given.recipe == recipe.without(left + [name]))
        #expect(throws: Never.self) { try given.recipe.check(Convert.settings) }
        #expect(given.notes.count == (left.isEmpty ? 1 : 2))
    }

    /// On the command line, or if it contradicts the command line anyway, an option stays, and the run is refused.
    @Test(arguments: [
        (["--fold", "50%"], "--recipe-without also left out --cover", "--fold has no effect without --spreads split"),
        (
            ["--quality", "50"], "",
            "--quality and --lossless exclude each other (with the settings of r); see jisui --help"
        ),
    ])
    func othersStayWithoutALeftOutSetting(_ typed: [String], _ note: String, _ fault: String) throws {
        let scratch = try ScratchFolder()
        try scratch.write("r", Array(#"{"spreads": "split", "cover": "alone", "lossless": true}"#.utf8))
        let outcome = try BuiltJisui.run(
            ["\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg", "-o", "a.cbz", "--recipe", "r"]
                + ["--recipe-without", "spreads"] + typed,
            in: scratch.path, temporary: scratch.path)
        #expect(outcome.status == 64)
        let notes = note.isEmpty ? "" : "took the settings of r\n\(note)\n"
        #expect(outcome.errorText == "\(notes)jisui: error: \(fault)\n")
    }

    /// The hint is the command that installs the plug-in.
    @Test func aSettingOfAMissingPluginIsRejected() throws {
        let scratch = try ScratchFolder()
        try scratch.write("recipe.json", Array(#"{"ocr": true}"#.utf8))
        let outcome = try BuiltJisui.run(
            ["a.pdf", "-o", "a.cbz", "--recipe", "recipe.json"], in: scratch.path, temporary: scratch.path)
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("unknown setting 'ocr'; install the package jisui-ocr"))
    }

    @Test func theCommandLineOverridesARecipe() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.write("r", Array(#"{"gray": true, "title": "-1", "author": ["A", "B"]}"#.utf8))
        let given = try Self.given(["--recipe", path, "--title=T"])
        #expect(given.recipe == Recipe(["author": ["A", "B"], "gray": ["true"], "title": ["T"]]))
        #expect(given.notes.map(\.english) == ["took the settings of \(path); the command line overrides --title"])
        #expect(given.values.origin(of: "title") == .commandLine && given.values.origin(of: "gray") == .recipe)
        #expect(given.values.origin(of: "trim") == .standard)
        #expect(try Self.given(["--title=T"]).notes.isEmpty)
    }

    /// Returns the options of a conversion with those of its recipe.
    private static func given(_ words: [String]) throws -> GivenOptions {
        var given = try CommandLineParser.parse((["a.pdf", "-o", "a.cbz"] + words)[...], as: Convert.entry)
        try given.readLayers()
        return given
    }
}

/// Two runs with the same setting: from the command line, and from a recipe file.
private struct RecipeTrial: Sendable {
    private let sample: OptionSample
    private let inputs: OptionInputs

    init(_ sample: OptionSample, _ inputs: OptionInputs) {
        self.sample = sample
        self.inputs = inputs
    }

    private struct Outcome: Equatable {
        let status: Int32
        let lines: [String]
        let files: [String: [UInt8]]
    }

    /// Returns a line if the runs differ, or fail.
    ///
    /// - Parameter settings: all settings.
    func difference(_ settings: [Setting]) throws -> String? {
        let topic = settings.first { $0.name == sample.option }?.topic
        let typed = try run(sample.others + sample.arguments, topic: topic, recipe: nil)
        let read = try run([], topic: topic, recipe: recipe)
        if typed == read, [0, 3].contains(typed.status) { return nil }
        let files = Set(typed.files.keys).union(read.files.keys).filter { typed.files[$0] != read.files[$0] }
        let options = (sample.others + sample.arguments).joined(separator: " ")
        return "\(options): \(typed.status) \(typed.lines), from a file: \(read.status) \(read.lines); "
            + "different files: \(files.sorted())"
    }

    /// The recipe of the options, as a person writes it.
    private var recipe: String {
        var members: [(key: String, value: JSON)] = []
        for word in sample.others + sample.arguments {
            if word == "--author", members.last?.key == "author" { continue }
            if word.hasPrefix("--") {
                members.append((String(word.dropFirst(2)), true))
            } else if let last = members.indices.last {
                let earlier = members[last].value.elements ?? [members[last].value].filter { $0.asString != nil }
                members[last].value = earlier.isEmpty ? .string(word) : .array(earlier + [.string(word)])
            }
        }
        return JSON.object(members).text
    }

    /// The inputs and the output, so that the option does not fail.
    private func arguments(topic: String?) -> [String] {
        let folder = inputs.folder.path
        switch (sample.option, topic) {
        case ("combine", _), ("order", _): return ["\(folder)/jpegs", "\(folder)/pngs", "-o", "out.cbz"]
        case ("name", _): return ["\(folder)/jpegs", "-o", "out/", "--to", "cbz"]
        case ("filename-encoding", _): return ["\(folder)/mixed.cbz", "-o", "out.cbz"]
        case ("page-timeout", _): return ["\(folder)/drawn.pdf", "-o", "out.cbz"]
        case ("comic-info", _): return ["\(folder)/jpegs", "-o", "out/"]
        case ("strip-max", _), ("tiles", _): return ["\(folder)/jpegs", "-o", "out/", "--to", "strip"]
        // A run creates these files only if it is dry.
        case ("trim-file", _), ("flatten-file", _), ("spread-file", _), ("clean-file", _):
            return ["\(folder)/jpegs", "-o", "out.cbz", "-n"]
        case ("kindle-cover", _): return ["\(folder)/jpegs", "-o", "out.azw3"]
        case ("screen", _): return ["\(folder)/jpegs", "-o", "out.xtc"]
        case (_, "pdf"): return ["\(folder)/drawn.pdf", "-o", "out.pdf"]
        case (_, "epub"): return ["\(folder)/jpegs", "-o", "out.epub"]
        case (_, "strip"): return ["\(folder)/jpegs", "-o", "out.png"]
        case (_, "web"): return ["\(folder)/jpegs", "-o", "out/", "--to", "web"]
        default: return ["\(folder)/jpegs", "-o", "out.cbz"]
        }
    }

    private func run(_ options: [String], topic: String?, recipe: String?) throws -> Outcome {
        let place = try ScratchFolder(in: inputs.folder.path)
        for name in [OptionSample.clips, OptionSample.metadata] {
            try place.write(name, try inputs.folder.read(name))
        }
        var arguments = self.arguments(topic: topic)
        arguments += ["--isolate", "none", "-j", "1"]
        if let recipe {
            try place.write("recipe.json", Array(recipe.utf8))
            arguments += ["--recipe", "recipe.json"]
        }
        let outcome = try BuiltJisui.run(arguments + options, in: place.path, temporary: place.path)
        let lines = outcome.errorText.split(separator: "\n").map { String($0).replacing(place.path, with: "") }
        return Outcome(
            status: outcome.status, lines: lines.filter { !$0.hasPrefix("took the settings of ") },
            files: OptionInputs.files(in: place.path).filter { $0.key != "recipe.json" })
    }
}
