internal import PageModel

/// How far each place is from the nearest of some boxes: a chamfer distance map (Borgefors, "Distance transformations
/// in digital images", 1986) over small cells.
struct NearMap {
    private let cell: Int
    private let across: Int
    private let down: Int
    private var distances: [Float]

    init(_ size: PixelSize, cell: Int, boxes: some Sequence<Bounds>) {
        self.cell = cell
        (across, down) = (size.width / cell + 1, size.height / cell + 1)
        let (across, down) = (across, down)
        var map = [Float](repeating: 1e9, count: across * down)
        var isEmpty = true
        for box in boxes {
            isEmpty = false
            for y in box.top / cell...(box.bottom - 1) / cell {
                for x in box.left / cell...(box.right - 1) / cell { map[y * across + x] = 0 }
            }
        }
        if isEmpty {
            distances = map
            return
        }
        let (straight, slanted) = (Float(cell), Float(cell) * 1.4)
        map.withUnsafeMutableBufferPointer { map in
            /// Compares a cell with those of the line before it, and with the one before it in its own.
            func pass(_ y: Int, _ columns: some Sequence<Int>, before line: Int, _ step: Int) {
                let (row, other) = (y * across, (y + line) * across)
                let hasLine = (0..<down).contains(y + line)
                for x in columns {
                    var least = map[row + x]
                    if (0..<across).contains(x + step) { least = min(least, map[row + x + step] + straight) }
                    if hasLine {
                        least = min(least, map[other + x] + straight)
                        if x > 0 { least = min(least, map[other + x - 1] + slanted) }
                        if x < across - 1 { least = min(least, map[other + x + 1] + slanted) }
                    }
                    map[row + x] = least
                }
            }
            for y in 0..<down { pass(y, 0..<across, before: -1, -1) }
            for y in (0..<down).reversed() { pass(y, (0..<across).reversed(), before: 1, 1) }
        }
        distances = map
    }

    /// How far a box is from the nearest one, in pixels, give or take half a cell.
    func distance(_ box: Bounds) -> Double {
        var least = Float(1e9)
        for y in box.top / cell...(box.bottom - 1) / cell {
            for x in box.left / cell...(box.right - 1) / cell {
                least = min(least, distances[y * across + x])
            }
        }
        // Two boxes lie anywhere in their cells.
        return max(0, Double(least) - Double(cell) / 2)
    }
}
