internal import Files
package import PageModel

extension OPFMetadata {
    /// The namespace of Dublin Core.
    package static let dublinCore = "http://purl.org/dc/elements/1.1/"

    /// Returns the elements that state a book's metadata in a package document; only the direction is stated elsewhere.
    ///
    /// - Parameters:
    ///   - title: the title, which every package has.
    ///   - identifier: the identifier of the file; nil for none.
    package static func elements(of book: BookMetadata, title: String, identifier: String? = nil) -> [XMLElement] {
        var elements: [XMLElement] = []
        func dublinCore(_ name: String, _ text: String, id: String? = nil) {
            var element = XMLElement(XMLName(name, in: OPFMetadata.dublinCore, prefix: "dc"), text: text)
            element["id"] = id
            elements.append(element)
        }
        func meta(
            _ property: String, _ text: String, refines: String? = nil, id: String? = nil, scheme: String? = nil
        ) {
            var element = XMLElement("meta", text: text)
            element["refines"] = refines.map { "#\($0)" }
            element["property"] = property
            element["scheme"] = scheme
            element["id"] = id
            elements.append(element)
        }
        if let identifier { dublinCore("identifier", identifier, id: "unique-id") }
        dublinCore("title", title, id: "title")
        for (index, person) in book.credits.people.enumerated() {
            let (name, id) = (XMLText.clean(person.name), "creator\(index + 1)")
            if name.isEmpty { continue }
            let isAuthor = person.roles.contains(where: \.isAuthor)
            dublinCore(isAuthor ? "creator" : "contributor", name, id: id)
            for role in person.roles { meta("role", MARCRelator.code(for: role), refines: id, scheme: "marc:relators") }
            meta("display-seq", "\(index + 1)", refines: id)
        }
        if let publisher = book.publisher.map(XMLText.clean), !publisher.isEmpty { dublinCore("publisher", publisher) }
        if let date = book.date { dublinCore("date", date.description) }
        if let summary = book.summary.flatMap({ PlainText.clean($0) }) {
            dublinCore("description", PlainText.perhapsHTML(summary))
        }
        if let isbn = book.isbn { dublinCore("identifier", isbn.urn) }
        for rights in [book.rights].clean { dublinCore("rights", rights) }
        for subject in book.subjects.clean { dublinCore("subject", subject) }
        dublinCore("language", book.statedLanguage)
        if let series = book.series.map(XMLText.clean), !series.isEmpty {
            meta("belongs-to-collection", series, id: "series")
            meta("collection-type", "series", refines: "series")
            if let position = OPFMetadata.position(of: book) { meta("group-position", position, refines: "series") }
        }
        return elements
    }
}

extension BookMetadata {
    /// The language, for formats that must state one; "und" means that it is unknown (BCP 47, §4.1).
    package var statedLanguage: String { language.flatMap(LanguageTag.normalized) ?? "und" }

    /// Returns the title of a book, or that of its output if the book has none.
    ///
    /// - Parameters:
    ///   - path: the path of the output.
    ///   - extensions: the extensions of outputs of its format.
    package func title(orOf path: String, extensions: Set<String>) -> String {
        let stated = title.map(XMLText.clean) ?? ""
        if !stated.isEmpty { return stated }
        let stem = FileName.stem(of: path, extensions: extensions)
        // The name "standard output" is not a title.
        let name = StandardStreams.names.contains(stem) ? "" : XMLText.clean(FileName.shown(stem))
        return name.isEmpty ? "Untitled" : name
    }
}
