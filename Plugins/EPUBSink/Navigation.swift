internal import Metadata
internal import PageModel

/// The navigation: the table of contents, the list of pages and the landmarks (EPUB 3.3, §7).
///
/// The same data are written as an NCX for EPUB 2 software.
struct Navigation {
    let title: String
    let pages: [EPUBPage]
    let identifier: String
    private let language: String
    private let contents: [TableOfContents.Line]

    init(title: String, book: BookMetadata, pages: [EPUBPage], identifier: String) {
        (self.title, self.pages, self.identifier) = (title, pages, identifier)
        language = book.statedLanguage
        contents = TableOfContents(of: book, pages: pages.map(\.id), title: title).lines
    }

    // MARK: The navigation document

    var document: XMLElement {
        let head = XMLElement(
            "head", [:], [XMLElement("meta", ["charset": "UTF-8"]), XMLElement("title", text: title)])
        let pageList = labeled.map { Navigation.line(to: $0.page, $0.label) }
        var landmarks = pages.filter(\.isCover).map { Navigation.line(to: $0, "Cover", type: "cover") }
        if let begin = pages.dropFirst().first ?? pages.first {
            landmarks.append(Navigation.line(to: begin, "Begin", type: "bodymatter"))
        }
        let body = XMLElement(
            "body", [:],
            [
                Navigation.nav("toc", [XMLElement("h1", text: title), list(contents)]),
                Navigation.nav("page-list", [XMLElement("ol", [:], pageList)], isHidden: true),
                Navigation.nav("landmarks", [XMLElement("ol", [:], landmarks)], isHidden: true),
            ])
        return XMLElement.html([head, body], language: language)
    }

    /// The pages with their printed labels as numbers; if no page has a label, with their places.
    ///
    /// A page without one among others, such as the second half of a page that was split, has that of the page before it.
    private var labeled: [(page: EPUBPage, label: String)] {
        guard pages.contains(where: { $0.label != nil }) else { return pages.map { ($0, "\($0.number)") } }
        var last: String?
        return pages.map { page in
            last = page.label ?? last
            return (page, last ?? "[\(page.number)]")
        }
    }

    private static func nav(_ type: String, _ elements: [XMLElement], isHidden: Bool = false) -> XMLElement {
        var nav = XMLElement("nav", ["id": type], elements)
        nav.attributes.insert(XMLAttribute(XMLName("type", in: EPUBPage.ops, prefix: "epub"), type), at: 0)
        if isHidden { nav["hidden"] = "hidden" }
        return nav
    }

    private static func line(to page: EPUBPage, _ text: String, type: String? = nil) -> XMLElement {
        var link = XMLElement("a", attributes: [XMLAttribute("href", page.path)], nodes: [.text(text)])
        if let type {
            link.attributes.insert(XMLAttribute(XMLName("type", in: EPUBPage.ops, prefix: "epub"), type), at: 0)
        }
        return XMLElement("li", [:], [link])
    }

    private func list(_ lines: [TableOfContents.Line]) -> XMLElement {
        XMLElement(
            "ol", [:],
            lines.map { line in
                var item = Navigation.line(to: pages[line.page], line.title)
                if !line.lines.isEmpty { item.nodes.append(.element(list(line.lines))) }
                return item
            })
    }

    // MARK: The NCX

    /// The NCX (ANSI/NISO Z39.86-2005, §8); every page has the same place in the play order as in the book.
    var ncx: XMLElement {
        let metas =
            [("dtb:uid", identifier), ("dtb:depth", "\(Navigation.depth(of: contents))")]
            + [("dtb:totalPageCount", "\(pages.count)"), ("dtb:maxPageNumber", "\(pages.count)")]
        var count = 0
        let points = contents.map { point($0, &count) }
        let targets = labeled.map { page, label in
            XMLElement(
                "pageTarget",
                [
                    "id": "page\(page.number)", "type": "normal", "value": "\(page.number)",
                    "playOrder": "\(page.number)",
                ], [Navigation.label(label), XMLElement("content", ["src": page.path])])
        }
        var ncx = XMLElement(
            "ncx", ["version": "2005-1", "xml:lang": language],
            [
                XMLElement("head", [:], metas.map { XMLElement("meta", ["name": $0.0, "content": $0.1]) }),
                XMLElement("docTitle", [:], [XMLElement("text", text: title)]),
                XMLElement("navMap", [:], points),
                XMLElement("pageList", [:], [Navigation.label("Pages")] + targets),
            ])
        ncx.namespaces = [XMLNamespace(prefix: nil, uri: "http://www.daisy.org/z3986/2005/ncx/")]
        return ncx
    }

    private static func label(_ text: String) -> XMLElement {
        XMLElement("navLabel", [:], [XMLElement("text", text: text)])
    }

    private static func depth(of lines: [TableOfContents.Line]) -> Int {
        1 + (lines.map { $0.lines.isEmpty ? 0 : depth(of: $0.lines) }.max() ?? 0)
    }

    private func point(_ line: TableOfContents.Line, _ count: inout Int) -> XMLElement {
        count += 1
        var point = XMLElement(
            "navPoint", ["id": "line\(count)", "playOrder": "\(line.page + 1)"],
            [Navigation.label(line.title), XMLElement("content", ["src": pages[line.page].path])])
        for inner in line.lines { point.nodes.append(.element(self.point(inner, &count))) }
        return point
    }
}
