internal import Files
internal import Metadata
internal import OrderedJSON
internal import PageModel

/// The words of a book's pages, in scripts of 100 pages each, which the web reader runs at the first of these pages.
///
/// A file is written as soon as its pages are complete, so the text of a long book is never in memory as a whole.
struct TextFiles {
    /// The pages of one file.
    static let pagesPerFile = 100
    /// The length of a page's sides in the files: places are whole numbers of this fraction of them.
    static let unit = 100_000

    private var pages: [JSON] = []
    private var pageCount = 0
    /// The numbers of the files that were written; pages without a file have no text.
    private(set) var numbers: [Int] = []

    /// Returns the name of a file within a book's folder.
    static func name(_ number: Int) -> String {
        let digits = String(number)
        return "text/\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits).js"
    }

    /// Whether jisui could have given this name to a file in the folder of texts.
    static func matches(_ name: String) -> Bool {
        let digits = FileName.stem(of: name, extensions: ["js"])
        return Int(digits).map { TextFiles.name($0) == "text/\(name)" } ?? false
    }

    /// Adds the text of the next page.
    mutating func add(_ lines: [TextLine], to output: OutputFolder) throws(AdapterError) {
        pages.append(JSON(lines.compactMap(TextFiles.json)))
        pageCount += 1
        if pages.count == TextFiles.pagesPerFile { try finish(output) }
    }

    /// Writes the rest; pages without text do not get a file.
    mutating func finish(_ output: OutputFolder) throws(AdapterError) {
        defer { pages = [] }
        guard pages.contains(where: { $0.elements?.isEmpty == false }) else { return }
        let number = (pageCount - 1) / TextFiles.pagesPerFile
        try output.add(TextFiles.name(number), Array("jisui.text(\(ScriptText.ascii(JSON(pages))));\n".utf8))
        numbers.append(number)
    }

    /// Returns a line as [direction, quarter turns, [[word, left, top, right, bottom], …]]; nil for one without a word.
    private static func json(_ line: TextLine) -> JSON? {
        let words = line.words.compactMap { word -> JSON? in
            let text = XMLText.clean(word.text)
            return text.isEmpty ? nil : JSON([.string(text)] + places(word.area))
        }
        return words.isEmpty ? nil : [.string(line.direction.rawValue), .integer(line.turns), JSON(words)]
    }

    /// Returns a rectangle's edges: left, top, right, bottom. A very thin one keeps a positive area.
    static func places(_ area: PageArea) -> [JSON] {
        func span(_ low: Double, _ high: Double) -> (low: Int, high: Int) {
            let start = Int(clamping: low * Double(unit), to: 0...unit - 1)
            return (start, Int(clamping: high * Double(unit), to: start + 1...unit))
        }
        let (across, down) = (span(area.left, area.right), span(area.top, area.bottom))
        return [across.low, down.low, across.high, down.high].map(JSON.integer)
    }

    /// Returns the links for `book.json`: [page, target, left, top, right, bottom] each, pages by their indexes from 0, and
    /// addresses as text. Links to pages that are not in the book are omitted.
    static func links(of pages: [WebPage]) -> JSON {
        var places: [Int: Int] = [:]
        for (place, page) in pages.enumerated() {
            for number in page.numbers where places[number] == nil { places[number] = place }
        }
        return JSON(
            pages.enumerated().flatMap { place, page in
                page.links.compactMap { link -> JSON? in
                    let target: JSON
                    switch link.target {
                    case .page(let number, _):
                        guard let page = places[number] else { return nil }
                        target = .integer(page)
                    case .address(let address): target = .string(address.text)
                    case .other: return nil
                    }
                    return JSON([.integer(place), target] + TextFiles.places(link.area))
                }
            })
    }
}
