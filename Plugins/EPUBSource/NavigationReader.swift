internal import Metadata
internal import PageModel

/// A reader for the table of contents and the list of pages.
///
/// They are in the navigation document of EPUB 3 (§7) or the NCX of EPUB 2.
struct NavigationReader {
    private(set) var outline: [OutlineItem] = []
    /// The printed numbers by the pages' ids.
    private var labels: [Int: String] = [:]

    private let path: String
    private let container: EPUBContainer
    private let pages: [String: Int]

    /// The maximum number of entries, above that of any real book.
    private static let maximumLines = 100_000

    /// - Parameters:
    ///   - path: the document's own path.
    ///   - pages: the pages' ids by the paths of their documents.
    init(
        _ root: XMLElement, path: String, in container: EPUBContainer, pages: [String: Int], title: String?
    ) {
        (self.path, self.container, self.pages) = (path, container, pages)
        if root.name.local == "ncx" {
            for map in root.elements where map.name.local == "navMap" { readPoints(map, level: 0) }
            for list in root.elements where list.name.local == "pageList" {
                for target in list.elements where target.name.local == "pageTarget" { readLabel(ncxLine(target)) }
            }
        } else {
            for nav in NavigationReader.navs(in: root) {
                let type = nav.attributes.first { $0.name.local == "type" }?.value ?? ""
                let list = nav.elements.first { $0.name.local == "ol" }
                if type.split(separator: " ").contains("toc"), outline.isEmpty, let list { readLines(list, level: 0) }
                if type.split(separator: " ").contains("page-list"), let list {
                    for item in list.elements where item.name.local == "li" { readLabel(line(item)) }
                }
            }
        }
        // Every EPUB has a table of contents; one with only the title counts as empty.
        if outline.count == 1, outline[0].page == 1, outline[0].title == title { outline = [] }
    }

    /// Gives pages their numbers from the list of pages, unless it only counts them.
    func label(_ pages: inout [Page]) {
        guard pages.contains(where: { page in labels[page.id].map { $0 != String(page.id) } ?? false }) else { return }
        for index in pages.indices { pages[index].label = labels[pages[index].id] }
    }

    private static func navs(in element: XMLElement) -> [XMLElement] {
        element.elements.flatMap { $0.name.local == "nav" ? [$0] : navs(in: $0) }
    }

    private mutating func readLabel(_ line: (title: String, page: Int?)) {
        if let page = line.page, !line.title.isEmpty, labels[page] == nil { labels[page] = line.title }
    }

    private mutating func add(_ line: (title: String, page: Int?), level: Int) {
        guard !line.title.isEmpty, outline.count < NavigationReader.maximumLines else { return }
        outline.append(OutlineItem(title: line.title, page: line.page, level: level))
    }

    private func page(_ link: String?) -> Int? {
        link.flatMap { container.path(of: $0, in: path) }.flatMap { pages[$0] }
    }

    // MARK: EPUB 3

    private mutating func readLines(_ list: XMLElement, level: Int) {
        for item in list.elements where item.name.local == "li" {
            add(line(item), level: level)
            for inner in item.elements where inner.name.local == "ol" { readLines(inner, level: level + 1) }
        }
    }

    private func line(_ item: XMLElement) -> (title: String, page: Int?) {
        guard let head = item.elements.first(where: { $0.name.local != "ol" }) else { return ("", nil) }
        let link = head.name.local == "a" ? head : head.elements.first { $0.name.local == "a" }
        return (XMLText.clean(head.text), page(link?["href"]))
    }

    // MARK: EPUB 2

    private mutating func readPoints(_ parent: XMLElement, level: Int) {
        for point in parent.elements where point.name.local == "navPoint" {
            add(ncxLine(point), level: level)
            readPoints(point, level: level + 1)
        }
    }

    private func ncxLine(_ point: XMLElement) -> (title: String, page: Int?) {
        let label = point.elements.first { $0.name.local == "navLabel" }
        let content = point.elements.first { $0.name.local == "content" }
        return (XMLText.clean(label?.text ?? ""), page(content?["src"]))
    }
}
