internal import AdapterKit
internal import Files
internal import Metadata
internal import OrderedJSON
internal import PageModel

/// The text of a book's pages, read from the scripts of its web reader.
actor BookTexts {
    /// The pages of one file.
    private static let pagesPerFile = 100
    /// The length of a page's side in the files.
    private static let unit = 100_000.0
    private static let head = "jisui.text("
    private static let tail = ");\n"
    /// The maximum number of bytes of a file; a hundred pages of small print have two million.
    private static let maximumBytes = 64 << 20

    private let folder: String
    private let limits: Limits
    private let numbers: Set<Int>
    /// The files last read, by their numbers: pages are requested in order, several at a time.
    private var known: [(number: Int, pages: [JSON])] = []

    /// - Parameters:
    ///   - json: the contents of book.json.
    ///   - folder: the path of the book's folder.
    init(_ json: JSON, in folder: String, _ limits: Limits, pageCount: Int) {
        self.folder = folder
        self.limits = limits
        let files = 0...(max(0, pageCount - 1) / BookTexts.pagesPerFile)
        numbers = Set((json["texts"]?.elements ?? []).compactMap(\.asInteger).filter(files.contains))
    }

    /// Returns a page's lines by its index in the book, from 0.
    ///
    /// - Throws: `.unreadable`, `.tooLarge`; `.damaged` for a file that jisui does not write.
    func lines(of place: Int) throws(AdapterError) -> [TextLine] {
        let (number, rest) = place.quotientAndRemainder(dividingBy: BookTexts.pagesPerFile)
        guard numbers.contains(number) else { return [] }
        let pages = try pages(inFile: number)
        guard pages.indices.contains(rest), let lines = pages[rest].elements else { return [] }
        return try lines.map { json throws(AdapterError) in
            guard let line = BookTexts.line(json) else { throw damaged(number) }
            return line
        }
    }

    private func name(_ number: Int) -> String {
        let digits = String(number)
        return "text/\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits).js"
    }

    private func damaged(_ number: Int) -> AdapterError {
        AdapterError(.damaged, "\(name(number)) was not written by jisui", file: folder)
    }

    private func pages(inFile number: Int) throws(AdapterError) -> [JSON] {
        if let file = known.first(where: { $0.number == number }) { return file.pages }
        let file = try ReadableFile(path: "\(folder)/\(name(number))")
        let maximum = min(BookTexts.maximumBytes, limits.entryBytes)
        guard file.size <= maximum else {
            throw AdapterError(
                .tooLarge, "\(name(number)) has \(file.size) bytes, more than the \(maximum) allowed", file: folder)
        }
        let bytes = try file.read(at: 0, exactly: file.size)
        let (head, tail) = (Array(BookTexts.head.utf8), Array(BookTexts.tail.utf8))
        guard bytes.starts(with: head), bytes.suffix(tail.count) == tail[...],
            let pages = JSON(parsing: Array(bytes[head.count..<(bytes.count - tail.count)]))?.elements
        else { throw damaged(number) }
        known = known.suffix(1) + [(number, pages)]
        return pages
    }

    /// Parses a line of the form [direction, quarter turns, [[word, left, top, right, bottom], …]]; returns nil for other values.
    private static func line(_ json: JSON) -> TextLine? {
        guard let values = json.elements, values.count == 3,
            let direction = values[0].asString.flatMap(TextLine.Direction.init),
            let turns = values[1].asInteger, (0..<4).contains(turns), let words = values[2].elements
        else { return nil }
        let read = words.compactMap { word -> TextWord? in
            guard let values = word.elements, let text = values.first?.asString.map(XMLText.clean), !text.isEmpty,
                let area = area(values.dropFirst())
            else { return nil }
            return TextWord(text, area)
        }
        return read.isEmpty || read.count < words.count ? nil : TextLine(read, direction: direction, turns: turns)
    }

    /// Returns a rectangle from its edges: left, top, right, bottom; nil for an empty one.
    private static func area(_ values: ArraySlice<JSON>) -> PageArea? {
        let edges = values.compactMap(\.asInteger).map { Double($0) / unit }
        guard values.count == 4, edges.count == 4 else { return nil }
        let area = PageArea(left: edges[0], top: edges[1], right: edges[2], bottom: edges[3]).intersection(.page)
        return area.isEmpty ? nil : area
    }

    /// Returns the links of book.json by the indexes of their pages: [page, target, left, top, right, bottom] each. Values that
    /// jisui never writes are ignored.
    static func links(_ json: JSON, pageCount: Int) -> [Int: [PageLink]] {
        var links: [Int: [PageLink]] = [:]
        let places = 0..<pageCount
        for item in json["links"]?.elements ?? [] {
            guard let values = item.elements, values.count == 6, let place = values[0].asInteger,
                places.contains(place), let area = area(values.dropFirst(2))
            else { continue }
            if let page = values[1].asInteger {
                if places.contains(page) {
                    links[place, default: []].append(PageLink(area, to: .page(page + 1, at: nil)))
                }
            } else if let text = values[1].asString {
                let target =
                    WebAddress(text).map(LinkTarget.address) ?? .other("an address that is not of the web")
                links[place, default: []].append(PageLink(area, to: target))
            }
        }
        return links
    }
}
