internal import AdapterKit
internal import Metadata
internal import PageModel

/// What a PDF says of the book and of its pages, besides the pages themselves.
struct DocumentFacts: Sendable {
    let book: BookMetadata
    /// The way to each page, and its label.
    let pages: [(path: PageTree.Path, label: String?)]
    /// Whether the file's table of objects or its page tree had to be put together again.
    let isRepaired: Bool

    /// - Throws: `.damaged` when there is no page tree, `.tooLarge` when it has more than `mostPages`.
    init(_ file: PDFFile, mostPages: Int) throws(AdapterError) {
        let catalog = file.catalog
        let tree = try PageTree(file, most: mostPages)
        let labels = PageLabels(catalog)
        pages = tree.paths.enumerated().map { ($0.element, labels[$0.offset]) }
        isRepaired = file.isRepaired || tree.isDamaged

        var outline = OutlineReader(catalog, pageNumbers: tree.numbers)
        let information = file.trailer["Info"]
        let metadata = DublinCore(xmp: (try? file.data(of: catalog["Metadata"], limit: 4 << 20)) ?? [])
        func text(_ key: String) -> String? {
            information[key].string.map(PDFText.decode).flatMap(PDFText.meaningful)
        }
        book = BookMetadata(
            title: text("Title") ?? metadata.title,
            authors: metadata.creators.isEmpty ? [text("Author")].compactMap { $0 } : metadata.creators,
            language: catalog["Lang"].string.map(PDFText.decode).flatMap(PDFText.meaningful),
            direction: DocumentFacts.direction(catalog), outline: outline.items())
    }

    /// The reading order that viewers are asked for (ISO 32000-1, table 150).
    private static func direction(_ catalog: PDFObject) -> Direction? {
        switch catalog["ViewerPreferences"]["Direction"].name {
        case "R2L": .rightToLeft
        case "L2R": .leftToRight
        default: nil
        }
    }
}
