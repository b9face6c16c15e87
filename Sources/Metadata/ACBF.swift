internal import Files
package import PageModel

/// An ACBF document: a comic's description, its pages, and their texts in several languages.
///
/// The format is <https://github.com/ACBF-Advanced-Comic-Book-Format/ACBF>, versions 1.0 to 1.2. Its metadata of the
/// book and of the pages are read, except the pages' texts and frames.
package struct ACBF: Hashable, Sendable {
    /// The `SourceDocument.format` of such documents.
    package static let format = "ACBF"

    private let root: XMLElement
    private let bytes: [UInt8]

    /// - Throws: `.damaged` for a document that is not well-formed ACBF; `.tooLarge`, `.unsupported` as `XMLReader`.
    package init(_ bytes: [UInt8]) throws(AdapterError) {
        let root = try XMLReader.read(bytes, limits: BookDocument.limits)
        guard root.name.local == "ACBF" else {
            throw AdapterError(.damaged, "has \(root.name.qualified) where ACBF should be")
        }
        (self.root, self.bytes) = (root, bytes)
    }

    private var bookInfo: XMLElement? { root.child("meta-data")?.child("book-info") }

    /// The document's metadata of the book.
    package var metadata: BookMetadata {
        let publishing = root.child("meta-data")?.child("publish-info")
        let sequence = bookInfo?.child("sequence")
        var facts = BookMetadata(
            title: bookInfo?.text(of: "book-title"), series: sequence?["title"]?.meaningful,
            volume: sequence?["volume"]?.meaningful, number: sequence?.text.meaningful,
            publisher: publishing?.text(of: "publisher"),
            date: publishing?.child("publish-date")?["value"].flatMap { BookDate($0) }, language: language,
            direction: bookInfo?.text(of: "reading-direction").flatMap { Direction(rawValue: $0.lowercased()) })
        let authors = (bookInfo?.elements ?? []).filter { $0.name.local == "author" }
        facts.credits =
            authors.compactMap { author in
                ACBF.name(of: author).map { Credit($0, ACBF.role(author["activity"])) }
            }.unique
        let annotation = bookInfo?.child("annotation")
        let paragraphs = annotation?.elements.map { XMLText.clean($0.text) } ?? []
        facts.summary = PlainText.clean(
            paragraphs.isEmpty ? annotation?.text ?? "" : paragraphs.joined(separator: "\n\n"))
        let genres = (bookInfo?.elements ?? []).filter { $0.name.local == "genre" }.map(\.text)
        let keywords = (bookInfo?.text(of: "keywords") ?? "").split(separator: ",").map(String.init)
        facts.genres = genres.clean.unique
        facts.tags = keywords.clean.unique
        facts.isbn = publishing?.text(of: "isbn").flatMap { ISBN($0) }
        facts.rights = publishing?.text(of: "license").map(XMLText.clean)
        return facts
    }

    /// Returns the metadata of the book with these pages, with the document itself. It also marks the cover.
    ///
    /// - Parameter path: the document's path, the base of the images' relative paths.
    package func metadata(for pages: inout [Page], path: String) -> BookMetadata {
        var facts = metadata
        let parent = FileName.parent(of: path)
        let folder = parent == "." ? "" : "\(parent)/"
        let places = Dictionary(pages.enumerated().map { ($1.name, $0) }) { first, _ in first }
        func place(of element: XMLElement?) -> Int? {
            element?.child("image")?["href"].flatMap { places[folder + $0] }
        }
        if let cover = place(of: bookInfo?.child("coverpage")), pages.allSatisfy({ $0.roles.isEmpty }) {
            pages[cover].roles = [.frontCover]
        }
        for page in root.child("body")?.elements ?? [] where page.name.local == "page" {
            guard let title = page.text(of: "title"), let place = place(of: page) else { continue }
            facts.outline.append(OutlineItem(title: XMLText.clean(title), page: pages[place].id, level: 0))
        }
        facts.documents = [SourceDocument(format: ACBF.format, bytes: bytes)]
        return facts
    }

    /// The language of the texts, if all have the same.
    private var language: String? {
        let layers = Set((bookInfo?.child("languages")?.elements ?? []).compactMap { $0["lang"]?.meaningful })
        return layers.count == 1 ? layers.first.flatMap(LanguageTag.normalized) : nil
    }

    private static func name(of author: XMLElement) -> String? {
        let names = ["first-name", "middle-name", "last-name"].compactMap { author.text(of: $0) }
        let name = XMLText.clean(names.joined(separator: " "))
        return name.isEmpty ? author.text(of: "nickname").map(XMLText.clean) : name
    }

    private static func role(_ activity: String?) -> CreatorRole {
        switch activity?.lowercased() {
        case nil, "writer": .author
        case "adapter": .adapter
        case "artist": .artist
        case "penciller": .penciller
        case "inker": .inker
        case "colorist": .colorist
        case "letterer": .letterer
        case "coverartist": .coverArtist
        case "photographer": .photographer
        case "editor", "assistant editor": .editor
        case "translator": .translator
        default: .other
        }
    }

    /// The elements of the document that `metadata` does not cover, for reports of losses.
    var otherElements: [String] {
        let known: Set = ["author", "book-title", "coverpage", "languages", "sequence", "reading-direction"]
        let published: Set = ["publisher", "publish-date"]
        let publishing = root.child("meta-data")?.child("publish-info")?.elements ?? []
        let others =
            (bookInfo?.elements ?? []).filter { !known.contains($0.name.local) }
            + publishing.filter { !published.contains($0.name.local) }
        var names = others.filter { $0.text.meaningful != nil }.map(\.name.local)
        let pages = (root.child("body")?.elements ?? []).flatMap(\.elements)
        for name in ["text-layer", "frame", "jump"] where pages.contains(where: { $0.name.local == name }) {
            names.append(name)
        }
        return names
    }
}
