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
        for box in boxes {
            for y in box.top / cell...(box.bottom - 1) / cell {
                for x in box.left / cell...(box.right - 1) / cell { map[y * across + x] = 0 }
            }
        }
        let (straight, slanted) = (Float(cell), Float(cell) * 1.4)
        for y in 0..<down {
            for x in 0..<across {
                var least = map[y * across + x]
                if x > 0 { least = min(least, map[y * across + x - 1] + straight) }
                if y > 0 {
                    least = min(least, map[(y - 1) * across + x] + straight)
                    if x > 0 { least = min(least, map[(y - 1) * across + x - 1] + slanted) }
                    if x < across - 1 { least = min(least, map[(y - 1) * across + x + 1] + slanted) }
                }
                map[y * across + x] = least
            }
        }
        for y in stride(from: down - 1, through: 0, by: -1) {
            for x in stride(from: across - 1, through: 0, by: -1) {
                var least = map[y * across + x]
                if x < across - 1 { least = min(least, map[y * across + x + 1] + straight) }
                if y < down - 1 {
                    least = min(least, map[(y + 1) * across + x] + straight)
                    if x > 0 { least = min(least, map[(y + 1) * across + x - 1] + slanted) }
                    if x < across - 1 { least = min(least, map[(y + 1) * across + x + 1] + slanted) }
                }
                map[y * across + x] = least
            }
        }
        distances = map
    }

    /// How far a box is from the nearest one, in pixels.
    func distance(_ box: Bounds) -> Double {
        var least = Float(1e9)
        for y in box.top / cell...(box.bottom - 1) / cell {
            for x in box.left / cell...(box.right - 1) / cell { least = min(least, distances[y * across + x]) }
        }
        return Double(least)
    }
}
