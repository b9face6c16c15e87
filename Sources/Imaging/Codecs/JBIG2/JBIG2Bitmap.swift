internal import PageModel

/// A bilevel image with one byte for each pixel: 1 for black.
struct JBIG2Bitmap {
    /// The operators that put one bitmap on another (ITU-T T.88, 7.4.1.5).
    enum Operator: Int {
        case or, and, xor, xnor, replace
    }

    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, color: UInt8 = 0) {
        (self.width, self.height) = (width, height)
        pixels = [UInt8](repeating: color, count: width * height)
    }

    /// A pixel; 0 outside of the bitmap.
    subscript(x: Int, y: Int) -> UInt8 {
        x >= 0 && x < width && y >= 0 && y < height ? pixels[y * width + x] : 0
    }

    /// Puts another bitmap on this one. Pixels outside of it are dropped.
    mutating func put(_ other: JBIG2Bitmap, atX left: Int, y top: Int, _ operation: Operator) {
        let columns = max(0, -left)..<max(max(0, -left), min(other.width, width - left))
        let rows = max(0, -top)..<max(max(0, -top), min(other.height, height - top))
        guard !columns.isEmpty else { return }
        let ownWidth = width
        pixels.withUnsafeMutableBufferPointer { own in
            other.pixels.withUnsafeBufferPointer { other_ in
                for row in rows {
                    let (start, source) = ((top + row) * ownWidth + left, row * other.width)
                    for column in columns {
                        let (old, new) = (own[start + column], other_[source + column])
                        own[start + column] =
                            switch operation {
                            case .or: old | new
                            case .and: old & new
                            case .xor: old ^ new
                            case .xnor: old ^ new ^ 1
                            case .replace: new
                            }
                    }
                }
            }
        }
    }

    /// Returns a part of the bitmap.
    func part(x left: Int, y top: Int, width: Int, height: Int) -> JBIG2Bitmap {
        var part = JBIG2Bitmap(width: width, height: height)
        part.put(self, atX: -left, y: -top, .replace)
        return part
    }

    /// The rows of one bit a pixel, 0 for black. Each row starts on a byte boundary.
    var packedRows: [UInt8] {
        let rowBytes = (width + 7) / 8
        var rows = [UInt8](repeating: 0xFF, count: rowBytes * height)
        for y in 0..<height {
            for x in 0..<width where pixels[y * width + x] != 0 {
                rows[y * rowBytes + x / 8] &= ~(0x80 >> UInt8(x % 8))
            }
        }
        return rows
    }
}

/// The limits of decoding: a few bytes can demand any amount of memory or time.
final class JBIG2Budget {
    private var pixelsLeft: Int

    /// - Parameter area: the number of pixels of the image.
    init(area: Int) {
        pixelsLeft = 1 << 26 + 32 * min(area, 1 << 40)
    }

    /// - Throws: `.tooLarge` if more pixels were decoded or put on others than any real image needs.
    func spend(_ width: Int, _ height: Int) throws(PictureFault) {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width >= 0, height >= 0, !overflow, area < pixelsLeft else {
            throw PictureFault("the JBIG2 data needs too much memory", kind: .tooLarge)
        }
        // Empty bitmaps cost time as well.
        pixelsLeft -= area + 1
    }
}

extension PictureFault {
    static let brokenJBIG2 = PictureFault("the JBIG2 data is damaged")
}
