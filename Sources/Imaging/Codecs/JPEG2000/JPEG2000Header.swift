package import PageModel

/// The description of the image in a simple JP2 file: gray or RGB, all components alike, without alpha.
package struct JPEG2000Header: Hashable, Sendable {
    package let size: PixelSize
    /// Whether it has one component rather than three.
    package let isGray: Bool
    /// The bits of a sample.
    package let bits: Int
    /// The profile of its colors; nil for sRGB, or gray with the tone curve of sRGB.
    package let iccProfile: [UInt8]?
    /// The pixels per inch of capture or display.
    package let resolution: Resolution?

    /// Reads the boxes of a file (ITU-T T.800, annex I) and the frame of its codestream (A.5.1). The result is nil if it is not a
    /// JP2 file, or not simple.
    ///
    /// An image is not simple if it has other numbers of components, a palette, alpha, other color spaces, or signed or
    /// subsampled components.
    package init?(_ file: [UInt8]) {
        let bytes = ByteReader(file)
        guard JPEG2000Codec.encoding(of: bytes) == .jpeg2000, let header = ISOBox.first("jp2h", in: bytes),
            let main = ISOBox.first("ihdr", in: header), let stream = ISOBox.first("jp2c", in: bytes),
            let size = JPEG2000Codec.size(in: bytes), let count = main.uint16(at: 8), [1, 3].contains(count)
        else { return nil }
        var colors: ByteReader?
        var resolution: Resolution?
        for box in ISOBox.all(in: header) {
            switch box.type {
            // The first one present is the preferred one (I.5.3.3).
            case "colr": colors = colors ?? box.contents
            case "pclr", "cmap", "cdef": return nil
            case "res ": resolution = box.contents.flatMap(JPEG2000Header.resolution)
            default: break
            }
        }
        guard stream.has([0xFF, 0x4F, 0xFF, 0x51]), stream.uint16(at: 40) == count, let depth = stream.uint8(at: 42),
            [7, 15].contains(depth),
            (0..<count).allSatisfy({ stream.has([UInt8(depth), 1, 1], at: 42 + 3 * $0) }), let colors
        else { return nil }
        switch colors.uint8(at: 0) {
        case 1:
            // Enumerated: 16 is sRGB, 17 gray.
            guard colors.uint32(at: 3) == (count == 1 ? 17 : 16) else { return nil }
            iccProfile = nil
        case 2:
            guard let profile = colors.part(from: 3)?.array,
                ICCProfile(profile).colorSpace == (count == 1 ? "GRAY" : "RGB ")
            else { return nil }
            iccProfile = profile
        default: return nil
        }
        self.size = size
        isGray = count == 1
        bits = depth + 1
        self.resolution = resolution
    }

    /// Whether the colors of a file or a codestream are luma and chroma (sYCC): stated, or with less resolution for the second and
    /// third component.
    package static func isYCC(_ file: [UInt8]) -> Bool {
        let bytes = ByteReader(file)
        let header = ISOBox.first("jp2h", in: bytes)
        if let colors = header.flatMap({ ISOBox.first("colr", in: $0) }), colors.uint8(at: 0) == 1 {
            return colors.uint32(at: 3) == 18
        }
        let stream = ISOBox.first("jp2c", in: bytes) ?? bytes
        guard stream.has([0xFF, 0x4F, 0xFF, 0x51]), (stream.uint16(at: 40) ?? 0) >= 3 else { return false }
        return stream.uint8(at: 43) == 1 && (stream.uint8(at: 46) ?? 1) > 1
    }

    /// Returns the resolution box (I.5.3.7): that of display if it exists, otherwise that of capture.
    private static func resolution(_ contents: ByteReader) -> Resolution? {
        guard let box = ISOBox.first("resd", in: contents) ?? ISOBox.first("resc", in: contents),
            let vertical = perInch(box, at: 0, exponent: 8), let horizontal = perInch(box, at: 4, exponent: 9)
        else { return nil }
        return Resolution(horizontal: horizontal, vertical: vertical)
    }

    /// Converts a fraction with a power of ten, in pixels per meter, to pixels per inch.
    private static func perInch(_ box: ByteReader, at offset: Int, exponent place: Int) -> Double? {
        guard let numerator = box.uint16(at: offset), let denominator = box.uint16(at: offset + 2),
            let exponent = box.uint8(at: place), numerator > 0, denominator > 0
        else { return nil }
        var value = Double(numerator) / Double(denominator) * 0.0254
        let power = exponent < 128 ? exponent : exponent - 256
        for _ in 0..<min(abs(power), 20) { value = power > 0 ? value * 10 : value / 10 }
        return value
    }
}
