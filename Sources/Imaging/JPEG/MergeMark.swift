internal import CDeflate
internal import PageModel

/// A note in a JPEG that jisui merged of pages, of where each of them lies: what it takes to have them again as they
/// were.
///
/// It is a comment segment (ITU-T T.81, B.2.4.5), which readers pass over, and other programs copy even when they turn the
/// picture or cut it: so it tells what picture data it was made for.
struct MergeMark: Hashable, Sendable {
    /// Of the whole picture. In a picture of another size the note is not to be believed: it was cut since.
    let size: PixelSize
    /// From left to right.
    let pages: [PixelRect]
    /// The CRC-32 of all bytes from the first scan on.
    let checksum: UInt32

    private static let title = "jisui merged "

    init(size: PixelSize, pages: [PixelRect], checksum: UInt32) {
        self.size = size
        self.pages = pages
        self.checksum = checksum
    }

    /// What `checksum` is for a file.
    ///
    /// - Parameter scanOffset: of the first scan.
    static func checksum(of file: [UInt8], from scanOffset: Int) -> UInt32 {
        file[scanOffset...].withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }

    /// Nil when the comment is something else, or makes no sense.
    init?(comment: ByteReader) {
        guard comment.count < 1000, comment.has(Array(MergeMark.title.utf8)),
            let text = String(validating: comment.array.dropFirst(MergeMark.title.utf8.count), as: UTF8.self)
        else { return nil }
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().map { $0.split(separator: ",").compactMap { Int($0) } }
        guard let checksum = words.first.flatMap({ UInt32($0, radix: 16) }), let size = numbers.first, size.count == 2,
            (2...3).contains(numbers.count), let whole = PixelSize(stated: size[0], size[1])
        else { return nil }
        let pages = numbers.dropFirst().compactMap { rect in
            rect.count == 4 ? PixelRect(x: rect[0], y: rect[1], width: rect[2], height: rect[3]) : nil
        }
        guard pages.count == numbers.count - 1,
            // Pages are much of the picture, or nobody has merged them.
            pages.allSatisfy({
                PixelRect(x: 0, y: 0, whole).contains($0) && $0.width * 8 >= whole.width
                    && $0.height * 4 >= whole.height
            }),
            zip(pages, pages.dropFirst()).allSatisfy({ $0.x + $0.width <= $1.x })
        else { return nil }
        self.init(size: whole, pages: pages, checksum: checksum)
    }

    /// "jisui merged 8d3f0a11 2494,1760 0,0,1240,1748 1248,0,1246,1758"
    var comment: String {
        MergeMark.title + String(checksum, radix: 16) + " \(size.width),\(size.height)"
            + pages.map { " \($0.x),\($0.y),\($0.width),\($0.height)" }.joined()
    }
}
