internal import LayoutAnalysis
internal import PageModel

/// The lengths in the chamfer distance map. They approximate straight distances to within a tenth.
enum DistanceMapLimits {
    /// The lengths of steps to the next cell, in tenths of a cell's side: 14 is about ten times the square root of 2.
    static let (straight, slanted) = (10, 14)
    /// The number of tenths in a pixel.
    static let tenths = 10.0
    /// A distance longer than any; sums of it and a few cells do not overflow.
    static let far: Int32 = 1_000_000_000
}

/// A map of the distances to the nearest of some boxes.
///
/// It is a chamfer distance map (Borgefors, "Distance transformations in digital images", 1986) over small cells.
struct DistanceMap {
    private typealias Vector = SIMD8<Int32>

    private let cell: Int
    /// The cells in a line, with one more at each end: with them, and a line above and below, every cell has neighbors.
    private let stride: Int
    /// The distances in tenths of a pixel.
    private var distances: [Int32]

    init(_ size: PixelSize, cell: Int, boxes: some Sequence<Bounds>) {
        self.cell = cell
        let (across, down) = (size.width / cell + 1, size.height / cell + 1)
        let stride = across + 2
        self.stride = stride
        distances = [Int32](repeating: DistanceMapLimits.far, count: stride * (down + 2))
        var isEmpty = true
        for box in boxes {
            isEmpty = false
            for y in box.top / cell...(box.bottom - 1) / cell {
                for x in box.left / cell...(box.right - 1) / cell { distances[(y + 1) * stride + x + 1] = 0 }
            }
        }
        if isEmpty { return }
        let (straight, slanted) = (
            Int32(clamping: DistanceMapLimits.straight * cell), Int32(clamping: DistanceMapLimits.slanted * cell)
        )
        distances.withUnsafeMutableBufferPointer { map in
            /// Compares the cells of a line with those of a finished neighboring line.
            ///
            /// It compares several at a time, because the compiler cannot see that the lines do not overlap.
            func relax(_ row: Int, at other: Int) {
                let bytes = UnsafeMutableRawBufferPointer(map)
                func cells(_ place: Int) -> Vector {
                    bytes.loadUnaligned(fromByteOffset: place * MemoryLayout<Int32>.stride, as: Vector.self)
                }
                var x = 1
                while x + Vector.scalarCount <= across + 1 {
                    let diagonal = pointwiseMin(cells(other + x - 1), cells(other + x + 1)) &+ slanted
                    let near = pointwiseMin(cells(other + x) &+ straight, diagonal)
                    bytes.storeBytes(
                        of: pointwiseMin(cells(row + x), near),
                        toByteOffset: (row + x) * MemoryLayout<Int32>.stride, as: Vector.self)
                    x += Vector.scalarCount
                }
                while x <= across {
                    let near = min(map[other + x - 1], map[other + x + 1]) &+ slanted
                    map[row + x] = min(map[row + x], min(map[other + x] &+ straight, near))
                    x += 1
                }
            }
            for y in 1...down {
                let row = y * stride
                relax(row, at: row - stride)
                for x in 1...across { map[row + x] = min(map[row + x], map[row + x - 1] &+ straight) }
            }
            for y in (1...down).reversed() {
                let row = y * stride
                relax(row, at: row + stride)
                for x in (1...across).reversed() { map[row + x] = min(map[row + x], map[row + x + 1] &+ straight) }
            }
        }
    }

    /// Returns the distance of a box from the nearest one, in pixels, to within half a cell.
    func distance(_ box: Bounds) -> Double {
        var shortest = DistanceMapLimits.far
        for y in box.top / cell...(box.bottom - 1) / cell {
            let row = (y + 1) * stride + 1
            for x in box.left / cell...(box.right - 1) / cell { shortest = min(shortest, distances[row + x]) }
        }
        // Two boxes are anywhere in their cells.
        return max(0, Double(shortest) / DistanceMapLimits.tenths - Double(cell) / 2)
    }
}
