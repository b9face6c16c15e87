internal import Files
package import PageModel

/// A CoMet.xml, which describes a comic in the style of Dublin Core
/// (<http://www.denvog.com/comet/comet-specification/>, version 1.1).
package struct CoMet: Hashable, Sendable {
    /// The name of the file, at the root of an archive.
    package static let fileName = "CoMet.xml"

    private let root: XMLElement

    /// - Throws: `.damaged` for a document that is not well-formed CoMet; `.tooLarge`, `.unsupported` as `XMLReader`.
    package init(_ bytes: [UInt8]) throws(AdapterError) {
        root = try XMLReader.read(bytes, limits: BookDocument.limits)
        guard root.name.local.lowercased() == "comet" else {
            throw AdapterError(.damaged, "has \(root.name.qualified) where comet should be")
        }
    }

    /// The elements that name people, with their roles.
    private static let roles: [(name: String, role: CreatorRole)] = [
        ("creator", .author), ("writer", .author), ("penciller", .penciller), ("inker", .inker),
        ("colorist", .colorist), ("letterer", .letterer), ("coverDesigner", .coverArtist), ("editor", .editor),
    ]

    /// The document's metadata of the book.
    package var metadata: BookMetadata {
        var facts = BookMetadata(
            title: text("title"), series: text("series"), volume: text("volume"), number: text("issue"),
            publisher: text("publisher"), date: text("date").flatMap { BookDate($0) },
            language: text("language").flatMap(LanguageTag.normalized),
            direction: text("readingDirection").flatMap { Direction(rawValue: $0.lowercased()) })
        facts.credits =
            CoMet.roles.flatMap { name, role in texts(name).clean.map { Credit($0, role) } }.unique
        facts.summary = texts("description").lazy.compactMap { PlainText.clean($0) }.first
        facts.genres = texts("genre").clean.unique
        facts.isbn = texts("identifier").lazy.compactMap { ISBN($0) }.first
        facts.rights = text("rights")
        let known = Set(CoMet.roles.map(\.name)).union([
            "title", "series", "volume", "issue", "publisher", "date", "language", "readingDirection", "description",
            "genre", "rights", "pages", "coverImage", "lastMark",
        ])
        facts.unsupportedFields =
            root.elements.filter { element in
                guard element.text.meaningful != nil, !known.contains(element.name.local) else { return false }
                return element.name.local != "identifier" || ISBN(element.text) == nil
            }.map(\.name.local).unique
        return facts
    }

    /// Marks the cover that the document names, unless a page is marked.
    ///
    /// - Parameter path: the document's path, the base of the image's path.
    func markCover(among pages: inout [Page], path: String) {
        let parent = FileName.parent(of: path)
        let folder = parent == "." ? "" : "\(parent)/"
        guard let cover = text("coverImage"), pages.allSatisfy({ $0.roles.isEmpty }),
            let place = pages.firstIndex(where: { $0.name == folder + cover })
        else { return }
        pages[place].roles = [.frontCover]
    }

    private func texts(_ name: String) -> [String] {
        root.elements.filter { $0.name.local == name }.compactMap(\.text.meaningful)
    }

    private func text(_ name: String) -> String? {
        texts(name).lazy.map(XMLText.clean).first { !$0.isEmpty }
    }
}
