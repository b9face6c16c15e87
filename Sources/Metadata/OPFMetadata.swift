internal import OrderedJSON
package import PageModel

/// The book metadata in the package document of an EPUB (EPUB 3.3, §5.5; OPF 2.0.1, §2.2).
///
/// The program calibre stores the same in a `metadata.opf` next to a book.
package enum OPFMetadata {
    /// The `SinkCapabilities.metadata` of outputs that contain everything that this type reads.
    package static let format = "OPF"

    /// - Parameter package: the element `package`.
    package static func metadata(in package: XMLElement) -> BookMetadata {
        let part = package.elements.first { $0.name.local == "metadata" }
        let metas = part?.descendants(XMLName("meta", in: package.name.namespace)) ?? []
        func elements(_ name: String) -> [XMLElement] { part?.descendants(XMLName(name, in: dublinCore)) ?? [] }
        func texts(_ name: String) -> [String] {
            elements(name).map(\.text).clean
        }
        var book = BookMetadata(title: texts("title").first)
        book.credits = credits(part, metas)
        book.publisher = texts("publisher").first
        // calibre writes the year 101 for an unknown date.
        book.date = texts("date").lazy.compactMap { BookDate($0) }.first { $0.year != 101 }
        book.summary = elements("description").lazy.compactMap { PlainText.clean(perhapsHTML: $0.text) }.first
        book.genres = texts("subject").unique
        let ofFile = package["unique-identifier"]
        let identifiers = elements("identifier").map { Identifier($0, isOfFile: $0["id"] != nil && $0["id"] == ofFile) }
        book.isbn = identifiers.lazy.compactMap(\.isbn).first
        book.rights = texts("rights").first
        // "und" means unknown.
        book.language = texts("language").lazy.compactMap(LanguageTag.normalized).first { $0 != "und" }
        let collection = metas.first { $0["property"] == "belongs-to-collection" }
        func named(_ name: String) -> String? { metas.first { $0["name"] == name }?["content"] }
        book.series = (collection.map { XMLText.clean($0.text) } ?? named("calibre:series")).flatMap {
            $0.isEmpty ? nil : $0
        }
        if let collection {
            let id = collection["id"].map { "#\($0)" }
            book.number =
                metas.first { $0["property"] == "group-position" && $0["refines"] == id }.map { XMLText.clean($0.text) }
        } else if book.series != nil {
            book.number = named("calibre:series_index").map(XMPMetadata.plainNumber)
        }
        book.direction = package.elements.first { $0.name.local == "spine" }?["page-progression-direction"]
            .flatMap(Direction.init)
        book.unsupportedFields = unsupportedFields(texts, metas, identifiers)
        return book
    }

    /// Whether a text is valid as a series position: numbers with periods between them (EPUB 3.3, §D.3.6).
    package static func isPosition(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    /// Returns the book's position in its series: its number, or else its volume; nil for an invalid position.
    package static func position(of book: BookMetadata) -> String? {
        (book.number ?? book.volume).map(XMLText.clean).flatMap { isPosition($0) ? $0 : nil }
    }

    /// Returns the metadata of a package that `BookMetadata` cannot hold, by their names in the package.
    private static func unsupportedFields(
        _ texts: (String) -> [String], _ metas: [XMLElement], _ identifiers: [Identifier]
    ) -> [String] {
        let names: [(name: String, others: String)] = [
            ("title", "further titles"), ("publisher", "further publishers"),
            ("description", "further descriptions"), ("rights", "further rights"), ("language", "further languages"),
        ]
        var lost = names.filter { name, _ in
            // "und" means unknown.
            texts(name).unique.count { name != "language" || $0 != "und" } > 1
        }.map(\.others)
        if metas.count(where: { $0["property"] == "belongs-to-collection" }) > 1 { lost.append("further collections") }
        lost += ["source", "relation", "coverage"].filter { !texts($0).isEmpty }
        if Set(identifiers.compactMap(\.isbn)).count > 1 { lost.append("further ISBNs") }
        lost += identifiers.compactMap(\.otherName)
        for meta in metas {
            // EPUB 2 has pairs of names and contents, EPUB 3 properties.
            guard let name = meta["name"] ?? meta["property"], name.hasPrefix("calibre:") else { continue }
            if calibreStates(meta["content"] ?? meta.text, as: name) {
                lost.append(String(name.prefix(maximumNameBytes)))
            }
        }
        return lost.unique
    }

    /// The maximum length of a name in a report.
    private static let maximumNameBytes = 80

    /// Whether calibre's data contain a value that `BookMetadata` cannot hold.
    private static func calibreStates(_ content: String, as name: String) -> Bool {
        if name == "calibre:rating" { return Double(content).map { $0 > 0 } ?? false }
        guard name.hasPrefix("calibre:user_metadata"), let json = JSON(parsing: Array(content.utf8)) else {
            return false
        }
        // calibre lists its users' own columns with every book, even without values: one, or all by name.
        let columns = json["#value#"] == nil ? (json.members ?? []).map(\.value) : [json]
        return columns.compactMap { $0["#value#"] }.contains {
            !$0.isNull && $0.elements?.isEmpty != true && $0.asString != ""
        }
    }

    /// An element `identifier`.
    private struct Identifier {
        var isbn: ISBN?
        /// The kind of number, if `BookMetadata` cannot hold it: "doi", "amazon".
        var otherName: String?

        /// - Parameter isOfFile: whether it identifies the file. Such an identifier without other meaning is not a
        ///   loss.
        init(_ element: XMLElement, isOfFile: Bool) {
            let text = XMLText.clean(element.text)
            let prefix = text.prefixMatch(of: /(?:urn:)?([A-Za-z][A-Za-z0-9_.+-]*):/)
            guard !text.isEmpty, prefix?.0.count != text.count else { return }
            let stated = element.attributes.first { $0.name.local == "scheme" }.map { XMLText.clean($0.value) }
            let kind = (prefix.map { String($0.1) } ?? stated ?? "").lowercased()
            // Many are numbers without a type; bar codes of books are their ISBNs.
            let mayBeISBN = kind.isEmpty || kind.contains("isbn") || ["ean", "gtin"].contains(kind)
            if mayBeISBN, let number = ISBN(text) {
                isbn = number
            } else if !["uuid", "calibre"].contains(kind) {
                let isNamed = !["", "id", "http", "https", "uri", "url", "urn"].contains(kind)
                otherName = isNamed ? String(kind.prefix(maximumNameBytes)) : isOfFile ? nil : "further identifiers"
            }
        }
    }

    private static func credits(_ part: XMLElement?, _ metas: [XMLElement]) -> [Credit] {
        let roles = Dictionary(
            grouping: metas.filter { $0["property"] == "role" && $0["refines"] != nil }, by: { $0["refines"] ?? "" })
        var credits: [Credit] = []
        let creator = XMLName("creator", in: dublinCore)
        for person in part?.descendants([creator, XMLName("contributor", in: dublinCore)]) ?? [] {
            let usual = person.name == creator ? CreatorRole.author : .other
            let name = XMLText.clean(person.text)
            var codes = (person["id"].flatMap { roles["#\($0)"] } ?? []).map { XMLText.clean($0.text) }
            if let code = person.attributes.first(where: { $0.name.local == "role" })?.value { codes.append(code) }
            // The program that made the file, as calibre names itself.
            guard !name.isEmpty, !codes.contains("bkp") else { continue }
            credits +=
                codes.isEmpty
                ? [Credit(name, usual)] : codes.map { Credit(name, MARCRelator.role(for: $0) ?? usual) }
        }
        return credits.unique
    }
}
