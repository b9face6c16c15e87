internal import AdapterKit
internal import PageModel
internal import Testing
internal import Work

@testable internal import jisui

/// The parsing of the command line.
@Suite(.withoutUserFiles) struct CommandLineTests {
    /// A command with an option of each form.
    private static let entry: CommandEntry = CommandEntry(
        name: "test", summary: "", operands: [Operand(name: "input", help: "", kind: .file, isRepeatable: true)],
        own: {
            var author = Setting("author", .text, valueName: "name", help: "")
            author.isRepeatable = true
            return [
                Setting("trim", .choice(["auto", "page"]), implied: "auto", valueName: "mode", help: ""),
                Setting("align", .choice(["start", "end"]), valueName: "where", help: ""),
                Setting("title", .text, valueName: "text", help: ""),
                Setting("gutter", .integer(-5...5), valueName: "n", help: ""),
                .pages, author, .output, .jobs, .dryRun, .verbose, .quiet,
            ]
        }, make: { _ in HelpCommand(entry) })

    /// Returns the values by name and the operands, in one line.
    private static func parsed(_ line: String, there: [String] = []) throws -> String {
        let words = line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
        let given = try CommandLineParser.parse(words[...], as: entry) { there.contains($0) }
        let values = given.values[.commandLine].values.sorted { $0.key < $1.key }
        return (values.map { "\($0)=\($1.joined(separator: ","))" } + given.operands).joined(separator: " ")
    }

    @Test(arguments: [
        ("a.pdf -o b.cbz --jobs 2", "jobs=2 output=b.cbz a.pdf"),
        ("--output=b.cbz --jobs=2 a.pdf", "jobs=2 output=b.cbz a.pdf"),
        ("-ob.cbz -j4 a.pdf", "jobs=4 output=b.cbz a.pdf"), ("-o=b.cbz -j=4 a.pdf", "jobs=4 output=b.cbz a.pdf"),
        ("a.pdf -nvo b.cbz", "dry-run=true output=b.cbz verbose=true a.pdf"), ("-n -n --dry-run= a", "dry-run=true a"),
        // The first letter decides: what follows is its value.
        ("-output a", "output=utput a"), ("--title a=b x", "title=a=b x"), ("--title=a=b x", "title=a=b x"),
        // A hyphen alone is standard input or output.
        ("- -o -", "output=- -"), ("--title - a", "title=- a"), ("--title=-x a", "title=-x a"),
        ("-n -- -v --title", "dry-run=true -v --title"), ("a -- b", "a b"), ("@list ''", "@list "),
        ("--author A a --author=B", "author=A,B a"),
        ("--gutter -3 a", "gutter=-3 a"), ("--pages -2.. a", "pages=-2.. a"), ("--pages=-1 a", "pages=-1 a"),
    ])
    func formsOfOptionsAreRead(_ line: String, _ wanted: String) throws {
        #expect(try CommandLineTests.parsed(line) == wanted)
    }

    /// The next word is the value if it is one of those of the option, or a mistyped one, but no file.
    @Test(arguments: [
        ("a.pdf --trim", "trim=auto a.pdf"), ("--trim -n a.pdf", "dry-run=true trim=auto a.pdf"),
        ("--trim a.pdf", "trim=auto a.pdf"), ("--trim books/", "trim=auto books/"), ("--trim there", "trim=auto there"),
        ("--trim -- --trim", "trim=auto --trim"), ("a.pdf --trim page", "trim=page a.pdf"),
        ("--trim=page a.pdf", "trim=page a.pdf"), ("--trim ./page", "trim=auto ./page"),
        // A file with the name of a value is meant only with a slash.
        ("--trim auto there", "trim=auto there"),
    ])
    func valuesCanBeOmitted(_ line: String, _ wanted: String) throws {
        #expect(try CommandLineTests.parsed(line, there: ["there", "auto"]) == wanted)
    }

