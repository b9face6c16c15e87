public import AdapterKit
public import PageModel

/// A metadata file about one book: jisui's own JSON, or a document format of books and other programs.
public struct MetadataFile: Hashable, Sendable {
    /// The metadata in the file; missing fields are nil or empty. A ComicInfo.xml or a MetronInfo.xml is among its
    /// documents.
    public let book: BookMetadata
    /// The ComicInfo.xml that is the file, which may also contain page data.
    public let info: ComicInfo?

    /// - Parameter bytes: the contents, which determine the format. The file name is ignored.
    /// - Throws: `.damaged` for a readable but invalid file, `.tooLarge`, `.unsupported`.
    public init(_ bytes: [UInt8]) throws(AdapterError) {
        try BookDocument.checkSize(bytes.count)
        if MetadataFile.isJSON(bytes) {
            guard let value = JSON(parsing: bytes) else { throw AdapterError(.damaged, "is not well-formed JSON") }
            (book, info) = (try MetadataJSON.book(value), nil)
            return
        }
        // XML in UTF-16 begins with a byte-order mark, or with half a character.
        let isWide = [[0xFE, 0xFF], [0xFF, 0xFE], [0]].contains { bytes.starts(with: $0 as [UInt8]) }
        guard isWide || MetadataFile.first(bytes) == UInt8(ascii: "<") else {
            throw AdapterError(.damaged, "is neither a JSON object nor XML")
        }
        let root = try XMLReader.read(bytes, limits: BookDocument.limits)
        switch root.name.local {
        case "ComicInfo":
            let info = try ComicInfo(bytes)
            var book = info.metadata
            book.documents = [SourceDocument(format: ComicInfo.format, bytes: bytes, book: nil)]
            (self.book, self.info) = (book, info)
        case "MetronInfo": (book, info) = (try MetronInfo(bytes).metadata, nil)
        case "ACBF": (book, info) = (try ACBF(bytes).metadata, nil)
        case "package": (book, info) = (OPFMetadata.metadata(in: root), nil)
        default:
            throw AdapterError(
                .unsupported, "has the element \(root.name.qualified), which describes no book",
                hint: "it can be JSON (see 'jisui info --metadata'), ComicInfo, MetronInfo, ACBF or an OPF")
        }
    }

    /// Whether the file contains only the reading direction.
    public var statesDirectionOnly: Bool { book.direction != nil && book == BookMetadata(direction: book.direction) }

    /// Whether it begins as a JSON object does.
    private static func isJSON(_ bytes: [UInt8]) -> Bool { first(bytes) == UInt8(ascii: "{") }

    /// Returns the first character after a byte-order mark and white space.
    private static func first(_ bytes: [UInt8]) -> UInt8? {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}

/// The metadata of a book as JSON, which `info --metadata` prints and reports contain.
///
/// It is an object. All keys are optional: `title`, `creators` (objects of `name` and `role`), `authors` (names),
/// `series`, `volume`, `number`, `publisher`, `date`, `summary`, `genres`, `tags`, `isbn`, `rights`, `language`,
/// `direction`. Null means no value.
public enum MetadataJSON {
    /// The name of this form in outputs that contain all of it.
    public static let format = "JSON"

    /// - Returns: every key except `authors`, in this order.
    public static func members(of book: BookMetadata) -> [(key: String, value: JSON)] {
        [
            ("title", JSON(book.title)),
            (
                "creators",
                JSON(book.credits.map { ["name": .string($0.name), "role": .string($0.role.rawValue)] })
            ),
            ("series", JSON(book.series)), ("volume", JSON(book.volume)), ("number", JSON(book.number)),
            ("publisher", JSON(book.publisher)), ("date", JSON(book.date?.description)),
            ("summary", JSON(book.summary)), ("genres", JSON(book.genres.map(JSON.string))),
            ("tags", JSON(book.tags.map(JSON.string))), ("isbn", JSON(book.isbn?.description)),
            ("rights", JSON(book.rights)),
            ("language", JSON(book.language)), ("direction", JSON(book.direction?.rawValue)),
        ]
    }

