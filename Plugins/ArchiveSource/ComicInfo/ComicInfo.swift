internal import AdapterKit
internal import PageModel

/// What a ComicInfo.xml says about a comic (anansi-project/comicinfo, schema 2.0 and draft 2.1).
///
/// The order of its page list is not used: the pages come in the order of their names, as in every reader but one.
struct ComicInfo: Hashable, Sendable {
    /// What it says about the book; without an outline, which takes the pages.
    private(set) var facts = BookMetadata()
    /// The chapters it marks: a title and the place of a page among all pages, from 0.
    private(set) var bookmarks: [Bookmark] = []

    /// The places of pages, from 0, that are marked as whole spreads.
    private(set) var doublePages: Set<Int> = []

    struct Bookmark: Hashable, Sendable {
        let title: String
        let image: Int
    }

    private static let authorElements = ["Writer", "Penciller", "Inker", "Colorist"]

    /// - Throws: when it is no ComicInfo, or none that can be read.
    init(_ bytes: [UInt8]) throws(AdapterError) {
        var reader = try XMLReader(bytes)
        var path: [String] = []
        var values: [String: String] = [:]
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes):
                guard !path.isEmpty || name == "ComicInfo" else {
                    throw AdapterError(.damaged, "has \(name) where ComicInfo should be")
                }
                path.append(name)
                if path == ["ComicInfo", "Pages", "Page"] { addPage(attributes) }
            case .text(let text):
                if path.count == 2, let name = path.last { values[name, default: ""] += text }
            case .end:
                path.removeLast()
            }
        }
        func value(_ name: String) -> String? {
            values[name].map(ComicInfo.trimmed).flatMap { $0.isEmpty ? nil : $0 }
        }
        facts.title = value("Title")
        facts.series = value("Series")
        facts.number = value("Number")
        facts.language = value("LanguageISO")
        facts.direction = ComicInfo.direction(value("Manga"))
        for name in ComicInfo.authorElements.compactMap(value).flatMap({ $0.split(separator: ",") }) {
            let author = ComicInfo.trimmed(String(name))
            if !author.isEmpty && !facts.authors.contains(author) { facts.authors.append(author) }
        }
    }

    /// The book's facts, with the bookmarks leading to `pages`, which are in order.
    func facts(for pages: [Page]) -> BookMetadata {
        var facts = facts
        facts.outline = bookmarks.sorted { $0.image < $1.image }.filter { pages.indices.contains($0.image) }
            .map { OutlineItem(title: $0.title, page: pages[$0.image].id, level: 0) }
        return facts
    }

    private mutating func addPage(_ attributes: [String: String]) {
        guard let image = attributes["Image"].flatMap({ Int($0) }) else { return }
        let title = ComicInfo.trimmed(attributes["Bookmark"] ?? "")
        if !title.isEmpty { bookmarks.append(Bookmark(title: title, image: image)) }
        // Programs write "true", "True" and "Yes".
        if ["true", "yes", "1"].contains(attributes["DoublePage"]?.lowercased()) { doublePages.insert(image) }
    }

    /// "Yes" only says that it is a manga: translated ones are often mirrored.
    private static func direction(_ manga: String?) -> Direction? {
        switch manga {
        case "YesAndRightToLeft": .rightToLeft
        case "No": .leftToRight
        default: nil
        }
    }

    private static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
