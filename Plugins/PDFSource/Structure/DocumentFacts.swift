internal import AdapterKit
internal import PageModel

/// What a PDF's catalog and information dictionary say of the book.
enum DocumentFacts {
    static func read(_ file: PDFFile, catalog: PDFObject, outline: [OutlineItem]) -> BookFacts {
        let information = file.trailer["Info"]
        let metadata = DublinCore((try? file.data(of: catalog["Metadata"], limit: 4 << 20)) ?? [])
        func text(_ key: String) -> String? {
            information[key].string.map(PDFText.decode).flatMap(meaningful)
        }
        let authors = metadata.creators.isEmpty ? [text("Author")].compactMap { $0 } : metadata.creators
        return BookFacts(
            title: text("Title") ?? metadata.title, authors: authors,
            language: catalog["Lang"].string.map(PDFText.decode).flatMap(meaningful),
            direction: direction(catalog), outline: outline)
    }

    /// The reading order that viewers are asked for (ISO 32000-1, table 150).
    private static func direction(_ catalog: PDFObject) -> Direction? {
        switch catalog["ViewerPreferences"]["Direction"].name {
        case "R2L": .rightToLeft
        case "L2R": .leftToRight
        default: nil
        }
    }

    static func meaningful(_ text: String) -> String? {
        let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }
}
