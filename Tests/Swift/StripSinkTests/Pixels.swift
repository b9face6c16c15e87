import Imaging
import PageModel

/// A picture as red, green and blue of 16 bits a pixel: slow, and too simple to be wrong.
struct Pixels: Equatable {
    var rows: [[SIMD3<Int>]]

    var size: PixelSize { PixelSize(width: rows.first?.count ?? 0, height: rows.count) }

    init(_ rows: [[SIMD3<Int>]]) {
        self.rows = rows
    }

    init(_ size: PixelSize, _ color: RGB) {
        rows = [[SIMD3<Int>]](
            repeating: [SIMD3<Int>](repeating: Pixels.value(color), count: size.width), count: size.height)
    }

    /// - Parameter background: what is seen through transparent pixels.
    init(_ raster: Raster, on background: RGB = .white) {
        let format = raster.format
        let (bits, count) = (format.bitsPerSample, format.bitsPerPixel / format.bitsPerSample)
        let maximum = 1 << bits - 1
        func sample(_ x: Int, _ y: Int, _ index: Int) -> Int {
            (0..<bits).reduce(0) { value, bit in
                let place = (x * count + index) * bits + bit
                return value << 1 | Int(raster.samples[y * raster.bytesPerRow + place / 8]) >> (7 - place % 8) & 1
            }
        }
        func color(_ x: Int, _ y: Int) -> SIMD3<Int> {
            switch format {
            case .gray: return SIMD3(repeating: sample(x, y, 0) * (65_535 / maximum))
            case .rgb: return SIMD3(sample(x, y, 0), sample(x, y, 1), sample(x, y, 2)) &* (65_535 / maximum)
            case .palette(_, let colors):
                let start = 3 * sample(x, y, 0)
                return SIMD3(Int(colors[start]), Int(colors[start + 1]), Int(colors[start + 2])) &* 257
            case .grayAlpha, .rgba:
                let alpha = sample(x, y, count - 1)
                let own = count == 2 ? [0, 0, 0] : [0, 1, 2]
                // At the picture's own depth, rounded to the nearest.
                let mixed = zip(own, [background.red, background.green, background.blue]).map { index, below in
                    (sample(x, y, index) * alpha + Int(below) * (maximum / 255) * (maximum - alpha) + maximum / 2)
                        / maximum
                }
                return SIMD3(mixed[0], mixed[1], mixed[2]) &* (65_535 / maximum)
            }
        }
        rows = (0..<raster.size.height).map { y in (0..<raster.size.width).map { color($0, y) } }
    }

    static func value(_ color: RGB) -> SIMD3<Int> {
        SIMD3(Int(color.red), Int(color.green), Int(color.blue)) &* 257
    }

    /// The picture that a previews shows of one with this EXIF orientation (CIPA DC-008: where row 0 and column 0 are).
    func turned(exif: Int) -> Pixels {
        func transposed(_ rows: [[SIMD3<Int>]]) -> [[SIMD3<Int>]] {
            (0..<(rows.first?.count ?? 0)).map { x in rows.map { $0[x] } }
        }
        func mirrored(_ rows: [[SIMD3<Int>]]) -> [[SIMD3<Int>]] { rows.map { $0.reversed() } }
        return switch exif {
        case 2: Pixels(mirrored(rows))
        case 3: Pixels(mirrored(rows.reversed()))
        case 4: Pixels(rows.reversed())
        case 5: Pixels(transposed(rows))
        case 6: Pixels(mirrored(transposed(rows)))
        case 7: Pixels(mirrored(transposed(rows).reversed()))
        case 8: Pixels(transposed(rows).reversed())
        default: self
        }
    }

    /// Draws another picture over this one.
    mutating func draw(_ other: Pixels, x: Int, y: Int) {
        for (line, row) in other.rows.enumerated() { rows[y + line].replaceSubrange(x..<x + row.count, with: row) }
    }

    /// As samples of 8 bits, which it must not exceed.
    func raster(isGray: Bool) -> Raster {
        Raster(
            size: size, format: isGray ? .gray(bits: 8) : .rgb(bits: 8),
            samples: rows.joined().flatMap { pixel in
                isGray ? [UInt8(pixel.x / 257)] : [pixel.x, pixel.y, pixel.z].map { UInt8($0 / 257) }
            })
    }
}
