internal import Files
internal import Imaging
internal import Metadata
internal import OrderedJSON
internal import PageModel

/// A book for the web reader and for programs: all except its images.
struct WebBook {
    /// The format version that the web reader supports.
    private static let version = 1

    let title: String
    /// The id by which the web reader recognizes the book at any place.
    let id: String
    let entry: ShelfEntry
    /// Whether a page has text or a link.
    let hasText: Bool
    /// The contents of book.json.
    let json: JSON

    /// - Parameters:
    ///   - texts: the numbers of the files that hold the pages' text.
    ///   - files: the book in other formats.
    init(
        _ book: BookMetadata, _ pages: [WebPage], texts: [Int], hasCover: Bool, hasThumbnails: Bool,
        files: [(name: String, byteCount: Int)]
    ) {
        let direction = book.direction ?? .leftToRight
        let pairing = WebPairing(pages, firstSide: direction == .rightToLeft ? .right : .left)
        let stated = book.title.map { XMLText.clean(FileName.shown($0)) } ?? ""
        title = stated.isEmpty ? "Untitled" : stated
        func text(_ text: String?) -> JSON { JSON(text.map { XMLText.clean(FileName.shown($0)) }) }
        let places = Dictionary(pages.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let outline = book.outline.map { item in
            JSON.object([
                ("title", text(item.title)), ("page", JSON(item.page.flatMap { places[$0] })),
                ("level", .integer(item.level)),
            ])
        }
        id = WebBook.identifier(of: pages)
        let links = TextFiles.links(of: pages)
        hasText = !texts.isEmpty || links.elements?.isEmpty == false
        let withoutThumbnail = pages.indices.filter { hasThumbnails && !pages[$0].hasThumbnail }
        // A missing direction is not replaced by a default.
        var shown = WebBook.shown(book)
        shown.title = title
        json = .object(
            [
                ("jisui", "web"), ("version", .integer(WebBook.version)), ("id", .string(id)),
            ] + MetadataJSON.members(of: shown, authors: book.authors.map { text($0) }) + [
                ("paired", .boolean(pairing.isGiven)),
                ("cover", pairing.coverIsAlone ? "alone" : "paired"),
                ("shifts", JSON(pairing.shifts.map(JSON.integer))),
                ("picture", .boolean(hasCover)), ("thumbnails", .boolean(hasThumbnails)),
                ("withoutThumbnail", JSON(withoutThumbnail.map(JSON.integer))), ("outline", JSON(outline)),
                ("files", JSON(files.map { [.string($0.name), .integer($0.byteCount)] })),
                ("texts", JSON(texts.map(JSON.integer))), ("links", links),
                ("pages", JSON(zip(pages, pairing.kinds).map { $0.json($1) })),
            ])
        entry = ShelfEntry(of: json, firstPage: pages.first)
    }

    /// Returns the metadata with texts that are safe to show.
    private static func shown(_ book: BookMetadata) -> BookMetadata {
        var book = book
        func clean(_ text: String) -> String { XMLText.clean(FileName.shown(text)) }
        for field in MetadataField.all {
            switch field.kind {
            case .text(let path), .statement(let path): book[keyPath: path] = book[keyPath: path].map(clean)
            case .paragraphs(let path):
                book[keyPath: path] = book[keyPath: path].flatMap { PlainText.clean(FileName.shown($0)) }
            case .language(let path):
                book[keyPath: path] = book[keyPath: path].flatMap { LanguageTag.isPlausible($0) ? $0 : nil }
            case .words(let path): book[keyPath: path] = book[keyPath: path].map(clean)
            case .credits(let path):
                book[keyPath: path] = book[keyPath: path].map { Credit(clean($0.name), $0.role) }
            case .date, .isbn, .direction: break
            }
        }
        return book
    }

    /// The file `book.json`.
    var file: [UInt8] { Array((ScriptText.ascii(json) + "\n").utf8) }

    /// The file `book.js`, which gives the same data to the web reader.
    var script: [UInt8] { Array("jisui.book(\(ScriptText.ascii(json)));\n".utf8) }

    /// Returns a digest of the pages' lengths and checksums.
    private static func identifier(of pages: [WebPage]) -> String {
        let text = pages.map { "\($0.byteCount) \($0.checksum)\n" }.joined()
        return String(SHA256.hexDigest(of: Array(text.utf8)).prefix(32))
    }
}

/// JSON that is a part of a script.
enum ScriptText {
    /// Returns the value in ASCII, without a character that has a meaning in HTML: it is only a value in any parser and any
    /// encoding.
    static func ascii(_ value: JSON) -> String {
        var bytes: [UInt8] = []
        for scalar in value.text.unicodeScalars {
            switch scalar {
            case "<", ">", "&": bytes += escape(UInt16(scalar.value))
            case _ where scalar.isASCII: bytes.append(UInt8(scalar.value))
            // Beyond U+FFFF as a surrogate pair (RFC 8259 §7).
            default: for unit in String(scalar).utf16 { bytes += escape(unit) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(_ unit: UInt16) -> String.UTF8View {
        let digits = String(unit, radix: 16)
        return ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
}
