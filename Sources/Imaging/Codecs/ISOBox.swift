/// A box of the ISO base media file format (ISO 14496-12 §4.2), used by HEIF, AVIF, JPEG XL and JPEG 2000.
struct ISOBox {
    let type: FourCC
    /// The offset of its contents, counted in the bytes in which it was found.
    let start: Int
    /// The offset after its last byte; may be beyond the bytes given.
    let end: Int
    private let bytes: ByteReader

    /// Creates the box at an offset; nil if the bytes end before its header does, or its size is impossible.
    init?(_ bytes: ByteReader, at offset: Int) {
        guard let size = bytes.uint32(at: offset), let type = bytes.fourCC(at: offset + 4) else { return nil }
        switch size {
        case 0:
            // It reaches to the end of the file.
            start = offset + 8
            end = max(start, bytes.count)
        case 1:
            guard let size = bytes.uint64(at: offset + 8), size >= 16 else { return nil }
            start = offset + 16
            end = offset + size
        default:
            guard size >= 8 else { return nil }
            start = offset + 8
            end = offset + size
        }
        self.type = type
        self.bytes = bytes
    }

    /// The part of the box's contents that the bytes hold.
    var contents: ByteReader? {
        bytes.part(at: start, count: min(end, bytes.count) - start)
    }

    /// Whether the whole box is present.
    var isComplete: Bool { end <= bytes.count }

    /// Returns the consecutive boxes in `bytes`; the last may be truncated.
    static func all(in bytes: ByteReader, from start: Int = 0) -> some Sequence<ISOBox> {
        sequence(state: start) { (offset: inout Int) -> ISOBox? in
            guard let box = ISOBox(bytes, at: offset) else { return nil }
            offset = box.end
            return box
        }
    }

    /// Returns the contents of the first box of a type.
    static func first(_ type: FourCC, in bytes: ByteReader, from start: Int = 0) -> ByteReader? {
        all(in: bytes, from: start).first { $0.type == type }?.contents
    }

    /// Whether every box in a file ends within it, and one of them holds the image.
    static func areComplete(in bytes: ByteReader, with picture: Set<FourCC>) -> Bool {
        var found = false
        for box in all(in: bytes) {
            // Any data may follow a complete image, and a file may end in padding.
            guard box.isComplete else { return found }
            found = found || picture.contains(box.type)
        }
        return found
    }
}
