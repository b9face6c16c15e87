/// The segments of a JPEG file from its beginning to its first scan (ITU-T T.81 Annex B).
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        /// The second byte of the marker.
        let marker: UInt8
        /// The offset of the marker's first byte.
        let offset: Int
        /// The contents without their length.
        let contents: ByteReader
    }

    private let bytes: ByteReader
    private var offset = 2
    private var reachedScan = false

    /// - Parameter bytes: a JPEG file from its first byte.
    init(_ bytes: ByteReader) {
        self.bytes = bytes
    }

    /// The next segment, the last being the header of the first scan; nil when the bytes end before it does.
    ///
    /// Bytes between segments are passed over, as libjpeg does.
    mutating func next() -> Segment? {
        guard !reachedScan else { return nil }
        while let found = bytes.firstOffset(of: 0xFF, from: offset), let code = bytes.uint8(at: found + 1) {
            switch code {
            case 0xFF:
                offset = found + 1
            case 0x00, 0x01, 0xD0...0xD7:
                offset = found + 2
            case 0xD8, 0xD9:
                return nil
            default:
                guard let length = bytes.uint16(at: found + 2), length >= 2,
                    let contents = bytes.part(at: found + 4, count: length - 2)
                else { return nil }
                offset = found + 2 + length
                reachedScan = code == 0xDA
                return Segment(marker: UInt8(truncatingIfNeeded: code), offset: found, contents: contents)
            }
        }
        return nil
    }
}
