internal import AdapterKit
internal import Metadata
internal import PageModel

/// The contents of an EPUB's package document: the book, its files, and the order of its pages (EPUB 3.3, §5; OPF 2.0.1).
struct EPUBPackage {
    struct Item {
        let path: String
        let mediaType: String
        let properties: Set<String>
    }

    /// A page, or a chapter, in reading order.
    struct SpineItem {
        let item: Item
        let side: Side
        let roles: [PageRole]
        /// Whether it is outside the reading order: a cover, a note, a larger image.
        let isAside: Bool
    }

    private(set) var book = BookMetadata()
    private(set) var spine: [SpineItem] = []
    /// The warnings of pages in the reading order without a file in the book.
    private(set) var losses: [Warning] = []
    /// Whether the book is marked as fixed-layout.
    let isFixed: Bool
    /// The path of the cover image.
    let coverPath: String?
    /// The path of the navigation document of EPUB 3, or of the NCX of EPUB 2.
    let navigation: String?

    /// - Parameters:
    ///   - path: the package document's own path.
    ///   - container: the files of the book.
    /// - Throws: `.damaged` if the document lacks its essential parts.
    init(_ root: XMLElement, path: String, in container: EPUBContainer) throws(AdapterError) {
        func part(_ name: String) -> XMLElement? { root.elements.first { $0.name.local == name } }
        guard let manifest = part("manifest"), let spine = part("spine") else {
            throw AdapterError(.damaged, "\(path) does not list its pages")
        }
        var items: [String: Item] = [:]
        for element in manifest.elements where element.name.local == "item" {
            guard let id = element["id"], let link = element["href"],
                let target = container.path(of: link, in: path)
            else { continue }
            items[id] = Item(
                path: target, mediaType: element["media-type"]?.lowercased() ?? "",
                properties: EPUBPackage.words(element["properties"]))
        }
        let metas = part("metadata")?.descendants(XMLName("meta", in: root.name.namespace)) ?? []
        isFixed = EPUBPackage.isFixed(metas)
        navigation =
            items.values.first { $0.properties.contains("nav") }?.path ?? spine["toc"].flatMap { items[$0]?.path }
        coverPath =
            items.values.first { $0.properties.contains("cover-image") }?.path
            ?? metas.first { $0["name"] == "cover" }?["content"].flatMap { items[$0]?.path }
        let prefix = PageRoleProperty.prefix(in: root["prefix"])
        for reference in spine.elements where reference.name.local == "itemref" {
            let id = reference["idref"] ?? ""
            guard let item = items[id] else {
                losses.append(
                    Warning(
                        code: "page-skipped", message: "skipped the page '\(id)': \(path) lists no file for it"))
                continue
            }
            let words = EPUBPackage.words(reference["properties"])
            let roles = PageRole.allCases.filter { role in
                prefix.map { words.contains("\($0):\(role.rawValue)") } ?? false
            }
            let isAside = reference["linear"] == "no"
            self.spine.append(SpineItem(item: item, side: EPUBPackage.side(words), roles: roles, isAside: isAside))
        }
        book = OPFMetadata.metadata(in: root)
    }

    private static func words(_ text: String?) -> Set<String> {
        Set((text ?? "").split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static func side(_ words: Set<String>) -> Side {
        func has(_ word: String) -> Bool { words.contains(word) || words.contains("rendition:\(word)") }
        return has("page-spread-left") ? .left : has("page-spread-right") ? .right : .single
    }

    /// Whether the layout is fixed: EPUB 3 declares it by a property, Amazon's books by a pair of name and content.
    private static func isFixed(_ metas: [XMLElement]) -> Bool {
        metas.contains { meta in
            meta["property"] == "rendition:layout" && XMLText.clean(meta.text) == "pre-paginated"
                || meta["name"] == "fixed-layout" && meta["content"]?.lowercased() == "true"
        }
    }
}
