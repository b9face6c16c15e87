import Imaging
import Metadata
import PDFStructure
import Scratch
import SyntheticPDF
import Testing

/// What becomes of the claim to be a PDF/A.
@Suite struct ClaimTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    private func write(_ name: String, level: String) throws {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2"\
             pdfaid:conformance="\(level)"/></rdf:RDF></x:xmpmeta>
            """
        try made.scratch.write(
            name,
            SyntheticPDF.bytes([
                "<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R>>", "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
                SyntheticPDF.stream("/Type/Metadata/Subtype/XML", packet),
            ]))
    }

    /// The claim stays where nothing was done that could matter, and else goes with a warning.
    @Test(arguments: [
        ("B", [], true), ("B", ["--pages", "2"], true), ("B", ["--title", "New", "--series", "S"], true),
        ("A", [], true), ("A", ["--pages", "2"], false), ("B", ["other.pdf", "--combine"], false),
        ("A", ["--spreads", "merge", "--cover", "paired"], false), ("A", ["--page-size", "a6"], false),
        ("B", ["picture.png", "--combine"], false),
    ])
    func claim(_ level: String, _ arguments: [String], _ isKept: Bool) throws {
        try write("source.pdf", level: level)
        try made.scratch.write("other.pdf", SyntheticPDF.bytes(pages: ["/MediaBox[0 0 100 200]"]))
        try made.scratch.write("picture.png", PNGWriter.encode(SyntheticRaster.bars))
        for more in [["--dry-run"], []] {
            let outcome = try BuiltJisui.run(
                ["source.pdf"] + arguments + ["-o", "copy.pdf"] + more, in: made.scratch.path)
            #expect(outcome.status == (isKept ? 0 : 3), "\(outcome.errorText)")
            let isWarned = outcome.errorText.contains(
                "source.pdf: left out its claim of PDF/A-2\(level.lowercased()) conformance: ")
            #expect(isWarned == !isKept, "\(outcome.errorText)")
        }
        let file = try made.open(made.scratch("copy.pdf"))
        let packet = try file.data(of: file.catalog["Metadata"], limit: 100_000)
        #expect((ArchivalClaim(xmp: packet) != nil) == isKept)
    }

    @Test func aRebuiltBookClaimsNothing() throws {
        try write("source.pdf", level: "B")
        for more in [["--dry-run"], []] {
            let outcome = try BuiltJisui.run(
                ["source.pdf", "--rebuild", "-o", "new.pdf"] + more, in: made.scratch.path)
            #expect(outcome.status == 3 && outcome.errorText.contains("the claim of PDF/A-2b conformance was left out"))
        }
    }
}
