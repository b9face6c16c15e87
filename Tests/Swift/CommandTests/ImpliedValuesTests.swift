internal import AdapterKit
internal import Testing

@testable internal import jisui

@Suite struct ImpliedValuesTests {
    private let values = ImpliedValues([
        Setting("trim", .choice(["auto", "page"]), implied: "auto", valueName: "mode", help: ""),
        Setting("align", .choice(["start", "end"]), valueName: "where", help: ""),
        Setting("name", .text, implied: "never", valueName: "text", help: ""),
    ])

    @Test(arguments: [
        ("a.pdf -o b.cbz --trim", "a.pdf -o b.cbz --trim auto"),
        ("--trim -o b.cbz a.pdf", "--trim auto -o b.cbz a.pdf"),
        ("--trim --trim-numbers a.pdf", "--trim auto --trim-numbers a.pdf"),
        ("--trim a.pdf -o b.cbz", "--trim auto a.pdf -o b.cbz"),
        ("--trim books/ -o b.cbz", "--trim auto books/ -o b.cbz"),
        ("--trim there -o b.cbz", "--trim auto there -o b.cbz"),
        ("--trim -- --trim", "--trim auto -- --trim"),
        // An option with a value keeps it, even a mistyped one: that is reported later.
        ("a.pdf --trim page", "a.pdf --trim page"), ("--trim page there", "--trim page there"),
        ("--trim=page a.pdf", "--trim=page a.pdf"), ("--trim gape a.pdf", "--trim gape a.pdf"),
        // Letters with their values.
        ("-ob.cbz -j4 a.pdf", "-o b.cbz -j 4 a.pdf"), ("-o=b.cbz -j=4", "-o=b.cbz -j=4"), ("-o - -nv", "-o - -nv"),
        ("a.pdf -- -j4", "a.pdf -- -j4"),
        // Options without an implied value need one.
        ("--align", "--align"), ("--align -n", "--align -n"), ("--name a.pdf", "--name a.pdf"), ("", ""),
    ])
    func missingImpliedValuesAreFilledIn(_ given: String, _ completed: String) {
        let arguments = given.split(separator: " ").map(String.init)
        let wanted = completed.split(separator: " ").map(String.init)
        #expect(values.completing(arguments) { $0 == "there" } == wanted)
    }

    /// A file of a mode's name is meant only with a slash.
    @Test func aWordIsAWord() {
        #expect(values.completing(["--trim", "page"]) { _ in true } == ["--trim", "page"])
        #expect(values.completing(["--trim", "./page"]) { _ in true } == ["--trim", "auto", "./page"])
    }
}
