internal import Scratch
internal import SyntheticPDF
internal import Testing

/// Other people's programs find the same in PDFs that jisui combines as in their sources
/// (`Tests/Programs/Corpus/compare_combined.py`).
@Suite struct CombinedTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Books with an outline, labels, layers and links, and one with tags and a form field.
    private func folder() throws -> String {
        let names = ["annotation-link", "labels", "layer-hidden", "layer-visible", "outline", "rotate90", "text"]
        for name in names {
            let fixture = "\(BuiltJisui.fixtures)/good/PDFSource/\(name).pdf"
            #expect(Program.run("mkdir -p '\(scratch("books"))' && cp '\(fixture)' '\(scratch("books"))'") == 0)
        }
        for name in ["one", "other"] {
            let objects = [
                "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>/AcroForm<</Fields[9 0 R]>>>>",
                "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Contents 8 0 R/StructParents 0/Annots[9 0 R]"
                    + "/Resources<</Font<</F 10 0 R>>>>>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>",
                "<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[7 0 R]1 6 0 R]>>>>",
                "<</Type/StructElem/S/Document/P 5 0 R/K[7 0 R<</Type/OBJR/Pg 3 0 R/Obj 9 0 R>>]>>",
                "<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K 0>>",
                SyntheticPDF.stream("", "/P<</MCID 0>>BDC BT /F 9 Tf 20 150 Td (\(name)) Tj ET EMC"),
                "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(\(name))/Rect[60 10 90 30]/P 3 0 R/StructParent 1>>",
                "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            ]
            _ = try scratch.write("books/\(name).pdf", SyntheticPDF.bytes(objects))
        }
        return scratch("books")
    }

    @Test(
        .needs("python3", "qpdf", "pdftotext", "pdfinfo", "pdftoppm", "mutool"),
        arguments: ["--pairs 16 --seed 4", "--way select --pairs 9", "--only one --pairs 60"])
    func booksAreAsTheirSources(_ options: String) throws {
        let script = "\(BuiltJisui.repository)/Tests/Programs/Corpus/compare_combined.py"
        // A sanitizer makes jisui slow, and other programs have their time as well.
        let outcome = try Program.outcome(
            "python3 '\(script)' '\(BuiltJisui.path)' '\(try folder())' --timeout 300 \(options)")
        #expect(outcome.status == 0, "\(outcome.outputText)\(outcome.errorText)")
    }
}
