internal import PageModel

/// The mixture of the rows that different methods scaled, by the textures at each pixel.
struct TextureBlend {
    /// The target columns of a row that need a method.
    typealias Runs = [Range<Int>]

    private let map: TextureMap
    private let (width, height): (Int, Int)
    /// The share of the right cell at each target column.
    private let parts: [Float]
    /// The target columns that are between the middles of a cell and the next one.
    private let between: [Range<Int>]
    /// The weights of screentone and of pictures in the rows of cells around the current row.
    private var (above, below): ([SIMD2<Float>], [SIMD2<Float>]) = ([], [])
    /// The row of cells above the current row; nil before the first row.
    private var rowAbove: Int?
    /// The weights of screentone and of pictures at the pixels of `mixed`.
    private var weights: [SIMD2<Float>]
    /// The columns of the current row that need each method, and those that need others than that for lines.
    private(set) var (line, picture, tone): (Runs, Runs, Runs) = ([], [], [])
    private var mixed: Runs = []
    /// The cells whose columns are in `mixed`.
    private var mixedCells: [Int] = []

    init(_ map: TextureMap, to target: PixelSize) {
        self.map = map
        (width, height) = (target.width, target.height)
        let scale = Double(map.width) / Double(width)
        let last = map.cellsAcross - 1
        let places = (0..<width).map { TextureBlend.place($0, scale, last) }
        parts = places.map(\.part)
        var end = 0
        between = (0...last).map { cell in
            let start = end
            while end < places.count, places[end].cell == cell { end += 1 }
            return start..<end
        }
        weights = [SIMD2<Float>](repeating: .zero, count: width)
    }

    /// Returns the cell whose middle is before a target pixel, and the share of the next cell.
    private static func place(_ pixel: Int, _ scale: Double, _ last: Int) -> (cell: Int, part: Float) {
        let place = max(0, ((Double(pixel) + 0.5) * scale) / Double(TextureMap.cell) - 0.5)
        let cell = min(Int(clamping: place.rounded(.down), to: 0...last), max(0, last - 1))
        return (cell, last == 0 ? 0 : Float(min(place - Double(cell), 1)))
    }

    /// Finds the methods that a target row needs, and their weights.
    mutating func prepare(row: Int) {
        let last = map.cellsDown - 1
        let (cell, part) = TextureBlend.place(row, Double(map.height) / Double(height), last)
        if rowAbove != cell {
            rowAbove = cell
            (above, below) = (weights(ofRow: cell), weights(ofRow: min(cell + 1, last)))
            findRuns()
        }
        for cell in mixedCells {
            let left = TextureBlend.blended(above[cell], below[cell], part)
            let next = min(cell + 1, above.count - 1)
            let right = TextureBlend.blended(above[next], below[next], part)
            for x in between[cell] { weights[x] = TextureBlend.blended(left, right, parts[x]) }
        }
    }

    @inline(__always)
    private static func blended(_ one: SIMD2<Float>, _ other: SIMD2<Float>, _ part: Float) -> SIMD2<Float> {
        one + (other - one) * part
    }

    /// Finds the columns that need each method in the target rows between two rows of cells.
    private mutating func findRuns() {
        (line, picture, tone, mixed, mixedCells) = ([], [], [], [], [])
        for (cell, columns) in between.enumerated() where !columns.isEmpty {
            let next = min(cell + 1, above.count - 1)
            // No weight is negative.
            let corners = above[cell] + above[next] + below[cell] + below[next]
            if corners.sum() < 4 { TextureBlend.add(columns, to: &line) }
            guard corners != .zero else { continue }
            mixedCells.append(cell)
            TextureBlend.add(columns, to: &mixed)
            if corners.x > 0 { TextureBlend.add(columns, to: &tone) }
            if corners.y > 0 { TextureBlend.add(columns, to: &picture) }
        }
    }

    private static func add(_ columns: Range<Int>, to runs: inout Runs) {
        if let last = runs.last, last.upperBound == columns.lowerBound {
            runs[runs.count - 1] = last.lowerBound..<columns.upperBound
        } else {
            runs.append(columns)
        }
    }

    /// Returns the weights of screentone and of pictures in a row of cells.
    private func weights(ofRow row: Int) -> [SIMD2<Float>] {
        let (side, blocks) = (TextureMap.rowsOfBand, map.bands[row / TextureMap.rowsOfBand])
        return map.tones(ofRow: row).enumerated().map { column, tone in
            SIMD2(tone, blocks[column / side].kind == .picture ? 1 - tone : 0)
        }
    }

    /// Writes one channel of a row. Rows of methods have the columns that need them.
    func write(
        line: UnsafePointer<Float>, picture: UnsafePointer<Float>, tone: UnsafePointer<Float>,
        into output: UnsafeMutablePointer<UInt8>, step: Int
    ) {
        var end = 0
        for run in mixed {
            write(line, end..<run.lowerBound, into: output, step)
            mix(line, picture, tone, run, into: output, step)
            end = run.upperBound
        }
        write(line, end..<width, into: output, step)
    }

    private func write(
        _ line: UnsafePointer<Float>, _ columns: Range<Int>, into output: UnsafeMutablePointer<UInt8>, _ step: Int
    ) {
        if step == 1 {
            for x in columns { output[x] = TextureBlend.rounded(min(max(line[x], 0), 255)) }
        } else {
            for x in columns { output[x &* step] = TextureBlend.rounded(min(max(line[x], 0), 255)) }
        }
    }

    /// Returns the nearest level of a value from 0 to 255: the last bits of a sum whose last bit is 1. Unlike a conversion,
    /// several are made at a time.
    @inline(__always) private static func rounded(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: (value + 8_388_608).bitPattern)
    }

    private func mix(
        _ line: UnsafePointer<Float>, _ picture: UnsafePointer<Float>, _ tone: UnsafePointer<Float>,
        _ columns: Range<Int>, into output: UnsafeMutablePointer<UInt8>, _ step: Int
    ) {
        SRGBCurve.sample8.withUnsafeBufferPointer { curve in
            weights.withUnsafeBufferPointer { weights in
                func level(_ light: Float) -> Float {
                    // In range: the value is 0 to 1.
                    Float(curve[Int(min(max(light, 0), 1) * 65535 + 0.5)])
                }
                for x in columns {
                    let weight = weights[x]
                    var sum: Float = 0
                    let rest = 1 - weight.x - weight.y
                    if rest > 0 { sum += min(max(line[x], 0), 255) * rest }
                    if weight.x > 0 { sum += level(tone[x]) * weight.x }
                    if weight.y > 0 { sum += level(picture[x]) * weight.y }
                    output[x &* step] = TextureBlend.rounded(sum)
                }
            }
        }
    }
}