    @Test(arguments: [
        ("a --trim gape", "--trim takes auto, page, not 'gape'; see jisui help test"),
        ("a --trim=", "--trim needs a value: auto, page"), ("a --align", "--align needs a value: start, end"),
        ("a --align -n", "--align needs a value: start, end"), ("a -o", "-o needs a value: -o book.cbz"),
        ("a --title --", "--title needs a text: --title 'The Title'"),
        ("a --title -5", "a value that begins with a hyphen is given as --title=-5; see jisui help test"),
        ("a --gutter -9", "--gutter takes a whole number from -5 to 5, not '-9'; see jisui help test"),
        ("a --pages --trim", "--pages needs a value: --pages 1-10"),
        ("a --jobs 0", "--jobs takes a whole number from 1 to 256, not '0'; see jisui help test"),
        ("a --pages 1-3 --pages=4", "--pages was given twice; give one list, as in --pages 1-3,4"),
        ("a -ob --output c", "--output was given twice; give it once"),
        ("a --dry-run=1", "--dry-run takes no value, not '1'; see jisui --help"),
        ("a -n=1", "-n takes no value, not '1'; see jisui --help"),
        ("a --verbos", "unknown option --verbos; did you mean --verbose?"),
        ("a --Title x", "unknown option --Title; did you mean --title?"),
        ("a -verbose", "unknown option -verbose; did you mean --verbose?"),
        ("a --grayscale", "unknown option --grayscale; use --gray"), ("a -x", "unknown option -x; see jisui help test"),
        ("a -nx", "unknown option -x; see jisui help test"), ("a -nqob", "unknown option -nqob; see jisui help test"),
        ("a -nj=1", "unknown option -nj; see jisui help test"), ("a -=", "unknown option -=; see jisui help test"),
        ("-n", "no input is given; use jisui test INPUT"),
    ])
    func faultsAreNamed(_ line: String, _ wanted: String) {
        let error = #expect(throws: UsageError.self) { try CommandLineTests.parsed(line) }
        #expect(error.map { error in error.hint.map { "\(error.message); \($0)" } ?? error.message }?.english == wanted)
    }

    @Test(arguments: [
        ("plugin lst", "unexpected argument 'lst'; did you mean 'jisui plugin list'?"),
        ("plugin list x", "unexpected argument 'x'; see jisui help plugin list"),
        ("plugin add", "no program is given; use jisui plugin add PROGRAM"),
        ("info a.pdf --to x", "unknown option --to; see jisui help info"),
        ("info a.pdf --max-memory 1", "--max-memory takes megabytes from 100 to 1000000, not '1'; see jisui help info"),
        (
            "a.zip -o b.cbz --filename-encoding Shift_JIS",
            "--filename-encoding takes auto, utf-8, cp932, cp437, euc-jp, gbk, gb18030, big5, cp949, euc-kr, cp850, "
                + "cp866, cp1251, cp1252, not 'Shift_JIS'; use --filename-encoding cp932"
        ),
        ("a.pdf -o b.cbz --trim AUTO", "--trim takes auto, page, book, sides, uniform, not 'AUTO'; use --trim auto"),
        ("a.pdf -o b.cbz --dpi 5", "--dpi takes a whole number from 10 to 2400, not '5'; see jisui help pdf"),
        ("diff a.pdf", "no other is given; use jisui diff BOOK OTHER"),
        ("diff a.pdf b.pdf c.pdf", "unexpected argument 'c.pdf'; see jisui help diff"),
        ("diff a.pdf b.pdf --force", "--force needs --html FILE"),
        (
            "verify a.pdf --sample 5",
            "--sample takes a share of more than 0% and at most 100%, as in 5%; see jisui help verify"
        ),
        ("verify a.pdf --html d.html", "--html shows differing pages; add --against PATH"),
        ("verify -", "jisui verify reads no standard input; use jisui info --check -"),
        // An objection with a hint gets no other.
        (
            "a.pdf -o b.cbz --pages x",
            "--pages has an invalid item 'x'; it takes a list like 1-10,15,odd,-3.. (see 'jisui help convert')"
        ),
    ])
    func faultsOfCommandsAreNamed(_ line: String, _ wanted: String) {
        let words = line.split(separator: " ").map(String.init)
        let error = #expect(throws: UsageError.self) { try CommandLineParser.command(words) }
        #expect(error.map { error in error.hint.map { "\(error.message); \($0)" } ?? error.message }?.english == wanted)
    }

    @Test(arguments: [
        ("info a.pdf", "Info"), ("convert a.pdf -o b.cbz", "Convert"), ("a.pdf -o b.cbz", "Convert"),
        ("convert info -o b.cbz", "Convert"), ("-n info -o b.cbz", "Convert"), ("-o b.cbz -- info", "Convert"),
        ("plugin remove x", "PluginRemove"), ("plugin", "HelpCommand"), ("catalog shelf", "Catalog"),
        ("diff a.pdf b.cbz", "Diff"), ("verify out/ --against in/", "Verify"),
        // Help and the version come first, even if something else is wrong.
        ("a.pdf --nonsense -h", "HelpCommand"), ("info --help", "HelpCommand"), ("info -vh", "HelpCommand"),
        ("a.pdf --version", "VersionReport"), ("a.pdf -o b.cbz -- --help", "Convert"),
    ])
    func theFirstWordsSelectTheCommand(_ line: String, _ wanted: String) throws {
        let command = try CommandLineParser.command(line.split(separator: " ").map(String.init))
        #expect(String(describing: type(of: command)) == wanted)
    }
}
