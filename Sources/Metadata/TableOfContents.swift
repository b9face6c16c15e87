package import PageModel

/// The table of contents of a book whose lines must all have a target, in the order of their pages, as in EPUB and KF8.
package struct TableOfContents: Sendable {
    /// A line with those below it.
    package struct Line: Sendable {
        package let title: String
        /// The index of the page in the book, from 0.
        package let page: Int
        package var lines: [Line] = []
    }

    /// The top lines; never empty.
    package let lines: [Line]

    /// - Parameters:
    ///   - pages: the pages in their order, as `Page.id`.
    ///   - title: the only line of a book without a table of contents.
    package init(of book: BookMetadata, pages: [Int], title: String) {
        let places = Dictionary(pages.enumerated().map { ($1, $0) }) { first, _ in first }
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
        let lines = TableOfContents.inReadingOrder(TableOfContents.nested(&rest, below: -1))
        self.lines = lines.isEmpty ? [Line(title: title, page: 0)] : lines
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
}
