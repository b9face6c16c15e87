package import PageModel

/// A MetronInfo.xml, which describes a comic in more detail than ComicInfo.xml
/// (<https://github.com/Metron-Project/metroninfo>, schema 1.0 and draft 1.1).
package struct MetronInfo: Hashable, Sendable {
    /// The name of the file, at the root of an archive or folder.
    package static let fileName = "MetronInfo.xml"
    /// The `SourceDocument.format` of such documents.
    package static let format = "MetronInfo"

    let root: XMLElement
    private let bytes: [UInt8]

    /// - Throws: `.damaged` for a document that is not well-formed MetronInfo; `.tooLarge`, `.unsupported` as
    ///   `XMLReader`.
    package init(_ bytes: [UInt8]) throws(AdapterError) {
        let root = try XMLReader.read(bytes, limits: BookDocument.limits)
        guard root.name.local == "MetronInfo" else {
            throw AdapterError(.damaged, "has \(root.name.qualified) where MetronInfo should be")
        }
        (self.root, self.bytes) = (root, bytes)
    }

    /// The document's metadata of the book, with the document itself.
    package var metadata: BookMetadata {
        let series = root.child("Series")
        var facts = BookMetadata(
            title: root.text(of: "CollectionTitle") ?? stories, series: series?.text(of: "Name"),
            volume: root.text(of: "MangaVolume") ?? series?.text(of: "Volume"), number: root.text(of: "Number"),
            publisher: root.child("Publisher")?.text(of: "Name"),
            date: ["CoverDate", "StoreDate"].lazy.compactMap { root.text(of: $0) }.compactMap { BookDate($0) }.first,
            language: series?["lang"].flatMap(LanguageTag.normalized))
        for credit in root.child("Credits")?.elements ?? [] {
            guard let name = credit.text(of: "Creator").map(XMLText.clean) else { continue }
            facts.credits += MetronInfo.roles(of: credit).map { Credit(name, $0) }
        }
        facts.credits = facts.credits.unique
        facts.summary = root.text(of: "Summary").flatMap { PlainText.clean($0) }
        (facts.genres, facts.tags) = (list("Genres"), list("Tags"))
        facts.isbn = root.child("GTIN")?.text(of: "ISBN").flatMap { ISBN($0) }
        facts.documents = [SourceDocument(format: MetronInfo.format, bytes: bytes)]
        return facts
    }

    /// Returns the texts of an element's children.
    private func list(_ name: String) -> [String] {
        (root.child(name)?.elements ?? []).map(\.text).clean.unique
    }

    /// The titles of the stories in an issue.
    private var stories: String? {
        let titles = (root.child("Stories")?.elements ?? []).compactMap(\.text.meaningful)
        return titles.isEmpty ? nil : titles.joined(separator: "; ")
    }

    /// Returns the role for a word. The schema has 42 roles, most of them variants of a few.
    static func role(_ word: String) -> CreatorRole {
        switch word.lowercased() {
        case "writer", "script", "story", "plot", "interviewer": .author
        case "artist", "illustrator": .artist
        case "penciller", "breakdowns", "layouts": .penciller
        case "inker", "embellisher", "finishes", "ink assists": .inker
        case "colorist", "color separations", "color assists", "color flats", "gray tone": .colorist
        case "letterer": .letterer
        case "cover": .coverArtist
        case "translator": .translator
        case let word where word.contains("editor"): .editor
        default: .other
        }
    }

    /// Returns the document to store in an archive with a book. It is the source's own with the user's changes.
    ///
    /// - Parameters:
    ///   - books: the books of the pages. The numbers are `Page.book`.
    ///   - pageCount: the new number.
    /// - Returns: nil without a document or for several books.
    package static func carried(by book: BookMetadata, books: Set<Int>, pageCount: Int) -> [UInt8]? {
        let documents = book.documents.filter { $0.format == format }
        guard documents.count == 1, books.count <= 1, let metron = try? MetronInfo(documents[0].bytes) else {
            return nil
        }
        var root = metron.root
        if !documents[0].isCurrent { MetronInfoWriter(book, metron).update(&root) }
        for (index, node) in root.nodes.enumerated() {
            if case .element(var count) = node, count.name.local == "PageCount" {
                count.nodes = [.text(String(pageCount))]
                root.nodes[index] = .element(count)
            }
        }
        return root.document
    }

    /// The elements that `metadata` does not cover, for reports of losses.
    var otherElements: [String] {
        let known: Set = [
            "Publisher", "Series", "MangaVolume", "CollectionTitle", "Number", "Stories", "CoverDate", "PageCount",
            "Credits", "LastModified", "GTIN",
        ]
        let parts = [("Publisher", Set(["Name"])), ("Series", ["Name", "Volume"]), ("GTIN", [])]
        let within = parts.flatMap { name, known in
            (root.child(name)?.elements ?? []).filter { !known.contains($0.name.local) }
        }
        return (root.elements.filter { !known.contains($0.name.local) } + within)
            .filter { $0.text.meaningful != nil }.map(\.name.local)
    }
}

extension XMLElement {
    /// Returns the first child element with that local name, in any namespace.
    func child(_ local: String) -> XMLElement? {
        elements.first { $0.name.local == local }
    }

    /// Returns the text of the first element with that local name.
    func text(of local: String) -> String? {
        elements.lazy.filter { $0.name.local == local }.compactMap(\.text.meaningful).first
    }
}
