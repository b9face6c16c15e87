internal import OrderedJSON
internal import PageModel
internal import PageNames

/// The shelf's data of a book: a line of its list, which is also the source of its catalogs.
struct ShelfEntry {
    /// The name of its folder.
    var slug = ""
    private let json: JSON

    /// The fields of book.json that the list has too. Empty ones are omitted: the list may be long.
    private static let fields =
        ["id"] + MetadataField.all.map { $0.key == "creators" ? "authors" : $0.key } + ["files"]

    /// - Parameter book: the contents of book.json.
    init(of book: JSON, firstPage: WebPage?) {
        var members: [(key: String, value: JSON)] = ShelfEntry.fields.compactMap { key in
            guard let value = book[key], !value.isNull, value.elements?.isEmpty != true else { return nil }
            return (key, value)
        }
        members += [
            ("pages", .integer(book["pages"]?.elements?.count ?? 0)), ("cover", book["picture"] ?? false),
            ("first", JSON(firstPage?.file)), ("thumbnail", .boolean(firstPage?.hasThumbnail ?? false)),
        ]
        json = .object(members)
    }

    /// Reads an entry of the list; returns nil for one that jisui could not have written.
    init?(read json: JSON) {
        guard let slug = json["slug"]?.asString, ShelfEntry.isSlug(slug), let members = json.members,
            let id = json["id"]?.asString, !id.isEmpty, id.utf8.allSatisfy(ShelfEntry.isHex)
        else { return nil }
        self.slug = slug
        self.json = .object(members.filter { $0.key != "slug" })
    }

    /// The line of the list.
    var line: String { ScriptText.ascii(.object([("slug", .string(slug))] + (json.members ?? []))) }

    var id: String { json["id"]?.asString ?? "" }
    var title: String { text("title") ?? "Untitled" }
    var authors: [String] { (json["authors"]?.elements ?? []).compactMap(\.asString) }
    var series: String? { text("series") }
    var number: String? { text("number") }
    var publisher: String? { text("publisher") }
    var summary: String? { text("summary") }
    /// The genres and tags.
    var subjects: [String] {
        ["genres", "tags"].flatMap { json[$0]?.elements ?? [] }.compactMap(\.asString).unique
    }
    var isbn: ISBN? { text("isbn").flatMap { ISBN($0) } }
    var rights: String? { text("rights") }
    var language: String? { text("language") }
    var date: BookDate? { text("date").flatMap { BookDate($0) } }
    /// The first day of its date.
    var day: BookDate? { date.flatMap { BookDate(year: $0.year, month: $0.month ?? 1, day: $0.day ?? 1) } }
    var direction: Direction? { text("direction").flatMap { Direction(rawValue: $0) } }
    var pageCount: Int { json["pages"]?.asInteger ?? 0 }
    /// The book in other formats: names of files, and their sizes in bytes.
    var files: [(name: String, byteCount: Int)] {
        (json["files"]?.elements ?? []).compactMap { file in
            guard let name = file.elements?.first?.asString, let size = file.elements?.last?.asInteger,
                WebOptions.formatsAlongside.contains(where: { WebLayout.file($0) == name })
            else { return nil }
            return (name, size)
        }
    }

    /// The paths of a large and a small image of the book, within its folder; nil for a list of an earlier version.
    var pictures: (large: String, small: String)? {
        guard let first = text("first"), PageFileName.matches(first) else { return nil }
        let large = json["cover"]?.asBoolean == true ? WebLayout.cover : WebLayout.page(first)
        return (large, json["thumbnail"]?.asBoolean == true ? WebLayout.thumbnail(of: first) : large)
    }

    /// The fields by which people distinguish books: two with equal ones are one book, regardless of their pages.
    var name: [String?] { [title, series, text("volume"), number] }

    private func text(_ key: String) -> String? { json[key]?.asString.flatMap { $0.isEmpty ? nil : $0 } }

    /// The book's metadata in the vocabulary of Readium's publications, which OPDS 2.0 uses.
    var webPublication: [(key: String, value: JSON)] {
        var members: [(key: String, value: JSON)] = [
            ("@type", "http://schema.org/Book"), ("identifier", .string(urn)), ("title", .string(title)),
        ]
        if let isbn { members.append(("altIdentifier", [.string(isbn.urn)])) }
        if !authors.isEmpty { members.append(("author", JSON(authors.map(JSON.string)))) }
        if let publisher { members.append(("publisher", .string(publisher))) }
        // The format has only complete dates.
        if let day { members.append(("published", .string(day.description))) }
        if let summary { members.append(("description", .string(summary))) }
        if !subjects.isEmpty { members.append(("subject", JSON(subjects.map(JSON.string)))) }
        if let language { members.append(("language", .string(language))) }
        if let direction { members.append(("readingProgression", .string(direction.rawValue))) }
        if let series {
            var collection: [(key: String, value: JSON)] = [("name", .string(series))]
            if let position = number.flatMap(Double.init), position.isFinite, position >= 0 {
                collection.append(("position", .number(position)))
            }
            members.append(("belongsTo", ["series": .object(collection)]))
        }
        members.append(("numberOfPages", .integer(pageCount)))
        return members
    }

    /// A name for these pages and no others, derived from the digest in the id (RFC 9562, §5.8).
    var urn: String { UniqueName.urn(of: id) }

    static func isSlug(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { isPlain($0) || $0 == "-" }
    }

    /// The ASCII lowercase letters and digits of the title, if any, and the beginning of the id.
    var ownSlug: String {
        let words = title.lowercased().unicodeScalars.split { !ShelfEntry.isPlain($0) }
        let name = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-")
        let short = name.prefix(40).split(separator: "-").joined(separator: "-")
        return [short, String(id.prefix(12))].filter { !$0.isEmpty }.joined(separator: "-")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// Names that are globally unique.
enum UniqueName {
    /// Returns a UUID from at least 32 hexadecimal digits, as a URN.
    static func urn(of digest: String) -> String {
        var digits = Array(digest.utf8.prefix(32))
        digits += repeatElement(UInt8(ascii: "0"), count: 32 - digits.count)
        // Version 8, whose digits are free; only the first two bits of the variant count.
        digits[12] = UInt8(ascii: "8")
        digits[16] = UInt8(ascii: "a")
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
        return "urn:uuid:\(parts.joined(separator: "-"))"
    }
}
