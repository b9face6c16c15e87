internal import Scratch
internal import Testing

/// The contact sheet in a real browser, whose reading of it is what counts.
///
/// Run where chromium is installed. It is not among the programs that tests demand: it is larger than all of those
/// together, and what the sheet is made of is tested without it too.
@Suite(.enabled("chromium is not installed") { Program.exists("chromium") }) struct BrowserTests {
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
            "!DOCTYPE", "b", "body", "br", "figcaption", "figure", "h", "head", "html", "i", "image", "main", "meta",
            "p",
            "path", "rect", "span", "style", "svg", "title",
        ]
        #expect(elements.subtracting(own).isEmpty)
        #expect(document.ranges(of: "<figure>").count == BrowserTests.names.count)
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
        let hostile = text.replacing("<body>", with: "<body><script>document.title='RAN'</script>", maxReplacements: 1)
        let (document, console) = try open(try scratch.write("hostile.html", Array(hostile.utf8)))
        #expect(document.contains("<script>") && !document.contains("<title>RAN"))
        #expect(console.contains("Content Security Policy"))
    }
}
