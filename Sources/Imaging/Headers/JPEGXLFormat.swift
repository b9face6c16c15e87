internal import PageModel

/// JPEG XL: a bare codestream (ISO 18181-1) or one in boxes (ISO 18181-2).
enum JPEGXLFormat: PictureFormat {
    private static let container: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    private static let codestream: [UInt8] = [0xFF, 0x0A]

    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        bytes.has(container) || bytes.has(codestream) ? .jpegXL : nil
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        if bytes.has(codestream) { return sizeHeader(bytes) }
        for box in Box.all(in: bytes) {
            if box.type == "jxlc" { return box.contents.flatMap(sizeHeader) }
            // A piece of the codestream, after the piece's number.
            if box.type == "jxlp" { return box.contents?.part(from: 4).flatMap(sizeHeader) }
        }
        return nil
    }

    /// The SizeHeader bundle, right after the signature (ISO 18181-1, D.2), and the orientation behind it (D.3.1).
    private static func sizeHeader(_ bytes: ByteReader) -> PixelSize? {
        guard bytes.has(codestream), let payload = bytes.part(from: 2) else { return nil }
        var bits = BitReader(payload)
        guard let isSmall = bits.take(1).map({ $0 == 1 }), let height = side(&bits, isSmall: isSmall),
            let ratio = bits.take(3)
        else { return nil }
        let width: Int?
        if ratio > 0 {
            let (numerator, denominator) = ratios[ratio - 1]
            width = height * numerator / denominator
        } else {
            width = side(&bits, isSmall: isSmall)
        }
        return PixelSize(stated: width, height).map { orientation(&bits).applied(to: $0) }
    }

    /// Told in three bits, where the metadata are not all the default (1) and have extra fields (1).
    private static func orientation(_ bits: inout BitReader) -> Orientation {
        guard bits.take(1) == 0, bits.take(1) == 1, let value = bits.take(3) else { return .upright }
        return Orientation(exif: value + 1) ?? .upright
    }

    /// One side: small ones are multiples of eight in five bits, others take as many bits as two bits say.
    private static func side(_ bits: inout BitReader, isSmall: Bool) -> Int? {
        if isSmall { return bits.take(5).map { 8 * ($0 + 1) } }
        return bits.take(2).flatMap { bits.take([9, 13, 18, 30][$0]) }.map { $0 + 1 }
    }

    private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

    /// Whether the file tells how the JPEG was coded that it was made of (ISO 18181-2, 9.5).
    static func holdsJPEG(_ bytes: ByteReader) -> Bool {
        bytes.has(container) && Box.all(in: bytes).contains { $0.type == "jbrd" }
    }

    /// A bare codestream does not say how long it is.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        bytes.has(codestream) || Box.areComplete(in: bytes, with: ["jxlc", "jxlp"])
    }

    /// Bits from the lowest of each byte upwards.
    private struct BitReader {
        private let bytes: ByteReader
        private var position = 0

        init(_ bytes: ByteReader) {
            self.bytes = bytes
        }

        mutating func take(_ count: Int) -> Int? {
            var value = 0
            for bit in 0..<count {
                guard let byte = bytes.uint8(at: position / 8) else { return nil }
                value |= (byte >> (position % 8) & 1) << bit
                position += 1
            }
            return value
        }
    }
}
