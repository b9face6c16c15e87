public import AdapterKit
internal import Files
internal import OrderedJSON
internal import PageModel

/// A transform that makes a book of clips: a page from each part that a person cut out in the web reader.
public struct Clips: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: "clips", summary: "extracts clips of pages", extensions: [],
        settings: [
            Setting(
                "clips", .file, valueName: "file",
                topic: "web", help: "Convert only the clips in a file saved by the web reader")
        ])

    public init() {}

    public func passes(_ settings: Settings) -> [Pass] {
        guard let path = settings["clips"] else { return [] }
        return [Pass(.clip) { sequence, _ in try await Clips.clipped(sequence, path) }]
    }

    /// - Throws: `.unreadable`; `.damaged` for an invalid file of clips; `.usage` for a clip of a missing page, or of a
    /// page with another size.
    private static func clipped(_ sequence: PageSequence, _ path: String) async throws -> PageSequence {
        let clips = try Clip.read(path)
        var result = sequence
        result.pages = []
        var next = (sequence.pages.map(\.id).max() ?? 0) + 1
        var places: [Int: Int] = [:]
        let pages = Dictionary(sequence.pages.map { ($0.sourceID, $0) }) { first, _ in first }
        for (index, clip) in clips.enumerated() {
            guard let page = pages[clip.page] else {
                throw AdapterError(
                    .usage, "clip \(index + 1) is of page \(clip.page), which is not among the pages", file: path)
            }
            var cut = page.renamed(PageName.clip(index + 1, of: page.name), id: next)
            // It shows the same content as that page of the source.
            cut.sourceID = page.sourceID
            cut.label = nil
            cut.side = .single
            cut.facesNextPage = false
            cut.edits.append(.move(.keep(clip.rect, of: clip.size)))
            try await check(clip, page, place: index + 1, path)
            places[page.id] = places[page.id] ?? next
            result.pages.append(cut)
            next += 1
        }
        for index in result.book.outline.indices {
            result.book.outline[index].page = result.book.outline[index].page.flatMap { places[$0] }
        }
        return result
    }

    /// Checks the size of the page against the clip's, because on another page it would show other content.
    private static func check(_ clip: Clip, _ page: Page, place: Int, _ path: String) async throws {
        // An unreadable page is reported when it is made.
        guard let size = try? await page.examine().size.map({ page.edits.applied(to: $0) }), size != clip.size else {
            return
        }
        throw AdapterError(
            .usage, "clip \(place) is from a page of \(clip.size) pixels, but page \(clip.page) has \(size)",
            hint: "give the folder of the web reader that saved the clips, without options that change pages",
            file: path)
    }
}

/// A part of a page.
struct Clip: Equatable {
    /// The page's number in its book, from 1.
    var page: Int
    /// The rectangle in pixels of the upright page.
    var rect: PixelRect
    /// The page's own size.
    var size: PixelSize

    private static let maximumBytes = 16 << 20

    /// - Throws: `.unreadable`, `.damaged`.
    static func read(_ path: String) throws(AdapterError) -> [Clip] {
        let file = try ReadableFile(path: path)
        guard file.size <= maximumBytes, let json = JSON(parsing: try file.read(at: 0, exactly: file.size)),
            json["jisui"]?.asString == "clips", (json["version"]?.asInteger ?? 1) == 1,
            let items = json["clips"]?.elements
        else {
            throw AdapterError(
                .damaged, "not a file of clips", hint: "use the web reader to save one: K, Save clips.json", file: path)
        }
        var clips: [Clip] = []
        for (index, item) in items.enumerated() {
            guard let clip = Clip(item) else {
                throw AdapterError(.damaged, "has an impossible value for clip \(index + 1)", file: path)
            }
            clips.append(clip)
        }
        guard !clips.isEmpty else { throw AdapterError(.empty, "holds no clips", file: path) }
        return clips
    }

    private init?(_ json: JSON) {
        func list(_ key: String, _ count: Int) -> [Int]? {
            guard let values = json[key]?.elements, values.count == count else { return nil }
            let numbers = values.compactMap(\.asInteger)
            return numbers.count == count ? numbers : nil
        }
        guard let page = json["page"]?.asInteger, page > 0, let numbers = list("rect", 4),
            let sides = list("size", 2),
            sides.allSatisfy({ (1...1_000_000).contains($0) })
        else { return nil }
        self.page = page
        size = PixelSize(width: sides[0], height: sides[1])
        rect = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        guard PixelRect(x: 0, y: 0, size).contains(rect) else { return nil }
    }
}
