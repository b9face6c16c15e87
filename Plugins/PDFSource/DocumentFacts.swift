internal import AdapterKit
internal import Metadata
internal import PDFStructure
internal import PageModel

/// What a PDF says about the book: its metadata, and the places and labels of its pages.
struct DocumentFacts: Sendable {
    let book: BookMetadata
    /// Where each page stands in the page tree, and its label.
    let pages: [(path: PageTree.Path, label: String?)]
    /// What pages are for, by their numbers, from 1.
    let roles: [Int: [PageRole]]
    /// Why what its XMP packet says of the book is lost, as half a sentence.
    let metadataDefect: String?
    /// The numbers of pages, from 1, by their references.
    let pageNumbers: [PDFReference: Int]
    /// Whether the cross-reference table or the page tree was damaged, so that pages may be missing.
    let isRepaired: Bool

    /// - Throws: `.damaged` when there is no page tree, `.tooLarge` when it has more than `mostPages`.
    init(_ file: PDFFile, mostPages: Int, showing box: PageBox) throws(AdapterError) {
        let catalog = file.catalog
        let tree = try PageTree(file, most: mostPages)
        let labels = PageLabels(catalog)
        pages = tree.paths.enumerated().map { ($0.element, labels[$0.offset]) }
        pageNumbers = tree.numbers
        roles = PageRoles.roles(catalog, pageNumbers: tree.numbers)
        isRepaired = file.isRepaired || tree.isDamaged

        var outline = OutlineReader(catalog, pageNumbers: tree.numbers)
        let information = file.trailer["Info"]
        let (metadata, defect) = DocumentFacts.metadata(in: file, catalog)
        metadataDefect = defect
        func text(_ key: String) -> String? {
            information[key].text.flatMap(PDFText.meaningful)
        }
        var book = metadata
        book.title = text("Title") ?? metadata.title
        if book.credits.isEmpty { book.authors = [text("Author")].compactMap { $0 } }
        book.summary = metadata.summary ?? text("Subject").flatMap { PlainText.clean($0) }
        if book.subjects.isEmpty, let keywords = text("Keywords") {
            book.subjects =
                keywords.split { $0 == "," || $0 == ";" }.map { XMLText.clean(String($0)) }
                .filter { !$0.isEmpty }.unique
        }
        // That of the text, which need not be all that XMP names.
        let language = catalog["Lang"].text.flatMap(PDFText.meaningful)
        book.language = language.map { LanguageTag.normalized($0) ?? $0 } ?? metadata.language
        book.direction = DocumentFacts.direction(catalog)
        book.outline = outline.items { file.place(of: $0, tree.paths, box) }
        book.attachments = file.attachments
        self.book = book
    }

    /// What the document's XMP packet says, and why it says nothing if it cannot be read.
    private static func metadata(in file: PDFFile, _ catalog: PDFObject) -> (BookMetadata, defect: String?) {
        let stream = catalog["Metadata"]
        if stream.isNull { return (BookMetadata(), nil) }
        do throws(AdapterError) {
            let found = XMPMetadata(xmp: try file.data(of: stream, limit: BookDocument.mostBytes))
            return (found.book, found.defect)
        } catch {
            let isLarge = error.code == .tooLarge
            return (BookMetadata(), isLarge ? BookDocument.tooLarge.message : "cannot be read: \(error.message)")
        }
    }

    /// The reading order that the document asks viewers for (ISO 32000-1, table 150).
    private static func direction(_ catalog: PDFObject) -> Direction? {
        switch catalog["ViewerPreferences"]["Direction"].name {
        case "R2L": .rightToLeft
        case "L2R": .leftToRight
        default: nil
        }
    }
}

/// Text in a document's metadata.
enum PDFText {
    /// A text without the white space around it; nil when nothing is left.
    static func meaningful(_ text: String) -> String? {
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }
}
