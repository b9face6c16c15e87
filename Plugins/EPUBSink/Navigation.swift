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
    private let contents: [Line]

    /// A line of the table of contents.
    private struct Line {
        let title: String
        /// The index of the page in the book, from 0.
        let page: Int
        var lines: [Line] = []
    }

    init(title: String, book: BookMetadata, pages: [EPUBPage], identifier: String) {
        (self.title, self.pages, self.identifier) = (title, pages, identifier)
        language = book.epubLanguage
        let places = Dictionary(pages.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var items = book.outline.compactMap { item -> (level: Int, title: String, page: Int?)? in
            let title = XMLText.clean(item.title)
            return title.isEmpty ? nil : (item.level, title, item.page.flatMap { places[$0] })
        }
        // A heading without a target gets that of the next line: every line must have one.
        var next: Int?
        for index in items.indices.reversed() {
            next = items[index].page ?? next
            items[index].page = next
        }
        var rest: ArraySlice<(level: Int, line: Line)> = []
        for item in items {
            if let page = item.page { rest.append((item.level, Line(title: item.title, page: page))) }
        }
        let lines = Navigation.inReadingOrder(Navigation.nested(&rest, below: -1))
        contents = lines.isEmpty ? [Line(title: title, page: 0)] : lines
    }

    /// Removes and returns the lines at the beginning that are deeper than a level, each with those below it.
    private static func nested(_ rest: inout ArraySlice<(level: Int, line: Line)>, below level: Int) -> [Line] {
        var lines: [Line] = []
        while let (own, line) = rest.first, own > level {
            rest.removeFirst()
            var line = line
            line.lines = nested(&rest, below: own)
            lines.append(line)
        }
        return lines
    }

    /// Returns the lines in the order of their pages, as the format requires (EPUB 3.3, §7.4.2).
    ///
    /// The lines of a book with reordered pages have another order. A line stays below its heading if both are still in sequence.
    private static func inReadingOrder(_ lines: [Line]) -> [Line] {
        var flat: [(line: Line, headings: [Int])] = []
        func flatten(_ lines: [Line], below headings: [Int]) {
            for line in lines {
                let own = flat.count
                flat.append((Line(title: line.title, page: line.page), headings))
                flatten(line.lines, below: headings + [own])
            }
        }
        flatten(lines, below: [])
        let order = flat.indices.sorted { (flat[$0].line.page, $0) < (flat[$1].line.page, $1) }
        if order == Array(flat.indices) { return lines }
        // The headings of the last line that still apply.
        var open: [Int] = []
        var rest: ArraySlice<(level: Int, line: Line)> = []
        for index in order {
            while let last = open.last, !flat[index].headings.contains(last) { open.removeLast() }
            rest.append((open.count, flat[index].line))
            open.append(index)
        }
        return nested(&rest, below: -1)
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

    private func list(_ lines: [Line]) -> XMLElement {
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

    private static func depth(of lines: [Line]) -> Int {
        1 + (lines.map { $0.lines.isEmpty ? 0 : depth(of: $0.lines) }.max() ?? 0)
    }

    private func point(_ line: Line, _ count: inout Int) -> XMLElement {
        count += 1
        var point = XMLElement(
            "navPoint", ["id": "line\(count)", "playOrder": "\(line.page + 1)"],
            [Navigation.label(line.title), XMLElement("content", ["src": pages[line.page].path])])
        for inner in line.lines { point.nodes.append(.element(self.point(inner, &count))) }
        return point
    }
}
