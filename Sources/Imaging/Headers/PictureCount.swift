internal import PageModel

/// How many pictures a file holds: the pages of a TIFF, the frames of an animation.
///
/// Decoding gives the first alone; whoever writes that in place of the file must say what is lost.
public enum PictureCount {
    /// - Parameter file: all bytes of a file.
    /// - Returns: 1 where there is no more, or the format is none that holds more, or damage hides how many there are.
    public static func pictures(in file: [UInt8]) -> Int {
        let bytes = ByteReader(file)
        let count =
            switch PictureFormats.recognise(bytes)?.1 {
            case .tiff: pages(bytes)
            case .gif: GIFFormat.frames(bytes)
            case .webp: chunks("ANMF", bytes)
            case .png: animatedFrames(bytes)
            default: 1
            }
        return max(1, count)
    }

    /// The directories of a TIFF that are no small versions of others (TIFF 6.0 §2, NewSubfileType).
    private static func pages(_ bytes: ByteReader) -> Int {
        guard let layout = TIFFDirectory.order(of: bytes) else { return 1 }
        let (order, isBig) = (layout.order, layout.isBig)
        func number(_ offset: Int) -> Int? { isBig ? bytes.uint64(at: offset, order) : bytes.uint32(at: offset, order) }
        var next = number(isBig ? 8 : 4)
        var seen: Set<Int> = []
        var pages = 0
        // Hostile files have directories that lead back to others.
        while let start = next, start > 0, seen.insert(start).inserted {
            guard let count = isBig ? bytes.uint64(at: start, order) : bytes.uint16(at: start, order),
                count <= bytes.count
            else { break }
            let (first, width) = (start + (isBig ? 8 : 2), isBig ? 20 : 12)
            let subfile = (0..<count).first { bytes.uint16(at: first + $0 * width, order) == 254 }
            let kind = subfile.flatMap { bytes.uint32(at: first + $0 * width + (isBig ? 12 : 8), order) } ?? 0
            if kind & 1 == 0 { pages += 1 }
            next = number(first + count * width)
        }
        return pages
    }

    /// The chunks of one name in a RIFF file.
    private static func chunks(_ wanted: FourCC, _ bytes: ByteReader) -> Int {
        var (offset, count) = (12, 0)
        while let name = bytes.fourCC(at: offset), let length = bytes.uint32(at: offset + 4, .little) {
            if name == wanted { count += 1 }
            offset += 8 + length + length % 2
        }
        return count
    }

    /// What the acTL chunk says (PNG 3rd edition §11.3.6.1), which stands before the picture's data.
    private static func animatedFrames(_ bytes: ByteReader) -> Int {
        var offset = 8
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IDAT" {
            if name == "acTL" { return bytes.uint32(at: offset + 8) ?? 1 }
            offset += 12 + length
        }
        return 1
    }
}
