internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Scratch
internal import Testing

/// The contact sheet in a real browser, whose reading of it is what counts.
///
/// What the sheet is made of is tested without it too.
@Suite(.needs("chromium")) struct BrowserTests {
    /// What combines with a sign before or after it, of each property that Unicode's rules for that know
    /// (UAX #29, Grapheme_Cluster_Break and Indic_Conjunct_Break): Prepend, Extend of many scripts, joiners, SpacingMark,
    /// Regional_Indicator, emoji modifiers, Hangul L, V, T and LV, Control; and private characters.
    private static let marks: [Unicode.Scalar] = [
        "\u{600}", "\u{605}", "\u{6DD}", "\u{70F}", "\u{890}", "\u{8E2}", "\u{D4E}", "\u{110BD}", "\u{110CD}",
        "\u{111C2}",
        "\u{300}", "\u{301}", "\u{34F}", "\u{488}", "\u{591}", "\u{64B}", "\u{93C}", "\u{94D}", "\u{E38}", "\u{135D}",
        "\u{1DCA}", "\u{20DD}", "\u{20E3}", "\u{302A}", "\u{3099}", "\u{FE0F}", "\u{FE20}", "\u{1D167}", "\u{E0100}",
        "\u{200C}", "\u{200D}", "\u{903}", "\u{93E}", "\u{B3E}", "\u{1D165}", "\u{1F1E6}", "\u{1F3FB}", "\u{1100}",
        "\u{1160}", "\u{11A8}", "\u{AC00}", "\u{AD}", "\u{61C}", "\u{202E}", "\u{2060}", "\u{2067}", "\u{FEFF}",
        "\u{E000}",
    ]

    /// All of ASCII's punctuation but the slash.
    private static let punctuation = (0x21...0x7E).compactMap(Unicode.Scalar.init).filter {
        !$0.properties.isAlphabetic && !("0"..."9").contains($0) && $0 != "/"
    }

    /// Names in which every sign comes after a mark and before one, and names that would be markup that runs.
    private static let names: [String] = marks.flatMap { mark in
        [
            punctuation.map { "\(mark)\($0)" }.joined(), punctuation.map { "\($0)\(mark)" }.joined(),
            "\(mark)<img src=x onerror=document.title=`RAN`>\(mark)<script>document.title='RAN'</script>",
            "\(mark)\"\(mark)'\(mark)><svg onload=document.title=`RAN`>\(mark)</title></figcaption><script>\(mark)",
        ].map { String($0.unicodeScalars.prefix(75).filter { $0 != "/" }.map(Character.init)) }
    }

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// The sheet of a book with such names and such a title.
    private func sheet() throws -> String {
        let picture = try Files.read("\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg")
        let book = "\u{600}<img src=x onerror=document.title=`RAN`>"
        for (index, name) in BrowserTests.names.enumerated() {
            try scratch.write("\(book)/\(1000 + index) \(name).jpg", picture)
        }
        let outcome = try BuiltJisui.run(
            [scratch(book), "-o", scratch("x.cbz"), "-n", "-q", "--trim", "--trim-sheet", scratch("sheet.html")])
        #expect(outcome.status == 0, "\(outcome.errorText)")
        return scratch("sheet.html")
    }

    /// The document as the browser has it after a while, and what its console says.
    private func open(_ path: String) throws -> (document: String, console: String) {
        let outcome = try Program.outcome(
            "chromium --headless --no-sandbox --disable-gpu --user-data-dir='\(scratch("profile"))' --enable-logging=stderr "
                + "--virtual-time-budget=5000 --dump-dom 'file://\(path)'", in: scratch.path)
        let console = outcome.errorText.split(separator: "\n").filter { $0.contains(":CONSOLE:") }
        return (outcome.outputText, console.joined(separator: "\n"))
    }

    @Test func namesStayText() throws {
        let (document, console) = try open(try sheet())
        #expect(console.isEmpty)
        #expect(document.contains("onerror=document.title=`RAN`&gt;: trimming</title>"))
        // The elements are the sheet's own.
        let elements = Set(document.matches(of: /<([a-zA-Z!]+)/).map { String($0.1) })
        let own = [
            "!DOCTYPE", "b", "body", "br", "button", "dialog", "div", "figcaption", "figure", "g", "h", "head",
            "header",
            "html", "i", "image", "input", "label", "line", "meta", "p", "path", "rect", "script", "span", "style",
            "svg",
            "title",
        ]
        #expect(elements.subtracting(own).isEmpty)
        #expect(document.ranges(of: "<script").count == 1)
        #expect(document.ranges(of: "<figure").count == BrowserTests.names.count)
        // Byte by byte, since the marks combine with the signs around them.
        let bytes = Array(document.utf8)
        for (index, name) in BrowserTests.names.enumerated() {
            let text = name.unicodeScalars.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
            #expect(bytes.firstRange(of: Array("</b> \(1000 + index) \(text).jpg<br>".utf8)) != nil, "\(index)")
        }
    }

    /// The policy holds in the browser, whose console would have told.
    @Test func aScriptWouldNotRun() throws {
        let text = String(decoding: try Files.read(try sheet()), as: UTF8.self)
        let hostile = text.replacing("</h1>", with: "</h1><script>document.title='RAN'</script>", maxReplacements: 1)
        let (document, console) = try open(try scratch.write("hostile.html", Array(hostile.utf8)))
        #expect(document.ranges(of: "<script>").count == 2 && !document.contains("<title>RAN"))
        #expect(console.contains("Content Security Policy"))
    }

    /// Pages open at the size of their pixels, and the doubtful ones follow each other, on a desktop and on a phone.
    @Test(.needs("chromedriver"), .needs(modules: "selenium"), arguments: ["desktop", "phone"])
    func doubtfulPagesAreSteppedThrough(device: String) throws {
        let size = PixelSize(width: 1240, height: 1760)
        for number in 1...6 {
            var samples = [UInt8](repeating: 240, count: size.area)
            for y in 200..<1440 where y % 36 < 20 {
                for x in 160..<1080 where x % 24 < 18 { samples[y * size.width + x] = 20 }
            }
            // A picture in the margin: print beyond the text.
            if number > 4 {
                for y in 1600..<1720 { for x in 40..<160 { samples[y * size.width + x] = 20 } }
            }
            let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
            try scratch.write("book/\(number).png", PNGWriter.encode(raster))
        }
        let arguments = [scratch("book"), "-o", scratch("x.cbz"), "-q", "-n", "--trim", "book"]
        let made = try BuiltJisui.run(arguments + ["--trim-sheet", scratch("sheet.html")])
        #expect(made.status == 0, "\(made.errorText)")

        let script = "\(BuiltJisui.fixtures)/../Tests/Programs/Browser/pages.py"
        let outcome = try Program.outcome("'\(script)' view '\(scratch("sheet.html"))'", in: scratch.path)
        let state = try #require(JSON(parsing: outcome.output), "\(outcome.errorText)")
        #expect(state["console"]?.elements?.isEmpty == true)
        let seen = try #require(state[device])
        #expect(seen["columns"]?.asInteger == (device == "phone" ? 2 : 3) && seen["wider"]?.asInteger == 0)
        #expect(seen["first"]?.asString == "First doubtful (of 2)" && seen["hidden"]?.asString == "inline")
        let steps = try #require(seen["steps"]?.elements)
        #expect(steps.map { $0["next"]?.asString } == [1, 2, 1].map { "Next doubtful (\($0) of 2)" })
        #expect(Set(steps.compactMap { $0["page"]?.asInteger }) == [5, 6])
        let large = try #require(seen["large"])
        let (width, scale) = (try #require(large["width"]?.asNumber), try #require(large["scale"]?.asNumber))
        #expect(large["isOpen"]?.asBoolean == true && scale == (device == "phone" ? 3 : 1))
        let fit = try #require(seen["fit"]?["width"]?.asNumber)
        #expect(fit <= (large["room"]?.asNumber ?? 0) && abs(width - max(1240 / scale, 1.5 * fit)) < 1)
        #expect(seen["whole"]?["box"]?.isNull == true)
        let restored = try #require(seen["restored"])
        #expect(restored["box"]?.text == restored["proposed"]?.text && restored["box"]?.isNull == false)
        #expect(seen["stepped"]?["isOpen"]?.asBoolean == true && seen["stepped"]?["inRoom"]?.asInteger == 1)
        #expect(seen["stepped"]?["page"]?.asInteger == steps[1]["page"]?.asInteger)
        let closed = try #require(seen["closed"])
        #expect(closed["isOpen"]?.asBoolean == false && closed["isOnSheet"]?.asBoolean == true)
        #expect(closed["inRoom"]?.asInteger == 0 && closed["page"]?.asInteger == steps[1]["page"]?.asInteger)
    }

    /// Boxes are dragged and moved with keys, saved by the browser, and followed.
    @Test(.needs("chromedriver"), .needs(modules: "selenium"))
    func correctionsAreSavedAndFollowed() throws {
        let page = PixelSize(width: 620, height: 880)
        var samples = [UInt8](repeating: 240, count: page.area)
        // Dashes in lines, as if it were text.
        for y in 100..<720 where y % 18 < 10 {
            for x in 80..<540 where x % 12 < 9 { samples[y * page.width + x] = 20 }
        }
        let picture = PNGWriter.encode(Raster(size: page, format: .gray(bits: 8), samples: samples))
        for number in 1...6 { try scratch.write("book/\(number).png", picture) }
        let arguments = [scratch("book"), "-o", scratch("x.cbz"), "-q", "--trim", "page"]
        let made = try BuiltJisui.run(arguments + ["-n", "--trim-sheet", scratch("sheet.html")])
        #expect(made.status == 0, "\(made.errorText)")

        let script = "\(BuiltJisui.fixtures)/../Tests/Programs/Browser/pages.py"
        let outcome = try Program.outcome("'\(script)' boxes '\(scratch("sheet.html"))'", in: scratch.path)
        let state = try #require(JSON(parsing: outcome.output), "\(outcome.errorText)")
        #expect(state["console"]?.elements?.isEmpty == true)
        #expect(state["status"]?.asString?.hasSuffix("; 4 pages are corrected") == true)
        let pages = try #require(state["saved"]?["pages"]?.elements)
        func box(_ number: Int, _ key: String) -> [Int]? { pages[number - 1][key]?.elements?.compactMap(\.asInteger) }
        let size = try #require(box(1, "size"))
        let whole = [0, 0] + size
        let scale = try #require(state["scale"]?.asNumber)
        func moved(_ pixels: Int) -> ClosedRange<Int> {
            let moved = Int((Double(pixels) * scale).rounded())
            return moved - 2...moved + 2
        }
        let (first, was) = (try #require(box(1, "box")), box(1, "proposed") ?? whole)
        #expect(moved(20).contains(first[0] - was[0]) && first[0] + first[2] == was[0] + was[2])
        #expect(first[1] == was[1] && first[3] == was[3])
        let second = try #require(box(2, "box"))
        #expect(moved(30).contains(was[2] - second[2]) && moved(40).contains(was[3] - second[3]))
        #expect(second[..<2] == was[..<2])
        let third = try #require(box(3, "box"))
        #expect(third[1] - was[1] == 2 * max(1, Int((Double(size[1]) / 200).rounded())))
        #expect(pages[3]["box"]?.isNull == true && box(5, "box") == box(5, "proposed"))

        try scratch.write("boxes.json", Array(try #require(state["saved"]).text.utf8))
        let run = try BuiltJisui.run(
            arguments + ["--trim-file", scratch("boxes.json"), "--report", scratch("report.json")])
        #expect(run.status == 0, "\(run.errorText)")
        let report = try #require(JSON(parsing: try Files.read(scratch("report.json"))))
        let remarks = try #require(report["pages"]?.elements).map { $0["trim"]?.asString ?? "" }
        #expect(remarks[..<3].allSatisfy { $0 == "trimmed as the file of boxes says" })
        #expect(remarks[4] == remarks[5] && !remarks[4].contains("file of boxes"))
    }

    /// Decisions about cleaning are changed on the sheet, saved by the browser, and followed.
    @Test(.needs("chromedriver"), .needs(modules: "selenium"))
    func decisionsAboutCleaningAreSavedAndFollowed() throws {
        let page = PixelSize(width: 620, height: 880)
        var samples = [UInt8](repeating: 200, count: page.area)
        for y in 100..<720 where y % 18 < 10 {
            for x in 80..<540 where x % 12 < 4 { samples[y * page.width + x] = 20 }
        }
        let picture = PNGWriter.encode(Raster(size: page, format: .gray(bits: 8), samples: samples))
        for number in 1...3 { try scratch.write("book/\(number).png", picture) }
        let arguments = [scratch("book"), "-o", scratch("x.cbz"), "-q", "--whiten"]
        let made = try BuiltJisui.run(arguments + ["-n", "--clean-sheet", scratch("sheet.html")])
        #expect(made.status == 0, "\(made.errorText)")

        let script = "\(BuiltJisui.fixtures)/../Tests/Programs/Browser/pages.py"
        let outcome = try Program.outcome("'\(script)' cleaning '\(scratch("sheet.html"))'", in: scratch.path)
        let state = try #require(JSON(parsing: outcome.output), "\(outcome.errorText)")
        #expect(state["console"]?.elements?.isEmpty == true && state["at"]?.asString == "100%")
        #expect(state["status"]?.asString == "1 page is changed")
        try scratch.write("cleaning.json", Array(try #require(state["saved"]).text.utf8))
        let run = try BuiltJisui.run(
            arguments + ["--clean-file", scratch("cleaning.json"), "--report", scratch("report.json")])
        #expect(run.status == 0, "\(run.errorText)")
        let report = try #require(JSON(parsing: try Files.read(scratch("report.json"))))
        let whitened = try #require(report["pages"]?.elements).map { $0["whitened"]?.asBoolean }
        #expect(whitened == [true, false, true])
    }
}
