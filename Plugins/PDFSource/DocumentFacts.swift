internal import Metadata
internal import PDFStructure
internal import PageModel

/// The book's data in a PDF: its metadata, and the places and labels of its pages.
struct DocumentFacts: Sendable {
    let book: BookMetadata
    /// The position of each page in the page tree, and its label.
    let pages: [(path: PageTree.Path, label: String?)]
    /// The types of pages by their numbers, from 1.
    let roles: [Int: [PageRole]]
    /// The reason that the metadata in the XMP packet are lost, as a sentence fragment.
    let metadataDefect: Message?
    /// The documents of a comic archive that jisui attached, by their names.
    let documents: [(name: String, bytes: Result<[UInt8], AdapterError>)]
    /// The document's statement when those were written.
    let statement: [UInt8]?
    /// The numbers of pages, from 1, by their references.
    let pageNumbers: [PDFReference: Int]
    /// The files attached to the document as a whole.
    let attachedFiles: Set<PDFReference>
    /// Whether the cross-reference table or the page tree was damaged, so that pages may be missing.
    let isRepaired: Bool

    /// - Throws: `.damaged` if the page tree is missing, `.tooLarge` if it has more than `maximumPages`.
    init(_ file: PDFFile, maximumPages: Int, showing box: PageBox) throws(AdapterError) {
        let catalog = file.catalog
        let tree = try PageTree(file, maximumPages: maximumPages)
        let labels = PageLabels(catalog)
        pages = tree.paths.enumerated().map { ($0.element, labels[$0.offset]) }
        pageNumbers = tree.numbers
        roles = PageRoles.roles(catalog, pageNumbers: tree.numbers)
        isRepaired = file.isRepaired || tree.isDamaged

        var outline = OutlineReader(catalog, pageNumbers: tree.numbers)
        let information = file.trailer["Info"]
        let metadata = DocumentFacts.metadata(in: file, catalog)
        metadataDefect = metadata.defect
        var book = metadata.book(information: { information[$0].text }, language: catalog["Lang"].text)
        book.direction = file.direction
        book.outline = outline.items { file.place(of: $0, tree.paths, box) }
        let attachments = file.attachments
        book.attachments = attachments.map(\.name)
        attachedFiles = Set(attachments.compactMap(\.reference))
        self.book = book
        func own(_ name: String) -> Result<[UInt8], AdapterError>? {
            let stream = file.privateData[name]
            guard !stream.isNull else { return nil }
            return Result { () throws(AdapterError) in try file.data(of: stream, limit: BookDocument.maximumBytes) }
        }
        documents = CarriedDocuments.fileNames.compactMap { name in own(name).map { (name, $0) } }
        statement = own(CarriedDocuments.statementKey).flatMap { try? $0.get() }
    }

    /// Returns the contents of the document's XMP packet, or the reason that it has none.
    private static func metadata(in file: PDFFile, _ catalog: PDFObject) -> XMPMetadata {
        let stream = catalog["Metadata"]
        if stream.isNull { return XMPMetadata(xmp: []) }
        do throws(AdapterError) {
            return XMPMetadata(xmp: try file.data(of: stream, limit: BookDocument.maximumBytes))
        } catch {
            let isLarge = error.code == .tooLarge
            return XMPMetadata(defect: isLarge ? BookDocument.tooLarge.message : "cannot be read: \(error.message)")
        }
    }
}
