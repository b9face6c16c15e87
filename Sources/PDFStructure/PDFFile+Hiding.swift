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
        try onlyPage(page, showing: box) { document, copy throws(AdapterError) in
            try hide(pictures, keeping: others, on: copy, of: document)
        }
    }

    /// Returns a PDF of one page without its images and its invisible text.
    ///
    /// - Parameter limit: the maximum number of bytes in the page's contents.
    /// - Throws: `.unsupported` if the text cannot be removed; `.damaged`; `fault`.
    public func withVisibleText(
        on page: PageNode, showing box: PDFBox, limit: Int
    ) throws(AdapterError) -> [UInt8] {
        try onlyPage(page, showing: box) { document, copy throws(AdapterError) in
            try hide([], keeping: [], on: copy, of: document)
            try document.removeInvisibleText(from: copy, limit: limit)
        }
    }

    /// Removes the text that a page does not show (ISO 32000-1, 9.3.6: rendering mode 3), such as the recognized text of a
    /// scan. Other pages that share its forms keep theirs.
    ///
    /// - Parameter limit: the maximum number of bytes in the page's contents.
    /// - Throws: `.unsupported` if that is impossible. The page does not change then.
    public func removeInvisibleText(from page: PDFObject, limit: Int) throws(AdapterError) {
        var message = [CChar](repeating: 0, count: 512)
        let status = withExtendedLifetime(page) {
            jqpdf_remove_invisible_text(handle, page.handle, limit, &message, message.count)
        }
        if let fault { throw fault }
        guard status == jqpdf_ok else {
            throw AdapterError(
                .unsupported, "the page's invisible text cannot be removed", cause: PDFFile.text(message))
        }
    }

    private func hide(
        _ pictures: Set<PDFReference>, keeping others: Set<PDFReference>, on copy: PDFObject, of document: PDFFile
    ) throws(AdapterError) {
        let hidden = pictures.map { ($0.number, $0.generation) }
        let kept = others.map { ($0.number, $0.generation) }
        let isDone = withExtendedLifetime(copy) {
            jqpdf_hide_pictures(
                document.handle, handle, copy.handle, hidden, CInt(clamping: hidden.count), kept,
                CInt(clamping: kept.count))
        }
        if !isDone { throw document.fault ?? fault ?? PDFFile.unusable }
    }

    /// Returns a PDF of one page.
    ///
    /// - Parameter change: changes the page in the new document.
    private func onlyPage(
        _ page: PageNode, showing box: PDFBox, _ change: (PDFFile, PDFObject) throws(AdapterError) -> Void
    ) throws(AdapterError) -> [UInt8] {
        let document = try PDFFile()
        let copies = try document.copy([page], of: self)
        try document.mergeLayers(of: self, on: [page], isWhole: true)
        guard let copy = copies.first, let reference = copy.reference else { throw PDFFile.unusable }
        try change(document, copy)
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
