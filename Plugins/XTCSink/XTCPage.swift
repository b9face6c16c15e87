internal import AdapterKit
internal import Imaging
internal import PageModel

/// A page of an XTC: a header of 22 bytes, then the pixels.
struct XTCPage {
    let bytes: [UInt8]

    /// Decodes, reduces and rounds a page. Pages that were dithered to as many levels keep every pixel.
    ///
    /// - Throws: `.damaged`, `.unsupported` or `.tooLarge` if the image cannot be decoded.
    init(_ content: FinishedPage.Content, _ options: XTCOptions, maximumPixels: Int) throws(AdapterError) {
        let gray = try AdapterError.imaging { () throws(PictureFault) in
            let upright = try XTCPage.upright(content, maximumPixels: maximumPixels)
            return try upright.withoutProfile().flattened(on: .white).gray().scaled(to: options.shown(upright.size))
        }
        let pixels = ScreenPixels(gray, on: options.screen, levels: options.levels)
        let data = options.format == .xtc ? pixels.rows : pixels.planes
        bytes = XTCPage.header(options, byteCount: data.count) + data
    }

    /// Returns the samples of a page, rotated as it is shown.
    private static func upright(
        _ content: FinishedPage.Content, maximumPixels: Int
    ) throws(PictureFault) -> Raster {
        switch content {
        case .raster(let picture): return picture.raster
        case .encoded(let picture):
            let image = try PictureDecoder.decode(picture.bytes, picture.encoding, maximumPixels: maximumPixels)
            let orientation = picture.framing?.orientation ?? PictureHeader(picture.bytes)?.orientation ?? .upright
            return image.raster.framed(Framing(image.raster.size, orientation))
        case .document, .spread, .layered:
            throw PictureFault("an XTC consists of images, not of pages of documents", kind: .unsupported)
        }
    }

    /// The color mode, the compression and the checksum are 0: gray, none and absent.
    private static func header(_ options: XTCOptions, byteCount: Int) -> [UInt8] {
        var bytes = Array((options.format == .xtc ? "XTG\0" : "XTH\0").utf8)
        bytes.append(options.screen.width, bytes: 2)
        bytes.append(options.screen.height, bytes: 2)
        bytes.append(0, bytes: 2)
        bytes.append(byteCount, bytes: 4)
        bytes.append(0, bytes: 8)
        return bytes
    }
}

/// The pixels of a screen, with a page in its center on white.
struct ScreenPixels {
    private let size: PixelSize
    /// The gray levels of the rows from the top down; 0 is black.
    private let levels: [UInt8]

    /// - Parameters:
    ///   - gray: gray that fits on the screen. Its samples are rounded to the nearest levels.
    ///   - count: the number of levels.
    /// - Precondition: the raster has no alpha and fits on the screen.
    init(_ gray: Raster, on screen: PixelSize, levels count: Int) {
        size = screen
        let page = gray.widened().narrowed()
        let table = (0...255).map { UInt8(($0 * (count - 1) + 127) / 255) }
        let (left, top) = ((screen.width - page.size.width) / 2, (screen.height - page.size.height) / 2)
        var levels = [UInt8](repeating: UInt8(count - 1), count: screen.area)
        levels.withUnsafeMutableBufferPointer { levels in
            page.samples.withUnsafeBufferPointer { samples in
                for y in 0..<page.size.height {
                    let start = (top + y) * screen.width + left
                    for x in 0..<page.size.width {
                        levels[start + x] = table[Int(samples[y * page.size.width + x])]
                    }
                }
            }
        }
        self.levels = levels
    }

    /// The form of 1 bit: rows of whole bytes from the top, the left pixel in the highest bit; 0 is black.
    var rows: [UInt8] {
        let row = (size.width + 7) / 8
        var bytes = [UInt8](repeating: 0, count: row * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width where levels[y * size.width + x] != 0 {
                bytes[y * row + x / 8] |= 0x80 >> UInt8(x % 8)
            }
        }
        return bytes
    }

    /// The two bits of each level from black to white. White is 0, light gray 2, dark gray 1 and black 3.
    private static let codes: [UInt8] = [3, 1, 2, 0]

    /// The form of 2 bits: a plane of the high bits, and one of the low bits. Each has the columns from the right, as whole bytes
    /// from the top, the upper pixel in the highest bit.
    var planes: [UInt8] {
        let column = (size.height + 7) / 8
        let plane = column * size.width
        var bytes = [UInt8](repeating: 0, count: 2 * plane)
        for y in 0..<size.height {
            let bit: UInt8 = 0x80 >> UInt8(y % 8)
            for x in 0..<size.width {
                let code = ScreenPixels.codes[Int(levels[y * size.width + x])]
                let place = (size.width - 1 - x) * column + y / 8
                if code & 2 != 0 { bytes[place] |= bit }
                if code & 1 != 0 { bytes[plane + place] |= bit }
            }
        }
        return bytes
    }
}

extension [UInt8] {
    /// Appends a number with its least significant byte first.
    mutating func append(_ value: Int, bytes count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
