internal import CDeflate
package import PageModel

/// Changes to the metadata of a JPEG file that leave its image data as it is.
package enum JPEGMetadata {
    /// Returns the file with an ICC profile inserted after its JFIF and EXIF segments, split into segments per ICC.1, annex B.4.
    package static func inserting(profile: [UInt8], into file: [UInt8]) -> [UInt8] {
        let maximum = 65_519
        let count = (profile.count + maximum - 1) / maximum
        guard count > 0, count < 256 else { return file }
        var segments: [UInt8] = []
        for number in 1...count {
            let part = profile[(number - 1) * maximum..<min(number * maximum, profile.count)]
            let length = UInt16(2 + 14 + part.count)
            segments += [0xFF, 0xE2, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
            segments += Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(count)] + part
        }
        let place = placeBehindFirstSegments(of: file)
        return Array(file[..<place]) + segments + file[place...]
    }

    /// Returns the file without its ICC profile.
    package static func removingProfile(from file: [UInt8]) -> [UInt8] {
        let name = Array("ICC_PROFILE\0".utf8)
        return removing(from: file) { $0.marker == 0xE2 && $0.contents.has(name) }
    }

    private static func removing(from file: [UInt8], _ isUnwanted: (JPEGSegments.Element) -> Bool) -> [UInt8] {
        var copy = file
        for segment in JPEGSegments(ByteReader(file)).filter(isUnwanted).reversed() {
            copy.removeSubrange(segment.offset..<segment.offset + 4 + segment.contents.count)
        }
        return copy
    }

    /// Returns the offset after the JFIF and EXIF segments, which come first in a file.
    private static func placeBehindFirstSegments(of file: [UInt8]) -> Int {
        JPEGSegments(ByteReader(file)).prefix { $0.marker == 0xE0 || $0.marker == 0xE1 }.last
            .map { $0.offset + 4 + $0.contents.count } ?? 2
    }

    /// Returns the file with a comment that gives the places of the pages from which it was merged. It replaces an older one.
    ///
    /// - Parameter pages: the places of the pages, from left to right, in pixels.
    package static func marking(pages: [PixelRect], mergedInto size: PixelSize, in file: [UInt8]) -> [UInt8] {
        let file = removingMergeMark(from: file)
        guard let scan = JPEGHeader(file)?.scanOffset else { return file }
        let mark = MergeMark(size: size, pages: pages, checksum: MergeMark.checksum(of: file, from: scan))
        let comment = Array(mark.comment.utf8)
        let length = UInt16(2 + comment.count)
        let segment = [0xFF, 0xFE, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + comment
        let place = placeBehindFirstSegments(of: file)
        return Array(file[..<place]) + segment + file[place...]
    }

    /// Returns the places of the pages in a file that jisui merged, from left to right.
    ///
    /// The result is empty if the file has no such comment, or the image was changed since.
    package static func mergedPages(in file: [UInt8]) -> [PixelRect] {
        guard let header = JPEGHeader(file), let scan = header.scanOffset, let mark = header.mergeMark,
            mark.checksum == MergeMark.checksum(of: file, from: scan)
        else { return [] }
        return mark.pages
    }

    static func removingMergeMark(from file: [UInt8]) -> [UInt8] {
        removing(from: file) { $0.marker == 0xFE && MergeMark(comment: $0.contents) != nil }
    }

    /// Returns the file with its EXIF orientation set to 1, "as stored"; no other byte changes.
    package static func resettingOrientation(of file: [UInt8]) -> [UInt8] {
        let name = Array("Exif\0\0".utf8)
        var copy = file
        for segment in JPEGSegments(ByteReader(file)) where segment.marker == 0xE1 && segment.contents.has(name) {
            guard let tiff = segment.contents.part(from: name.count) else { continue }
            let order: ByteReader.Order = tiff.has("II") ? .little : .big
            guard let directory = tiff.uint32(at: 4, order), let count = tiff.uint16(at: directory, order) else {
                continue
            }
            let start = segment.offset + 4 + name.count
            for entry in 0..<count {
                let offset = directory + 2 + 12 * entry
                // Orientation is one SHORT in the first half of the entry's value; some programs write a BYTE or a LONG.
                let width = [1: 1, 4: 4][tiff.uint16(at: offset + 2, order) ?? 0] ?? 2
                guard tiff.uint16(at: offset, order) == 0x0112, tiff.part(at: offset + 8, count: width) != nil else {
                    continue
                }
                for index in 0..<width {
                    let isLowest = index == (order == .little ? 0 : width - 1)
                    copy[start + offset + 8 + index] = isLowest ? 1 : 0
                }
            }
        }
        return copy
    }
}

/// A comment in a JPEG merged from pages that gives the place of each page, so that they can be split again.
///
/// It is a comment segment (ITU-T T.81, B.2.4.5), which decoders ignore. Other programs copy it even if they rotate or crop the
/// image. So it has a checksum of the image data for which it was made.
struct MergeMark: Hashable, Sendable {
    /// The size of the whole image. In an image of another size the comment is ignored: the image was cropped since.
    let size: PixelSize
    /// The pages from left to right.
    let pages: [PixelRect]
    /// The CRC-32 of all bytes from the first scan on.
    let checksum: UInt32

    private static let title = "jisui merged "

    init(size: PixelSize, pages: [PixelRect], checksum: UInt32) {
        self.size = size
        self.pages = pages
        self.checksum = checksum
    }

    /// Returns the value of `checksum` for a file.
    ///
    /// - Parameter scanOffset: the offset of the first scan.
    static func checksum(of file: [UInt8], from scanOffset: Int) -> UInt32 {
        file[scanOffset...].withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }

    /// Returns nil if the comment is a different one, or is invalid.
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
            // Pages cover much of the image; otherwise it is not a merged one.
            pages.allSatisfy({
                PixelRect(x: 0, y: 0, whole).contains($0) && $0.width * 8 >= whole.width
                    && $0.height * 4 >= whole.height
            }),
            zip(pages, pages.dropFirst()).allSatisfy({ $0.x + $0.width <= $1.x })
        else { return nil }
        self.init(size: whole, pages: pages, checksum: checksum)
    }

    /// The text of the comment, such as "jisui merged 8d3f0a11 2494,1760 0,0,1240,1748 1248,0,1246,1758".
    var comment: String {
        MergeMark.title + String(checksum, radix: 16) + " \(size.width),\(size.height)"
            + pages.map { " \($0.x),\($0.y),\($0.width),\($0.height)" }.joined()
    }
}
