import PageModel
import SyntheticPDF
import Testing

@testable import PDFStructure

/// The removal of invisible text from pages.
@Suite struct InvisibleTextTests {
    private static let resources = "/Resources<</XObject<</X 4 0 R/I 5 0 R>>>>"

    /// The first page of a file, after the removal, and the contents of its form X.
    private func removed(
        _ content: String, form: String = "", pages: Int = 1
    ) throws -> (file: PDFFile, page: String, form: String) {
        let others = [
            SyntheticPDF.stream("", content), SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", form),
            SyntheticPDF.picture(width: 3, height: 5),
        ]
        let bytes = SyntheticPDF.bytes(
            pages: Array(repeating: "/MediaBox[0 0 9 9]/Contents 3 0 R\(Self.resources)", count: pages), others)
        let file = try PDFFile(SyntheticBytes(bytes), password: nil)
        let page = try file.page(at: PageTree(file, maximumPages: 9).paths[0])
        try file.removeInvisibleText(from: page.page, limit: 10_000)
        return (file, try text(of: page.page, file), try self.form(of: page.page, file))
    }

    private func text(of page: PDFObject, _ file: PDFFile) throws -> String {
        String(decoding: try file.contents(of: page, limit: 10_000), as: UTF8.self)
            .split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    private func form(of page: PDFObject, _ file: PDFFile) throws -> String {
        String(decoding: try file.data(of: page["Resources"]["XObject"]["X"], limit: 10_000), as: UTF8.self)
            .split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    @Test(arguments: [
        ("BT 3 Tr (old) Tj ET", "BT 3 Tr ET"),
        ("BT 3 Tr [(o) 3 <6c64>] TJ 0 -9 Td 0 Tr (new) Tj ET", "BT 3 Tr 0 -9 Td 0 Tr (new) Tj ET"),
        // The mode belongs to the graphics state.
        ("q BT 3 Tr (old) Tj ET Q BT (new) Tj ET", "q BT 3 Tr ET Q BT (new) Tj ET"),
        // The operators that begin a line and set its spacing do the rest of their work.
        ("BT 3 Tr (old) ' 1 2 (old) \" 0 Tr T* (new) Tj ET", "BT 3 Tr T* 1 Tw 2 Tc T* 0 Tr T* (new) Tj ET"),
        // Other modes, comments and inline images stay.
        ("BT 7 Tr (clip) Tj 2 Tr (new) Tj ET", "BT 7 Tr (clip) Tj 2 Tr (new) Tj ET"),
        (
            "BT 3 Tr (old) Tj ET BI /W 1 /H 1 /BPC 8 /CS /G ID A EI Q /Tj gs",
            "BT 3 Tr ET BI /W 1 /H 1 /BPC 8 /CS /G ID A EI Q /Tj gs"
        ),
    ])
    func textInMode3Goes(_ content: String, _ expected: String) throws {
        #expect(try removed(content).page == expected)
    }

    /// A form begins in the mode of the content that paints it; another page that shows it keeps its text.
    @Test func textOfFormsGoes() throws {
        let (file, _, form) = try removed("3 Tr /I Do /X Do", form: "BT (old) Tj 0 Tr 0 1 Td (new) Tj ET", pages: 2)
        #expect(form == "BT 0 Tr 0 1 Td (new) Tj ET")
        let other = try file.page(at: PageTree(file, maximumPages: 9).paths[1]).page
        #expect(try self.form(of: other, file).contains("(old)"))
        #expect(try removed("/X Do", form: "BT (new) Tj ET").form == "BT (new) Tj ET")
    }

    /// The place of visible text depends on the text before it on its line.
    @Test(arguments: [
        ("BT 3 Tr (old) Tj 0 Tr (new) Tj ET", ""), ("/X Do 3 Tr /X Do", "BT (new) Tj ET"),
    ])
    func textThatOtherTextDependsOnStays(_ content: String, _ form: String) throws {
        let error = #expect(throws: AdapterError.self) { try removed(content, form: form) }
        #expect(error?.code == .unsupported)
    }

    @Test func tooMuchContentIsRefused() throws {
        let long = String(repeating: "0 g ", count: 5000)
        #expect(throws: AdapterError.self) { try removed(long) }
        // A form that paints itself ends.
        #expect(try removed("/X Do", form: "BT 3 Tr (old) Tj ET /X Do").form == "BT 3 Tr ET /X Do")
    }
}
