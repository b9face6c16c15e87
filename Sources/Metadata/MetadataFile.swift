internal import AdapterKit
package import OrderedJSON
package import PageModel

/// A metadata file about one book: jisui's own JSON, or a document format of books and other programs.
package struct MetadataFile: Hashable, Sendable {
    /// The metadata in the file; missing fields are nil or empty. A ComicInfo.xml or a MetronInfo.xml is among its
    /// documents.
    package let book: BookMetadata
    /// The ComicInfo.xml that is the file, which may also contain page data.
    package let info: ComicInfo?
    /// Whether the file names authors, and leaves the other contributors to the book.
    package let namesOnlyAuthors: Bool

    /// - Parameter bytes: the contents, which determine the format. The file name is ignored.
    /// - Throws: `.damaged` for a readable but invalid file, `.tooLarge`, `.unsupported`.
    package init(_ bytes: [UInt8]) throws(AdapterError) {
        try BookDocument.checkSize(bytes.count)
        if MetadataFile.isJSON(bytes) {
            guard let value = JSON(parsing: bytes) else { throw AdapterError(.damaged, "is not well-formed JSON") }
            (book, info) = (try MetadataJSON.book(value), nil)
            namesOnlyAuthors = MetadataJSON.namesOnlyAuthors(value)
            return
        }
        // XML in UTF-16 begins with a byte-order mark, or with half a character.
        let isWide = [[0xFE, 0xFF], [0xFF, 0xFE], [0]].contains { bytes.starts(with: $0 as [UInt8]) }
        guard isWide || MetadataFile.first(bytes) == UInt8(ascii: "<") else {
            throw AdapterError(.damaged, "is neither a JSON object nor XML")
        }
        let root = try XMLReader.read(bytes, limits: BookDocument.limits)
        namesOnlyAuthors = false
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
    package var statesDirectionOnly: Bool { book.direction != nil && book == BookMetadata(direction: book.direction) }

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
/// It is an object with the keys of `MetadataField`, all optional. `creators` are objects of `name` and `role`; `authors`,
/// names alone, may replace them. Null means no value.
package enum MetadataJSON {
    /// The name of this form in outputs that contain all of it.
    package static let format = "JSON"

    /// - Parameter authors: the names in the key `authors`; nil to leave it out.
    /// - Returns: all other keys, in the order of the fields.
    package static func members(of book: BookMetadata, authors: [JSON]? = nil) -> [(key: String, value: JSON)] {
        MetadataField.all.flatMap { field -> [(key: String, value: JSON)] in
            let member = (key: field.key, value: field.json(in: book))
            guard case .credits = field.kind, let authors else { return [member] }
            return [("authors", JSON(authors)), member]
        }
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
            if let field = MetadataField.all.first(where: { $0.key == key }) {
                try read(value, field, into: &book)
                if case .credits = field.kind { hasCreators = true }
            } else if key == "authors" {
                authors = try list(value, key, text)
            } else if !isOurs && !value.isNull {
                throw mistake("has a key '\(key)', which jisui does not know")
            }
        }
        // The output of 'info --json' has both; one of them is more detailed.
        if !hasCreators { book.replaceAuthors(with: authors) }
        book.credits = book.credits.unique
        return book
    }

    /// Returns whether such an object has the key `authors`, and not the key of all contributors.
    static func namesOnlyAuthors(_ value: JSON) -> Bool {
        let facts = value["book"] ?? value
        return facts["authors"] != nil && facts["creators"] == nil
    }

    private static func read(_ value: JSON, _ field: MetadataField, into book: inout BookMetadata) throws(AdapterError)
    {
        let key = field.key
        switch field.kind {
        case .text(let path), .statement(let path): book[keyPath: path] = try text(value, key)
        case .paragraphs(let path): book[keyPath: path] = try paragraphs(value, key)
        case .language(let path): book[keyPath: path] = try language(value, key)
        case .words(let path): book[keyPath: path] = try list(value, key, text).unique
        case .date(let path): book[keyPath: path] = try date(value, key)
        case .isbn(let path): book[keyPath: path] = try isbn(value, key)
        case .direction(let path): book[keyPath: path] = try direction(value, key)
        case .credits(let path): book[keyPath: path] = try list(value, key, credit)
        }
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

    private static func paragraphs(_ value: JSON, _ key: String) throws(AdapterError) -> String? {
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
            let roles = CreatorRole.allCases.map(\.rawValue).commaSeparated
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
