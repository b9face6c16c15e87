internal import PageModel

/// The mixture of the rows that different methods scaled, by the textures at each pixel.
struct TextureBlend {
    private let map: TextureMap
    private let (width, height): (Int, Int)
    /// The left cell of each target column, and the share of the right one.
    private let columns: [(cell: Int, part: Float)]
    /// The weights of screentone and of pictures in the cells of the current row, and in the rows of cells around it.
    private var (cells, above, below): ([SIMD2<Float>], [SIMD2<Float>], [SIMD2<Float>])
    /// The row of cells above the current row; nil before the first row.
    private var rowAbove: Int?
    /// The weights of screentone and of pictures at the pixels of the current row; empty if only one method is used.
    private var weights: [SIMD2<Float>]

    init(_ map: TextureMap, to target: PixelSize) {
        self.map = map
        (width, height) = (target.width, target.height)
        let scale = Double(map.width) / Double(width)
        let last = map.cellsAcross - 1
        columns = (0..<width).map { TextureBlend.place($0, scale, last) }
        cells = [SIMD2<Float>](repeating: .zero, count: map.cellsAcross)
        (above, below) = (cells, cells)
        weights = [SIMD2<Float>](repeating: .zero, count: width)
    }

    /// Returns the cell whose middle is before a target pixel, and the share of the next cell.
    private static func place(_ pixel: Int, _ scale: Double, _ last: Int) -> (cell: Int, part: Float) {
        let place = max(0, ((Double(pixel) + 0.5) * scale) / Double(TextureMap.cell) - 0.5)
        let cell = min(Int(clamping: place.rounded(.down), to: 0...last), max(0, last - 1))
        return (cell, last == 0 ? 0 : Float(min(place - Double(cell), 1)))
    }

    /// Computes the weights at the pixels of a target row.
    mutating func prepare(row: Int) {
        let last = map.cellsDown - 1
        let (cell, part) = TextureBlend.place(row, Double(map.height) / Double(height), last)
        if rowAbove != cell {
            rowAbove = cell
            for column in cells.indices {
                above[column] = weight(column, cell)
                below[column] = weight(column, min(cell + 1, last))
            }
        }
        for column in cells.indices { cells[column] = above[column] + (below[column] - above[column]) * part }
        cells.withUnsafeBufferPointer { cells in
            weights.withUnsafeMutableBufferPointer { weights in
                for (x, column) in columns.enumerated() {
                    let left = cells[column.cell]
                    weights[x] = left + (cells[min(column.cell + 1, cells.count - 1)] - left) * column.part
                }
            }
        }
    }

    /// Returns the weights of screentone and of pictures in a cell.
    private func weight(_ column: Int, _ row: Int) -> SIMD2<Float> {
        let (tone, side) = (map.tone(column, row), TextureMap.rowsOfBand)
        return SIMD2(tone, map.bands[row / side][column / side].kind == .picture ? 1 - tone : 0)
    }

    /// Writes one channel of a row. Rows of methods that are not used are nil.
    func write(
        line: UnsafePointer<Float>?, picture: UnsafePointer<Float>?, tone: UnsafePointer<Float>?,
        into output: UnsafeMutablePointer<UInt8>, step: Int
    ) {
        SRGBCurve.sample8.withUnsafeBufferPointer { curve in
            func level(_ light: Float) -> Float {
                // In range: the value is 0 to 1.
                Float(curve[Int(min(max(light, 0), 1) * 65535 + 0.5)])
            }
            for x in 0..<width {
                let weight = weights[x]
                var sum: Float = 0
                let rest = 1 - weight.x - weight.y
                if let line, rest > 0 { sum += min(max(line[x], 0), 255) * rest }
                if let tone, weight.x > 0 { sum += level(tone[x]) * weight.x }
                if let picture, weight.y > 0 { sum += level(picture[x]) * weight.y }
                // In range: the sum is 0 to 255.
                output[x * step] = UInt8(truncatingIfNeeded: Int(sum + 0.5))
            }
        }
    }
}
