internal import OrderedJSON
internal import Scratch
internal import Testing

@testable internal import jisui

/// Settings that are not on the command line: defaults, presets and devices.
@Suite struct SettingLayerTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write(
            "books/book.pdf", try Files.read("\(BuiltJisui.fixtures)/good/PDFSource/real-bobby-make-believe.pdf"))
    }

    /// Runs jisui in the folder of the book. The home folder is the scratch folder.
    private func run(_ arguments: [String], status: Int32 = 0) throws -> (lines: [String], output: String) {
        let outcome = try BuiltJisui.run(arguments, in: scratch("books"), temporary: scratch.path)
        #expect(outcome.status == status, "\(outcome.errorText)")
        return (outcome.errorText.split(separator: "\n").map(String.init), outcome.outputText)
    }

    private func configure(_ name: String, _ text: String) throws {
        try scratch.write(".config/jisui/\(name)", Array(text.utf8))
    }

    /// Returns the recipe of a dry run.
    private func recipe(_ arguments: [String]) throws -> JSON? {
        let name = "report-\(UInt32.random(in: 0...UInt32.max)).json"
        _ = try run(arguments + ["-n", "--report", name])
        return JSON(parsing: try scratch.read("books/\(name)"))?["recipe"]
    }

    /// From the weakest to the strongest, each with one more option.
    @Test func laterSettingsOverrideEarlierOnes() throws {
        try configure(
            "config.json", #"{"fit": "100x100", "order": "given", "levels": "1,99", "gamma": 2, "crop": "1"}"#)
        func fit(_ arguments: [String]) throws -> String? {
            try recipe(["book.pdf", "-o", "a.cbz"] + arguments)?["fit"]?.asString
        }
        #expect(try fit([]) == "100x100")
        try scratch.write(
            "books/.jisui.json", Array(#"{"fit": "101x101", "levels": "2,98", "gamma": 3, "crop": "2"}"#.utf8))
        try configure("presets/p.json", #"{"fit": "102x102", "gamma": 4, "crop": "3"}"#)
        try scratch.write("books/r.json", Array(#"{"fit": "104x104", "crop": "4"}"#.utf8))
        #expect(try fit([]) == "101x101")
        #expect(try fit(["--preset", "p"]) == "102x102")
        #expect(try fit(["--preset", "p", "--device", "103x103"]) == "103x103")
        #expect(try fit(["--preset", "p", "--device", "103x103", "--recipe", "r.json"]) == "104x104")
        #expect(try fit(["--device", "103x103", "--recipe", "r.json", "--fit", "105x105"]) == "105x105")
        let lines = try run([
            "book.pdf", "-o", "a.cbz", "-n", "-v", "--preset", "p", "--device", "103x103", "--recipe", "r.json",
            "--crop", "5",
        ]).lines
        #expect(
            lines.contains(
                "took the settings of .jisui.json; the preset overrides --gamma; the recipe overrides --fit; "
                    + "the command line overrides --crop"))
        #expect(lines.contains("103x103: no options; the recipe overrides --fit"))
        #expect(lines.contains("took the settings of r.json; the command line overrides --crop"))
        #expect(lines.contains("--levels 2,98: from .jisui.json"))
        #expect(lines.contains { $0.hasPrefix("--order given: from ") && $0.hasSuffix("/.config/jisui/config.json") })
        #expect(!lines.contains { $0.hasPrefix("--crop") })
    }

    /// The presets of jisui too.
    @Test(arguments: [
        ["--preset", "comic", "--device", "kobo-sage", "--to", "cbz"], ["--preset", "small-pdf", "--fit", "400x"],
        ["--preset", "photographed", "--device", "600x800@4"],
        ["--preset", "clean-scan", "--author", "A", "--author", "B"],
        ["--preset", "archive"],
    ])
    func aRunIsRepeatedFromItsPreset(_ options: [String]) throws {
        let ending = options.contains("small-pdf") ? "pdf" : "cbz"
        let first = try run(["book.pdf", "-o", "1.\(ending)", "--save-preset", "mine"] + options)
        #expect(first.lines.contains { $0.hasPrefix("saved the preset mine as ") })
        let second = try run(["book.pdf", "-o", "2.\(ending)", "--preset", "mine"])
        #expect(second.lines.first?.hasSuffix("/presets/mine.json") == true)
        #expect(try scratch.read("books/1.\(ending)") == scratch.read("books/2.\(ending)"))
    }

    @Test func optionsAreSavedWithoutAnInput() throws {
        let saved = try run([
            "--device", "kobo-libra-2", "--title", "T", "--recipe-without", "gray", "--save-preset", "p",
        ])
        #expect(saved.lines.count == 1)
        #expect(
            try run(["preset", "show", "p"]).output
                == "{\n  \"epub-for\": \"kobo\",\n  \"fit\": \"1264x1680\",\n  \"title\": \"T\",\n  \"to\": \"epub\"\n}\n"
        )
        #expect(try run(["preset", "list"]).output.contains("\np "))
        _ = try run(["--gray", "--save-preset", "p"], status: 1)
        _ = try run(["preset", "remove", "p"])
        #expect(!Files.names(in: scratch(".config/jisui/presets")).contains("p.json"))
    }

    /// Without -o, next to the input, and never in its place.
    @Test func aDeviceDecidesTheOutput() throws {
        #expect(
            try run(["book.pdf", "--device", "KOBO Libra Color"]).lines.first
                == "Kobo Libra Colour: --color-filter --epub-for kobo --fit 1264x1680 --to epub")
        #expect(
            try run(["book.pdf", "-o", "book.cbz", "--device", "kobo-libra-2"]).lines.first
                == "Kobo Libra 2: --fit 1264x1680 --gray")
        _ = try run(["book.cbz", "--device", "boox-palma"])
        _ = try run(["book.pdf", "--preset", "small-pdf"])
        _ = try run(["book.pdf", "-o", "out/", "--device", "remarkable-2"])
        #expect(
            Files.names(in: scratch("books")) == [
                "book-boox-palma.cbz", "book-small-pdf.pdf", "book.cbz", "book.kepub.epub", "book.pdf", "out",
            ])
        #expect(Files.names(in: scratch("books/out")) == ["book.pdf"])
        // The next run does not take its own output for a book.
        let again = try run([".", "-r", "--device", "boox-palma", "--skip-existing", "--include", "*.cbz"])
        #expect(!Files.names(in: scratch("books")).contains { $0.hasSuffix("palma-boox-palma.cbz") }, "\(again.lines)")
        _ = try run(["book.pdf", "-o", "x.cbz", "--device", "kobo-libra-2", "--to", "epub"], status: 64)
    }

    /// The device is one of the user.
    @Test func booksTooLargeForADeviceAreReported() throws {
        try configure(
            "devices/small.json",
            #"{"devices": [{"names": ["Small"], "panel": "9000x9000", "formats": [{"format": "cbz", "fileMB": 1}]}]}"#)
        try scratch.write("books/copy.pdf", try scratch.read("books/book.pdf"))
        for options in [[], ["--verify"], ["--verify", "--verbose"]] {
            let lines = try run(["book.pdf", "copy.pdf", "-o", "out/", "--device", "small", "--force"] + options).lines
            #expect(lines.filter { $0.contains("is more than Small takes") }.count == 2, "\(options): \(lines)")
        }
    }

    /// The colors of one device must not be those of another.
    @Test func oneDeviceCounts() throws {
        try configure("config.json", #"{"device": "kobo-libra-2", "preset": "comic", "fit": "10x10"}"#)
        #expect(
            try run(["book.pdf", "-n"]).lines.prefix(2) == [
                "took the settings of preset comic",
                "Kobo Libra 2: --epub-for kobo --gray --to epub; a file of defaults overrides --fit",
            ])
        let given = try run(["book.pdf", "-n", "--device", "kobo-libra-colour", "--preset", "clean-scan"])
        #expect(
            given.lines.prefix(2) == [
                "took the settings of preset clean-scan",
                "Kobo Libra Colour: --color-filter --epub-for kobo --fit 1264x1680 --to epub",
            ])
    }

    /// One word for several options. Those on the command line count, and so does the format of the output.
    @Test func cleanStatesItsOptions() throws {
        #expect(
            try run(["book.pdf", "-o", "a.cbz", "-n", "--clean"]).lines.first
                == "--clean: --deskew --despeckle --trim uniform --trim-margin 5% --whiten auto")
        #expect(
            try run(["book.pdf", "-o", "a.pdf", "-n", "--clean", "--trim", "page", "--whiten", "paper"]).lines.first
                == "--clean: --deskew --despeckle --rebuild --trim-margin 5%; the command line overrides --trim and --whiten"
        )
        #expect(
            try run(["book.pdf", "-o", "a.cbz", "-n", "--clean", "--recipe-without", "trim"]).lines.prefix(2) == [
                "--clean: --deskew --despeckle --whiten auto", "--recipe-without also left out --trim-margin",
            ])
        #expect(
            try run(["book.pdf", "-o", "a.cbz", "-n", "--clean", "--recipe-without", "trim", "--trim", "page"]).lines
                .first
                == "--clean: --deskew --despeckle --trim-margin 5% --whiten auto")
    }

    /// They are defaults: the format of the output decides which of them count.
    @Test func optionsOfOtherFormatsAreLeftOut() throws {
        try configure("config.json", #"{"epub-for": "apple", "to": "epub", "verify": true, "linearize": true}"#)
        #expect(try recipe(["book.pdf", "-o", "a.cbz"])?.text == "{}")
        #expect(try recipe(["book.pdf"])?.text == #"{"epub-for": "apple", "to": "epub"}"#)
        #expect(try recipe(["book.pdf", "-o", "a.pdf"])?.text == #"{"linearize": "true"}"#)
        // On the command line, it is a mistake.
        _ = try run(["book.pdf", "-o", "a.cbz", "--epub-for", "apple"], status: 64)
    }

    /// A default is for the runs that can use it.
    @Test func defaultsThatNeedOtherOptionsAreLeftOut() throws {
        try configure("config.json", #"{"trim-numbers": true, "trim-margin": "2%", "quality": 80, "order": "given"}"#)
        #expect(
            try recipe(["book.pdf", "-o", "a.cbz"])?.text == #"{"order": "given", "quality": "80"}"#)
        #expect(
            try recipe(["book.pdf", "-o", "a.cbz", "--lossless"])?.text == #"{"lossless": "true", "order": "given"}"#)
        #expect(
            try recipe(["book.pdf", "-o", "a.cbz", "--trim", "page"])?.text
                == #"{"order": "given", "quality": "80", "trim": "page", "trim-margin": "2%", "trim-numbers": "true"}"#)
        // On the command line, it is a mistake.
        _ = try run(["book.pdf", "-o", "a.cbz", "--trim-heads"], status: 64)
    }

    /// A line about an option that nobody typed would only disturb.
    @Test func defaultsWithoutAnEffectAreNotNoted() throws {
        try configure("config.json", #"{"fit": "9000x9000"}"#)
        #expect(!(try run(["book.pdf", "-o", "a.cbz"]).lines.contains { $0.contains("did not apply") }))
        #expect(try run(["book.pdf", "-o", "b.cbz", "-v"]).lines.contains { $0.hasPrefix("--fit did not apply") })
        #expect(
            try run(["book.pdf", "-o", "c.cbz", "--fit", "9000x"]).lines.contains { $0.hasPrefix("--fit did not") })
    }

    @Test(arguments: [
        ("{\n \"gray\": true,\n \"qualty\": 85\n}", "3: unknown setting 'qualty'; did you mean 'quality'?"),
        ("{\n \"quality\": 0}", "2: --quality takes a number from 1 to 100, not '0'"),
        ("{\n\n oops", "3: not a recipe: not JSON, or a name occurs twice"),
        (
            "{\n \"metadata\": \"/etc/passwd\"}",
            "2: unknown setting 'metadata'; a file among books cannot contain --metadata; give it on the command line"
        ),
        (
            "{\"max-memory\": 100000}",
            "1: unknown setting 'max-memory'; a file among books cannot contain --max-memory; give it on the command line"
        ),
        (
            "{\"trim-sheet\": \"x.html\"}",
            "1: unknown setting 'trim-sheet'; a file among books cannot contain --trim-sheet; give it on the command line"
        ),
        (
            "{\"report\": \"x.json\"}",
            "1: unknown setting 'report'; a recipe cannot contain --report; give it on the command line"
        ),
    ])
    func faultsHaveTheirLine(_ text: String, _ message: String) throws {
        try scratch.write("books/.jisui.json", Array(text.utf8))
        #expect(try run(["book.pdf", "-o", "a.cbz"], status: 64).lines == ["jisui: error: .jisui.json:\(message)"])
        #expect(Files.names(in: scratch("books")) == [".jisui.json", "book.pdf"])
    }

    /// The settings of one folder would change the books of another.
    @Test func aFolderHasItsOwnSettings() throws {
        try scratch.write("books/.jisui.json", Array(#"{"gray": true}"#.utf8))
        try scratch.write("other/book.pdf", try scratch.read("books/book.pdf"))
        let several = try run(["book.pdf", "../other/book.pdf", "-o", "out/", "--to", "cbz"], status: 64)
        #expect(
            several.lines == [
                "jisui: error: .jisui.json: the settings are for the books in its folder, but the inputs are in 2 folders; "
                    + "convert the folders one by one"
            ])
        #expect(try run(["../other/book.pdf", "-o", "a.cbz"]).lines.count == 1)
        #expect(try run(["./book.pdf", "-o", "b.cbz"]).lines.first == "took the settings of .jisui.json")
        #expect(try run([".", "-r", "-o", "c/", "--to", "cbz"]).lines.contains("took the settings of .jisui.json"))
        #expect(
            try run(["book.pdf", "-o", ".jisui.json", "-f", "--to", "cbz"], status: 64).lines.last?
                .contains("would replace this file, which the run reads") == true)
    }

    @Test func aConflictNamesThePreset() throws {
        #expect(
            try run(["book.pdf", "-o", "a.cbz", "--preset", "archive", "--quality", "50"], status: 64).lines == [
                "jisui: error: --quality and --lossless exclude each other (with the settings of preset archive); "
                    + "see jisui --help"
            ])
    }

    @Test func aTestChartHasThePixelsOfTheScreen() throws {
        _ = try run(["devices", "600x800@4", "--test-chart", "chart.png"])
        #expect(try run(["info", "chart.png"]).output.contains("600x800"))
        _ = try run(["devices", "--test-chart", "chart.png"], status: 64)
        _ = try run(["devices", "kobo-sage", "--test-chart", "chart.png"], status: 1)
    }

    @Test func devicesAreListedAsJSON() throws {
        let list = try #require(JSON(parsing: Array(try run(["devices", "--json"]).output.utf8)))
        #expect(list["profiles"]?.elements?.count ?? 0 > 130)
        let one = try #require(JSON(parsing: Array(try run(["devices", "kobo-sage", "--json"]).output.utf8)))
        let profile = try #require(one["profiles"]?.elements?.first)
        #expect(profile["settings"]?["fit"]?.asString == "1440x1920")
        #expect(profile["sources"]?["panel"]?.elements?.isEmpty == false)
        let text = try run(["devices", "kobo-sage"]).output
        #expect(text.contains("\n  formats: epub, --epub-for kobo, ≤ 1073 MB\n"))
        #expect(text.hasSuffix("--device kobo-sage stands for --epub-for kobo --fit 1440x1920 --gray --to epub\n"))
    }

    /// Without a Kindle, the file is next to the book.
    @Test func aKindleCoverIsWritten() throws {
        try scratch.write("books/out/other.txt")
        let first = try run(["book.pdf", "-o", "out/a.azw3", "--kindle-cover"])
        let names = Files.names(in: scratch("books/out"))
        let cover = try #require(names.first { $0.hasSuffix(".jpg") })
        #expect(names.count == 3 && cover.wholeMatch(of: /thumbnail_[0-9a-f-]{36}_EBOK_portrait\.jpg/) != nil)
        #expect(
            first.lines.last == "wrote the cover: out/\(cover); copy it to system/thumbnails on the Kindle")
        #expect(try scratch.read("books/out/\(cover)").starts(with: [0xFF, 0xD8]))
        _ = try run(["book.pdf", "-o", "a.cbz", "--kindle-cover"], status: 64)
    }

    @Test func aMissingDeviceGetsNoCopy() throws {
        #expect(
            try run(["book.pdf", "-o", "a.cbz", "--to-device"], status: 64).lines == [
                "jisui: error: no Kobo, Kindle or PocketBook is mounted; connect it, and open it in the file manager"
            ])
        #expect(Files.names(in: scratch("books")) == ["book.pdf"])
    }
}
