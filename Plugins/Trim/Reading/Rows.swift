internal import Marks
internal import PageModel

/// The limits of the search for rows of letters.
///
/// A unit is a 620th of the page's shorter side. Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no
/// separate measurement of these values is recorded.
enum RowLimits {
    /// The minimum height of a letter, in units: 0.6 mm on a page of a paperback.
    static let minimumHeight = 3.5
    /// The maximum size of a letter, in units: 12 mm on a page of a paperback.
    static let maximumSize = 70.0
    /// The maximum ratio of a letter's width to its height: letters may touch and form a word.
    static let maximumWidth = 12
    /// The maximum ratio of a letter's height to its width: an l is narrow.
    static let maximumNarrowness = 8
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
struct Rows: Sendable {
    /// For each blob the number of blobs in its row, itself included; 0 for a blob that is not a letter.
    private(set) var length: [Int]
    /// For each blob the number of its row; any two of a row have the same.
    private(set) var number: [Int]

    init(_ blobs: [ConnectedComponent], _ isFree: [Bool], size: PixelSize, unit: Double) {
        var parents = Array(blobs.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        let letters = blobs.indices.filter {
            let box = blobs[$0].box
            return isFree[$0] && Double(box.height) >= RowLimits.minimumHeight * unit
                && Double(box.extent) <= RowLimits.maximumSize * unit
                && box.width <= RowLimits.maximumWidth * box.height
                && box.height <= RowLimits.maximumNarrowness * box.width
        }
        let cell = max(RowLimits.minimumCell, Int(RowLimits.cell * unit))
        let (across, down) = (size.width / cell + 1, size.height / cell + 1)
        var cells = [[Int32]](repeating: [], count: across * down)
        for index in letters {
            let box = blobs[index].box
            for y in box.top / cell...(box.bottom - 1) / cell {
                for x in box.left / cell...(box.right - 1) / cell { cells[y * across + x].append(Int32(index)) }
            }
        }
        for index in letters {
            let box = blobs[index].box
            func search(_ window: Bounds, _ isLike: (Bounds) -> Bool) {
                for y in max(0, window.top) / cell...min(size.height - 1, window.bottom - 1) / cell {
                    for x in max(0, window.left) / cell...min(size.width - 1, window.right - 1) / cell {
                        for other in cells[y * across + x] where Int(other) != index {
                            if isLike(blobs[Int(other)].box) { parents[root(Int(other))] = root(index) }
                        }
                    }
                }
            }
            let right = box.right + RowLimits.gap.of(box.height) + 1
            search(Bounds(left: box.right - 1, top: box.top, right: right, bottom: box.bottom)) {
                Rows.isNextInRow($0, box)
            }
            // Downwards, for lines in that direction.
            guard box.height <= 2 * box.width else { continue }
            let bottom = box.bottom + box.width / 2 + 1
            search(Bounds(left: box.left, top: box.bottom - 1, right: box.right, bottom: bottom)) {
                Rows.isNextInColumn($0, box)
            }
        }
        var counts = [Int](repeating: 0, count: blobs.count)
        for index in letters { counts[root(index)] += 1 }
        number = blobs.indices.map { root($0) }
        length = [Int](repeating: 0, count: blobs.count)
        for index in letters { length[index] = counts[root(index)] }
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
    mutating func leave(_ blob: Int) { length[blob] = 1 }
}
