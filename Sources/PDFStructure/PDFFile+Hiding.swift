internal import CQPDFShims
public import PageModel

extension PDFFile {
    /// Returns a PDF of one page. Some images are omitted.
    ///
    /// - Parameters:
    ///   - pictures: the omitted images.
    ///   - page: a page of this file.
    ///   - others: its other painted images. Images in its resources that it does not paint are also omitted.
    ///   - box: the visible part of the page.
    /// - Throws: `.damaged`; `fault`.
    public func withoutPictures(
        _ pictures: Set<PDFReference>, keeping others: Set<PDFReference>, on page: PageNode, showing box: PDFBox
    ) throws(AdapterError) -> [UInt8] {
        let document = try PDFFile()
        let copies = try document.copy([page], of: self)
        try document.mergeLayers(of: self, on: [page], isWhole: true)
        guard let copy = copies.first, let reference = copy.reference else { throw PDFFile.unusable }
        let hidden = pictures.map { ($0.number, $0.generation) }
        let kept = others.map { ($0.number, $0.generation) }
        let isDone = withExtendedLifetime(copy) {
            jqpdf_hide_pictures(
                document.handle, handle, copy.handle, hidden, CInt(clamping: hidden.count), kept,
                CInt(clamping: kept.count))
        }
        if !isDone { throw document.fault ?? fault ?? PDFFile.unusable }
        document.setCropBox(of: copy, box)
        let tree = document.catalog["Pages"]
        try document.set("Parent", of: copy, to: tree)
        try document.set("Kids", of: tree, to: .array([.reference(reference)]))
        try document.set("Count", of: tree, to: .integer(1))
        var bytes: [UInt8] = []
        let form = Form(
            packsObjects: false, isLinearized: false, identifier: String(repeating: "0", count: 32))
        do {
            try document.write(form) { bytes.append(contentsOf: $0) }
        } catch let error as AdapterError {
            throw error
        } catch {
            throw PDFFile.unusable
        }
        return bytes
    }

    private static let unusable = AdapterError(.damaged, "the page cannot be copied without its images")
}
