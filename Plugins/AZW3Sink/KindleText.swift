internal import Metadata
internal import PageModel

/// The text of a KF8: the documents of all pages, each as a skeleton with the fragment that belongs into it, and the style.
struct KindleText {
    /// The documents, as ASCII.
    private(set) var documents: [UInt8] = []
    /// The ranges of the skeletons in the text.
    private var skeletons: [Range<Int>] = []
    /// The places of the fragments in the text, and their lengths.
    private var fragments: [(place: Int, count: Int)] = []

    /// A page is its image, without a margin.
    static let style = "html,body{margin:0;padding:0}div{margin:0;text-align:center}img{display:block;margin:0 auto}"

    var bytes: [UInt8] { documents + KindleText.style.utf8 }

    init(_ pages: [KindlePage]) {
        for (index, page) in pages.enumerated() {
            let (width, height) = (page.size.width, page.size.height)
            let head = """
                <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>\
                <title>\(page.number)</title>\
                <link href="kindle:flow:0001?mime=text/css" rel="stylesheet" type="text/css"/>\
                <meta name="viewport" content="width=\(width), height=\(height)"/>\
                </head><body aid="\(KindleText.identifier(ofBody: index))">
                """
            let tail = "</body></html>"
            let fragment = """
                <div aid="\((2 * index + 1).base32())"><img width="\(width)" height="\(height)" alt="\(page.number)" \
                src="kindle:embed:\((index + 1).base32(digits: 4))?mime=\(page.image.encoding.mediaType)"/></div>
                """
            let start = documents.count
            documents += head.utf8
            fragments.append((documents.count, fragment.utf8.count))
            documents += tail.utf8
            skeletons.append(start..<documents.count)
            documents += fragment.utf8
        }
    }

    /// The elements into which fragments belong are found by identifiers.
    private static func identifier(ofBody index: Int) -> String { (2 * index).base32() }

    /// The places of the fragments (FRAG).
    var fragmentIndex: KindleIndex {
        var index = KindleIndex([
            .init(number: 2, mask: 1), .init(number: 3, mask: 2), .init(number: 4, mask: 4),
            .init(number: 6, valueCount: 2, mask: 8),
        ])
        for (number, fragment) in fragments.enumerated() {
            let selector = index.add(text: "P-//*[@aid='\(KindleText.identifier(ofBody: number))']")
            index.add(
                KindleText.padded(fragment.place), control: 0x0F, [selector, number, number, 0, fragment.count])
        }
        return index
    }

    /// The ranges of the skeletons (SKEL).
    var skeletonIndex: KindleIndex {
        var index = KindleIndex([.init(number: 1, mask: 3), .init(number: 6, valueCount: 2, mask: 12)])
        for (number, range) in skeletons.enumerated() {
            // Each value is stored twice.
            index.add(
                "SKEL" + KindleText.padded(number), control: 0x0A,
                [1, 1, range.lowerBound, range.count, range.lowerBound, range.count])
        }
        return index
    }

    /// The ranges of the lines of a table of contents in the text; nil for one with levels.
    func ranges(_ contents: TableOfContents) -> [Range<Int>]? {
        guard contents.lines.allSatisfy(\.lines.isEmpty) else { return nil }
        return KindleText.levels(contents).map(range)
    }

    private func range(_ entry: Entry) -> Range<Int> {
        let start = skeletons.isEmpty ? 0 : skeletons[entry.line.page].lowerBound
        let end = entry.end < skeletons.count ? skeletons[entry.end].lowerBound : documents.count
        return start..<max(start, end)
    }

    /// The table of contents (NCX): level by level, each line with the numbers of the first and the last line below it.
    func contentsIndex(_ contents: TableOfContents) -> KindleIndex {
        var index = KindleIndex([
            .init(number: 1, mask: 1), .init(number: 2, mask: 2), .init(number: 3, mask: 4),
            .init(number: 4, mask: 8), .init(number: 6, valueCount: 2, mask: 16), .init(number: 21, mask: 32),
            .init(number: 22, mask: 64), .init(number: 23, mask: 128),
        ])
        let lines = KindleText.levels(contents)
        let digits = String(max(0, lines.count - 1), radix: 16).count
        for (number, entry) in lines.enumerated() {
            let (range, title) = (range(entry), index.add(text: entry.line.title))
            var control: UInt8 = 0x1F
            var values = [range.lowerBound, range.count, title, entry.depth, entry.line.page, 0]
            if let parent = entry.parent {
                control |= 32
                values.append(parent)
            }
            if let below = entry.below {
                control |= 64 | 128
                values += [below.lowerBound, below.upperBound - 1]
            }
            let label = String(number, radix: 16, uppercase: true)
            index.add(
                String(repeating: "0", count: digits - label.count) + label, control: control, values)
        }
        return index
    }

    /// A line of the table of contents with its place in the tree.
    private struct Entry {
        let line: TableOfContents.Line
        let depth: Int
        let parent: Int?
        /// The page on which the next line of the same or a higher level begins.
        let end: Int
        var below: Range<Int>?
    }

    private static func levels(_ contents: TableOfContents) -> [Entry] {
        var entries: [Entry] = []
        func add(_ lines: [TableOfContents.Line], depth: Int, parent: Int?, end: Int) {
            for (place, line) in lines.enumerated() {
                let next = place + 1 < lines.count ? lines[place + 1].page : end
                entries.append(Entry(line: line, depth: depth, parent: parent, end: next))
            }
        }
        add(contents.lines, depth: 0, parent: nil, end: .max)
        var number = 0
        while number < entries.count {
            let entry = entries[number]
            if !entry.line.lines.isEmpty {
                let first = entries.count
                add(entry.line.lines, depth: entry.depth + 1, parent: number, end: entry.end)
                entries[number].below = first..<entries.count
            }
            number += 1
        }
        return entries
    }

    private static func padded(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 10 - text.count)) + text
    }
}
