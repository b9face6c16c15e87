internal import AdapterKit
internal import LayoutAnalysis
internal import OrderedWork
internal import PageModel

/// The sides of a book's pages according to their printed numbers: a number is at the outer side of its page.
///
/// The digits are not read. It is enough that small symbols repeat at one height and at one distance from the side. They must be
/// on the left of one page and on the right of the next. Numbers in the middle, and marks that are always on the same side, such
/// as catchwords, are not evidence.
struct PrintedSides: Equatable, Sendable {
    /// For each page the side that its own number shows; nil if none is found.
    let sides: [Side?]

    /// - Parameters:
    ///   - marks: for each page, in reading order, its possible numbers. A wide page has none.
    ///   - minimumPairs: the minimum number of pairs of consecutive pages with numbers at opposite sides.
    init(_ marks: [[NumberMark]], minimumPairs: Int = NumberLimits.Sides.minimumPairs) {
        // Marks at about one place are counted together, cell by cell, each with its neighbors.
        var pages: [Place: [Int: Set<Side>]] = [:]
        for (page, marks) in marks.enumerated() {
            for mark in marks {
                for place in Place(mark).around { pages[place, default: [:]][page, default: []].insert(mark.side) }
            }
        }
        var best: (opposite: Int, sides: [Int: Side]) = (0, [:])
        // In the order of the places, so that the same book always gives the same result.
        for (_, found) in pages.sorted(by: { $0.key < $1.key }) {
            let sides = found.compactMapValues { $0.count == 1 ? $0.first : nil }
            var (opposite, same) = (0, 0)
            for (page, side) in sides {
                guard let next = sides[page + 1] else { continue }
                if next == side { same += 1 } else { opposite += 1 }
            }
            guard opposite >= minimumPairs, opposite >= NumberLimits.Sides.minimumRatio * same else { continue }
            if opposite > best.opposite { best = (opposite, sides) }
        }
        sides = marks.indices.map { best.sides[$0] }
    }

    /// Analyzes the pages of a book that are not spreads; most image-only books have no numbers, as a few of their pages show.
    static func analyze(
        _ pages: [SizedPage], _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> PrintedSides {
        let sample = NumberLimits.Sides.sample
        let start = max(0, (pages.count - sample) / 2)
        let middle = start..<min(pages.count, start + sample)
        let inMiddle = try await marks(on: pages[middle], options, request)
        let inSample = PrintedSides(inMiddle, minimumPairs: NumberLimits.Sides.minimumPairsInSample)
        guard inSample.sides.contains(where: { $0 != nil }) else {
            return PrintedSides(pages.map { _ in [] })
        }
        let before = try await marks(on: pages[..<middle.lowerBound], options, request)
        let behind = try await marks(on: pages[middle.upperBound...], options, request)
        return PrintedSides(before + inMiddle + behind)
    }

    private static func marks(
        on pages: ArraySlice<SizedPage>, _ options: SpreadOptions, _ request: TransformRequest
    ) async throws -> [[NumberMark]] {
        let ratio = options.wideRatio
        return try await mapInOrder(pages, width: request.width) { page in
            if page.showsSpread(ratio) { return [] }
            // Rendering a page takes too long for this evidence.
            if case .drawn? = try? await page.page.examine().representations.first { return [] }
            return try await request.previews.look(at: page.page, pixels: NumberLimits.minimumPixels, as: .brightness)
                .preview.map { NumberMark.all(on: $0.raster) } ?? []
        }
    }

    /// A corner of a page and a cell in it, counted from its sides.
    private struct Place: Hashable, Comparable {
        let isAtTop: Bool
        let column: Int
        let row: Int

        init(_ mark: NumberMark) {
            isAtTop = mark.isAtTop
            let cells = 0...NumberLimits.Sides.maximumCell
            column = Int(clamping: mark.horizontalPosition / NumberLimits.Sides.cellWidth, to: cells)
            row = Int(clamping: mark.verticalPosition / NumberLimits.Sides.cellHeight, to: cells)
        }

        private init(isAtTop: Bool, column: Int, row: Int) {
            (self.isAtTop, self.column, self.row) = (isAtTop, column, row)
        }

        /// This cell and the eight cells around it.
        var around: [Place] {
            (-1...1).flatMap { down in
                (-1...1).map { Place(isAtTop: isAtTop, column: column + $0, row: row + down) }
            }
        }

        static func < (one: Place, other: Place) -> Bool {
            (one.isAtTop ? 1 : 0, one.row, one.column) < (other.isAtTop ? 1 : 0, other.row, other.column)
        }
    }
}
