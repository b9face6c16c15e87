package import PageModel

/// The limits of the search for rows of letters.
///
/// A unit is a 620th of the page's shorter side. Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no
/// separate measurement of these values is recorded.
enum RowLimits {
    /// A letter, in units: at least 0.6 mm high and at most 12 mm long on a page of a paperback. Letters may touch and
    /// form a word, and an l is narrow.
    static let letter = LetterShape(
        heights: 3.5...LetterShape.any.upperBound, extents: 0...70, maximumWidthRatio: Ratio(12, 1),
        maximumHeightRatio: Ratio(8, 1))
    /// The side of a cell for finding neighbors, in units, and its minimum in pixels. It affects only the speed.
    static let (cell, minimumCell) = (12.0, 4)
    /// The maximum gap to the next letter, as a ratio to the height of the smaller one: a space between words.
    static let gap = Ratio(3, 2)
    /// The maximum ratio of the heights of two letters in a row: a capital with a descender next to a small letter.
    static let heights = Ratio(12, 5)
    /// The minimum share of the smaller letter's height that is level with the other.
    static let overlap = Ratio(2, 5)
    /// The maximum ratio of the widths of two characters in a column: those of vertical text are alike.
    static let widths = Ratio(3, 2)
    /// The minimum share of the narrower character's width that is below the other.
    static let overlapInColumn = Ratio(3, 5)
}

/// The rows of blobs of equal height, one after the other: the letters of a word or line.
///
/// Each is joined with its nearest neighbors to the right and below, if their gap, heights and levels are those of letters. The
/// method is from O'Gorman, "The document spectrum for page layout analysis", 1993.
package struct Rows: Sendable {
    /// For each blob the number of blobs in its row, itself included; 0 for a blob that is not a letter.
    package private(set) var length: [Int]
    /// For each blob the number of its row; any two of a row have the same.
    package private(set) var number: [Int]

    /// - Parameters:
    ///   - isFree: whether each blob may be a letter.
    ///   - unit: the unit of `PageFraction`, in pixels.
    package init(_ blobs: [ConnectedComponent], _ isFree: [Bool], size: PixelSize, unit: Double) {
        let letters = blobs.indices.filter { isFree[$0] && RowLimits.letter.matches(blobs[$0].box, unit: unit) }
        let grid = LetterGrid(
            blobs, letters, size: size, cell: max(RowLimits.minimumCell, Int(RowLimits.cell * unit)))
        var sets = DisjointSets(count: blobs.count)
        for index in letters {
            let box = blobs[index].box
            let right = box.right + RowLimits.gap.of(box.height) + 1
            grid.visit(Bounds(left: box.right - 1, top: box.top, right: right, bottom: box.bottom)) { other in
                if other != index, Rows.isNextInRow(blobs[other].box, box) { sets.add(other, to: index) }
            }
            // Downwards, for lines in that direction.
            guard box.height <= 2 * box.width else { continue }
            let bottom = box.bottom + box.width / 2 + 1
            grid.visit(Bounds(left: box.left, top: box.bottom - 1, right: box.right, bottom: bottom)) { other in
                if other != index, Rows.isNextInColumn(blobs[other].box, box) { sets.add(other, to: index) }
            }
        }
        number = blobs.indices.map { sets.root(of: $0) }
        var counts = [Int](repeating: 0, count: blobs.count)
        for index in letters { counts[number[index]] += 1 }
        length = [Int](repeating: 0, count: blobs.count)
        for index in letters { length[index] = counts[number[index]] }
    }

    /// Whether a letter follows another one to its right.
    private static func isNextInRow(_ other: Bounds, _ box: Bounds) -> Bool {
        let gap = other.left - box.right
        let (smaller, larger) = (min(box.height, other.height), max(box.height, other.height))
        let overlap = min(box.bottom, other.bottom) - max(box.top, other.top)
        return other.left >= box.left && gap.isAtMost(RowLimits.gap, of: smaller)
            && larger.isAtMost(RowLimits.heights, of: smaller) && overlap.isAtLeast(RowLimits.overlap, of: smaller)
    }

    /// Whether a character follows another one below it.
    private static func isNextInColumn(_ other: Bounds, _ box: Bounds) -> Bool {
        let gap = other.top - box.bottom
        let (smaller, larger) = (min(box.width, other.width), max(box.width, other.width))
        let overlap = min(box.right, other.right) - max(box.left, other.left)
        return other.top >= box.top && 2 * gap <= smaller && larger.isAtMost(RowLimits.widths, of: smaller)
            && overlap.isAtLeast(RowLimits.overlapInColumn, of: smaller) && other.height <= 2 * other.width
    }

    /// Makes a blob an isolated one.
    package mutating func leave(_ blob: Int) { length[blob] = 1 }
}

/// The letters by the cells of a grid that they touch, so that few are compared.
private struct LetterGrid {
    private let size: PixelSize
    private let cell: Int
    private let across: Int
    private var cells: [[Int32]]

    init(_ blobs: [ConnectedComponent], _ letters: [Int], size: PixelSize, cell: Int) {
        (self.size, self.cell, across) = (size, cell, size.width / cell + 1)
        cells = [[Int32]](repeating: [], count: across * (size.height / cell + 1))
        for index in letters {
            let box = blobs[index].box
            for y in box.top / cell...(box.bottom - 1) / cell {
                for x in box.left / cell...(box.right - 1) / cell { cells[y * across + x].append(Int32(index)) }
            }
        }
    }

    /// Visits the letters in the cells that a window touches, some of them several times.
    func visit(_ window: Bounds, _ body: (Int) -> Void) {
        for y in max(0, window.top) / cell...min(size.height - 1, window.bottom - 1) / cell {
            for x in max(0, window.left) / cell...min(size.width - 1, window.right - 1) / cell {
                for index in cells[y * across + x] { body(Int(index)) }
            }
        }
    }
}
