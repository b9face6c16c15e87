internal import AdapterKit
internal import PageModel

/// The pages of a book on a screen, while they are made.
struct ScreenPages {
    private(set) var sequence: PageSequence
    /// Whether a page differs from those of the source.
    private(set) var changes = false
    /// The places of the pages whose end cuts artwork, from 1.
    private var artwork: [Int] = []
    private var nextID: Int

    /// - Parameter sequence: the book before it is cut.
    init(_ sequence: PageSequence) {
        self.sequence = sequence
        self.sequence.pages = []
        nextID = (sequence.pages.map(\.id).max() ?? 0) + 1
    }

    /// The note on pages that end within artwork; nil without such pages.
    var noteOnArtwork: Warning? {
        guard !artwork.isEmpty else { return nil }
        return Warning(
            code: "artwork-cut",
            message: artwork.count == 1
                ? "cut through artwork at the end of page \(artwork[0]), because no row in reach is quiet"
                : "cut through artwork at the end of \(artwork.count) pages, because no row in reach is quiet: \(PageRanges(artwork).text)",
            isNote: true)
    }

    /// Adds the pages of a strip.
    ///
    /// - Parameter pieces: the pages as rows of the strip; none if its image stays as it is.
    mutating func add(_ strip: LongStrip, cut pieces: [ScreenCuts.Piece]) {
        guard let size = strip.size, pieces.count > 1 || strip.images.count > 1 else {
            var page = strip.images[0].page
            if let remark = strip.images[0].remark {
                page.findings[ScreenFinding.self] = ScreenFinding(isCut: false, remark: remark)
            }
            sequence.pages.append(page)
            return
        }
        let parts = parts(of: strip, pieces, width: size.width)
        for (piece, parts) in zip(pieces, parts) {
            if piece.cutsArtwork { artwork.append(sequence.pages.count + 1) }
            var page = page(of: parts, size: PixelSize(width: size.width, height: piece.rows.count))
            page.findings[ScreenFinding.self] = ScreenFinding(isCut: !page.parts.isEmpty, remark: piece.remark)
            changes = changes || !page.parts.isEmpty
            sequence.pages.append(page)
        }
    }

    /// A part of an image on a page of the screen.
    private struct Part {
        var page: Page
        /// Whether it is the first part of its image.
        var isFirst: Bool
        /// Whether it is the whole image.
        var isWhole: Bool
        /// The rectangle on the page.
        var place: PixelRect
    }

    /// Returns the parts of each page of a strip, from the top.
    private mutating func parts(of strip: LongStrip, _ pieces: [ScreenCuts.Piece], width: Int) -> [[Part]] {
        var counts = [Int](repeating: 0, count: strip.images.count)
        for piece in pieces {
            for index in strip.index(ofRow: piece.rows.lowerBound)...strip.index(ofRow: piece.rows.upperBound - 1) {
                counts[index] += 1
            }
        }
        let recognitions = zip(strip.images, counts).map { $0.page.recognition?.shared(by: $1) }
        var numbers = [Int](repeating: 0, count: strip.images.count)
        var result: [[Part]] = []
        for piece in pieces {
            var parts: [Part] = []
            for index in strip.index(ofRow: piece.rows.lowerBound)...strip.index(ofRow: piece.rows.upperBound - 1) {
                let start = strip.starts[index]
                let rows = piece.rows.clamped(to: start..<strip.starts[index + 1])
                numbers[index] += 1
                var page = strip.images[index].page
                if counts[index] > 1 {
                    let rect = PixelRect(x: 0, y: rows.lowerBound - start, width: width, height: rows.count)
                    let whole = PixelSize(width: width, height: strip.starts[index + 1] - start)
                    page = part(numbers[index], of: page, rect, whole)
                }
                page.recognition = recognitions[index]
                let place = PixelRect(
                    x: 0, y: rows.lowerBound - piece.rows.lowerBound, width: width, height: rows.count)
                parts.append(
                    Part(page: page, isFirst: numbers[index] == 1, isWhole: counts[index] == 1, place: place))
            }
            result.append(parts)
        }
        return result
    }

    /// Returns a part of an image as a page. The first one keeps the id, so that the outline still targets it.
    private mutating func part(_ number: Int, of page: Page, _ rect: PixelRect, _ size: PixelSize) -> Page {
        var part = Page(
            id: number == 1 ? page.id : nextID, name: PageName.part(number, of: page.name),
            label: number == 1 ? page.label : nil, edits: page.edits + [.move(.keep(rect, of: size))],
            examine: page.examine)
        if number > 1 { nextID += 1 }
        part.sourceID = page.sourceID
        part.book = page.book
        part.roles = number == 1 ? page.roles : page.roles.filter { $0 != .frontCover }
        part.findings = page.findings
        part.regions = page.regions
        (part.text, part.visibleText, part.links) = (page.text, page.visibleText, page.links)
        return part
    }

    /// Returns the page that shows these parts: the image itself, if it is the only one and whole.
    private func page(of parts: [Part], size: PixelSize) -> Page {
        let pages = parts.map(\.page)
        let first = pages[0]
        if pages.count == 1, parts[0].isWhole { return first }
        let labels = pages.compactMap(\.label)
        var page = Page(
            id: first.id,
            name: pages.count == 1 ? first.name : PageName.merged(first.name, pages[pages.count - 1].name),
            label: labels.isEmpty ? nil : labels.joined(separator: "–")
        ) {
            var joined = JoinedPicture(size: size, parts: [], seam: .exact, alignment: .start)
            for part in parts {
                let picture = try await part.page.examine()
                joined.parts.append(JoinedPicture.Part(page: part.page, picture: picture, place: part.place))
            }
            return Picture(size: size, representations: [.joined(joined)])
        }
        page.sourceID = first.sourceID
        page.book = first.book
        let beginning = parts.filter(\.isFirst).map(\.page)
        page.roles = PageRole.allCases.filter { role in beginning.contains { $0.roles.contains(role) } }
        page.parts = pages
        return page
    }
}

extension ScreenCuts.Piece {
    /// The decision about its end, for reports.
    fileprivate var remark: Message {
        cutsArtwork ? "cut through artwork, because no row in reach is quiet" : "cut where the rows are quiet"
    }
}