    /// - Parameter value: such an object, or a report's, which holds one as `book`. Other keys are ignored in files
    ///   that jisui wrote. They are refused elsewhere, because they may be misspelled.
    /// - Throws: `.damaged`, with the invalid part.
    static func book(_ value: JSON) throws(AdapterError) -> BookMetadata {
        let isOurs = value["jisui"] != nil
        guard case .object(let members) = value["book"] ?? value else { throw mistake("not an object") }
        var book = BookMetadata()
        var authors: [String] = []
        var hasCreators = false
        for (key, value) in members {
            switch key {
            case "title": book.title = try text(value, key)
            case "creators":
                book.credits = try list(value, key, credit)
                hasCreators = true
            case "authors": authors = try list(value, key, text)
            case "series": book.series = try text(value, key)
            case "volume": book.volume = try text(value, key)
            case "number": book.number = try text(value, key)
            case "publisher": book.publisher = try text(value, key)
            case "date": book.date = try date(value, key)
            case "summary": book.summary = try summary(value, key)
            case "genres": book.genres = try list(value, key, text).unique
            case "tags": book.tags = try list(value, key, text).unique
            case "isbn": book.isbn = try isbn(value, key)
            case "rights": book.rights = try text(value, key)
            case "language": book.language = try language(value, key)
            case "direction": book.direction = try direction(value, key)
            default:
                if !isOurs && !value.isNull {
                    throw mistake("has a key '\(key)', which jisui does not know")
                }
            }
        }
        // The output of 'info --json' has both; one of them is more detailed.
        if !hasCreators { book.authors = authors }
        book.credits = book.credits.unique
        return book
    }

    private static func mistake(_ what: Message) -> AdapterError {
        AdapterError(.damaged, what, hint: "run 'jisui info --metadata' to see the valid keys")
    }

    /// Returns a text, or a number, which people write for a volume's number; nil for null.
    private static func text(_ value: JSON, _ key: String) throws(AdapterError) -> String? {
        switch value {
        case .null: return nil
        case .integer(let number): return String(number)
        case .number(let number): return JSON.number(number).text
        case .string(let text):
            let clean = XMLText.clean(text)
            return clean.isEmpty ? nil : clean
        default: throw mistake("has a '\(key)' that is not text")
        }
    }

    private static func summary(_ value: JSON, _ key: String) throws(AdapterError) -> String? {
        if case .string(let text) = value { return PlainText.clean(text) }
        return try text(value, key)
    }

    private static func list<Element>(
        _ value: JSON, _ key: String, _ element: (JSON, String) throws(AdapterError) -> Element?
    ) throws(AdapterError) -> [Element] {
        if case .null = value { return [] }
        guard let values = value.elements else { throw mistake("has a '\(key)' that is not a list") }
        var list: [Element] = []
        for value in values { if let found = try element(value, key) { list.append(found) } }
        return list
    }

    private static func credit(_ value: JSON, _ key: String) throws(AdapterError) -> Credit? {
        guard let name = value["name"] else { throw mistake("has no name for one of the '\(key)'") }
        guard let name = try text(name, "name") else { return nil }
        guard let role = try value["role"].flatMap({ role throws(AdapterError) in try text(role, "role") }) else {
            return Credit(name, .author)
        }
        guard let role = CreatorRole(rawValue: role) else {
            let roles = CreatorRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw mistake("has an unknown role '\(role)'; valid: \(roles)")
        }
        return Credit(name, role)
    }

    private static func date(_ value: JSON, _ key: String) throws(AdapterError) -> BookDate? {
        guard let text = try text(value, key) else { return nil }
        guard let date = BookDate(text) else {
            throw mistake("has '\(text)' as its date, and not one like 2019, 2019-05 or 2019-05-31")
        }
        return date
    }

    private static func isbn(_ value: JSON, _ key: String) throws(AdapterError) -> ISBN? {
        guard let text = try text(value, key) else { return nil }
        guard let number = ISBN(text) else {
            throw mistake("has '\(text)' as its ISBN, whose length or check digit is wrong")
        }
        return number
    }

    private static func language(_ value: JSON, _ key: String) throws(AdapterError) -> String? {
        guard let tag = try text(value, key) else { return nil }
        guard let normalized = LanguageTag.normalized(tag) else {
            throw mistake("has '\(tag)' as its language, and not a tag like ja or en-GB")
        }
        return normalized
    }

    private static func direction(_ value: JSON, _ key: String) throws(AdapterError) -> Direction? {
        guard let text = try text(value, key) else { return nil }
        guard let direction = Direction(rawValue: text) else {
            throw mistake("has '\(text)' as its direction, and neither ltr nor rtl")
        }
        return direction
    }
}
