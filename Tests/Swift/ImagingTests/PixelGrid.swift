import PageModel

/// A picture as one number a pixel: slow, and too simple to be wrong.
struct PixelGrid: Equatable {
    let format: PixelFormat
    var rows: [[UInt64]]

    var size: PixelSize { PixelSize(width: rows.first?.count ?? 0, height: rows.count) }

    init(_ format: PixelFormat, _ rows: [[UInt64]]) {
        self.format = format
        self.rows = rows
    }

    init(_ raster: Raster) {
        format = raster.format
        let bits = raster.format.bitsPerPixel
        rows = (0..<raster.size.height).map { y in
            (0..<raster.size.width).map { x in
                (0..<bits).reduce(0) { value, bit in
                    let place = x * bits + bit
                    let byte = raster.samples[y * raster.bytesPerRow + place / 8]
                    return value << 1 | UInt64(byte >> (7 - UInt8(place % 8)) & 1)
                }
            }
        }
    }

    /// A picture of chance; its every bit may be set.
    static func random(
        _ format: PixelFormat, _ size: PixelSize, using random: inout some RandomNumberGenerator
    ) -> PixelGrid {
        let maximum = UInt64(1) << format.bitsPerPixel &- 1
        return PixelGrid(
            format,
            (0..<size.height).map { _ in (0..<size.width).map { _ in UInt64.random(in: 0...maximum, using: &random) } })
    }

    /// - Parameter padding: the bits that fill up the last byte of a row.
    func raster(padding: UInt8 = 0, resolution: Resolution? = nil, iccProfile: [UInt8]? = nil) -> Raster {
        let bits = format.bitsPerPixel
        let rowBytes = Raster.bytesPerRow(width: size.width, format: format)
        var samples: [UInt8] = []
        for row in rows {
            var bytes = [UInt8](repeating: 0, count: rowBytes)
            for place in 0..<rowBytes * 8 {
                let (x, bit) = (place / bits, bits - 1 - place % bits)
                let isSet = x < row.count ? row[x] >> UInt64(bit) & 1 == 1 : padding & 1 == 1
                if isSet { bytes[place / 8] |= 1 << (7 - UInt8(place % 8)) }
            }
            samples += bytes
        }
        return Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }

    func applying(_ edits: [Edit]) -> PixelGrid {
        var copy = self
        for edit in edits {
            switch edit {
            case .crop(let rect):
                copy.rows = copy.rows[rect.y..<rect.y + rect.height].map { Array($0[rect.x..<rect.x + rect.width]) }
            case .keep(let rect, let whole):
                precondition(whole == copy.size, "what is kept is told of this size")
                copy = copy.applying([.crop(rect)])
            case .inset(let insets):
                func pixels(_ length: Insets.Length, of whole: Int) -> Int {
                    switch length {
                    case .pixels(let count): count
                    case .percent(let share): Int((Double(whole) * share / 100).rounded())
                    }
                }
                let (width, height) = (copy.size.width, copy.size.height)
                copy.rows = copy.rows.dropFirst(pixels(insets.top, of: height))
                    .dropLast(pixels(insets.bottom, of: height)).map { row in
                        Array(row.dropFirst(pixels(insets.left, of: width)).dropLast(pixels(insets.right, of: width)))
                    }
            case .turn(let quarters):
                for _ in 0..<quarters { copy.turn() }
            case .mirror: copy.rows = copy.rows.map { Array($0.reversed()) }
            }
        }
        return copy
    }

    /// Turns once, clockwise: the first row becomes the last column.
    private mutating func turn() {
        let old = rows
        rows = (0..<size.width).map { x in old.reversed().map { $0[x] } }
    }
}
