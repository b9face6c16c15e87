internal import CQPDFShims
package import PageModel

internal import func Glibc.cos
internal import func Glibc.sin

extension PDFFile {
    /// The images of a page that are painted in a copy of it.
    package enum ShownPictures: Sendable {
        case all
        case none
        /// All that the page paints, except some. The others are listed, so that unused images need not be written.
        case except(Set<PDFReference>, others: Set<PDFReference>)
    }

    /// Returns a PDF of one page, without some of its objects.
    ///
    /// - Parameters:
    ///   - page: a page of this file.
    ///   - omission: the omitted objects.
    ///   - pictures: the images that are shown.
    ///   - box: the visible part of the page.
    ///   - keepsInvisibleText: whether the text that the page does not show stays.
    ///   - degrees: the angle by which its content is rotated counterclockwise.
    ///   - limit: the maximum number of bytes of the page's content, if objects are omitted.
    ///   - prepare: a function that changes the copy of the page.
    /// - Throws: `.damaged`; `.tooLarge`; `.unsupported` if invisible text cannot be removed; `fault`.
    package func document(
        of page: PageNode, omitting omission: PageOmission = PageOmission(), showing pictures: ShownPictures,
        in box: PDFBox, keepsInvisibleText: Bool = true, turnedBy degrees: Int = 0, limit: Int,
        prepare: (PDFFile, PDFObject) throws(AdapterError) -> Void = { _, _ in }
    ) throws(AdapterError) -> [UInt8] {
        let document = try PDFFile()
        let copies = try document.copy([page], of: self)
        try document.mergeLayers(of: self, on: [page], isWhole: true)
        guard let copy = copies.first, let reference = copy.reference else { throw PDFFile.unusable }
        try document.show(pictures, on: copy, of: self)
        document.setCropBox(of: copy, box)
        let tree = document.catalog["Pages"]
        try document.set("Parent", of: copy, to: tree)
        try document.set("Kids", of: tree, to: .array([.reference(reference)]))
        try document.set("Count", of: tree, to: .integer(1))
        if !omission.isEmpty { try document.omit(omission, from: try document.page(at: [0]), limit: limit) }
        if !keepsInvisibleText { try document.removeInvisibleText(from: copy, limit: limit) }
        if degrees != 0 { try document.turn(copy, by: degrees, around: box, limit: limit) }
        try prepare(document, copy)
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

    /// Removes the text that a page does not show (ISO 32000-1, 9.3.6: rendering mode 3), such as the recognized text of a
    /// scan. Other pages that share its forms keep theirs.
    ///
    /// - Parameter limit: the maximum number of bytes in the page's contents.
    /// - Throws: `.unsupported` if that is impossible. The page does not change then.
    package func removeInvisibleText(from page: PDFObject, limit: Int) throws(AdapterError) {
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

    /// Makes a copied page paint nothing for the other images.
    private func show(_ pictures: ShownPictures, on copy: PDFObject, of source: PDFFile) throws(AdapterError) {
        let (hidden, kept): (Set<PDFReference>, Set<PDFReference>)
        switch pictures {
        case .all: return
        case .none: (hidden, kept) = ([], [])
        case .except(let pictures, let others): (hidden, kept) = (pictures, others)
        }
        let lists = [hidden, kept].map { $0.map { ($0.number, $0.generation) } }
        let isDone = withExtendedLifetime(copy) {
            jqpdf_hide_pictures(
                handle, source.handle, copy.handle, lists[0], CInt(clamping: hidden.count), lists[1],
                CInt(clamping: kept.count))
        }
        if !isDone { throw fault ?? source.fault ?? PDFFile.unusable }
    }

    /// Rotates the content of a page, and enlarges the page so that all of it is on it.
    private func turn(
        _ page: PDFObject, by degrees: Int, around box: PDFBox, limit: Int
    ) throws(AdapterError) {
        let angle = Double(degrees) * .pi / 180
        let (x, y) = ((box.left + box.right) / 2, (box.bottom + box.top) / 2)
        let reach = (box.width * box.width + box.height * box.height).squareRoot() / 2
        let (sine, cosine) = (sin(angle), cos(angle))
        let matrix = [cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y]
        let numbers = PDFValue.array(matrix.map(PDFValue.real)).syntax.dropFirst().dropLast()
        let content =
            Array("q ".utf8) + numbers + Array(" cm\n".utf8) + (try contents(of: page, limit: limit))
            + Array("\nQ".utf8)
        try set("Contents", of: page, to: .reference(try addContent(content, like: nil)))
        let whole = PDFBox(left: x - reach, bottom: y - reach, right: x + reach, top: y + reach)
        try set("MediaBox", of: page, to: PDFValue(whole))
        setCropBox(of: page, whole)
    }

    private static let unusable = AdapterError(.damaged, "the page cannot be copied without its images")
}
