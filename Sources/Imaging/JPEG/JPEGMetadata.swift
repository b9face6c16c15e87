public import PageModel

/// Changes to the metadata of a JPEG file that leave its picture data as it is.
public enum JPEGMetadata {
    /// The file with an ICC profile put in, behind its JFIF and EXIF segments, in the parts ICC.1 annex B.4 asks for.
    public static func inserting(profile: [UInt8], into file: [UInt8]) -> [UInt8] {
        let most = 65_519
        let count = (profile.count + most - 1) / most
        guard count > 0, count < 256 else { return file }
        var segments: [UInt8] = []
        for number in 1...count {
            let part = profile[(number - 1) * most..<min(number * most, profile.count)]
            let length = UInt16(2 + 14 + part.count)
            segments += [0xFF, 0xE2, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
            segments += Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(count)] + part
        }
        let place = placeBehindFirstSegments(of: file)
        return Array(file[..<place]) + segments + file[place...]
    }

    /// Behind the JFIF and EXIF segments, which come first in a file.
    private static func placeBehindFirstSegments(of file: [UInt8]) -> Int {
        JPEGSegments(ByteReader(file)).prefix { $0.marker == 0xE0 || $0.marker == 0xE1 }.last
            .map { $0.offset + 4 + $0.contents.count } ?? 2
    }

    /// The file with a note of where the pages lie that it was merged of, instead of any older one.
    public static func marking(pages: [PixelRect], mergedInto size: PixelSize, in file: [UInt8]) -> [UInt8] {
        let file = removingMergeMark(from: file)
        guard let scan = JPEGHeader(file)?.scanOffset else { return file }
        let mark = MergeMark(size: size, pages: pages, checksum: MergeMark.checksum(of: file, from: scan))
        let comment = Array(mark.comment.utf8)
        let length = UInt16(2 + comment.count)
        let segment = [0xFF, 0xFE, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + comment
        let place = placeBehindFirstSegments(of: file)
        return Array(file[..<place]) + segment + file[place...]
    }

    /// Where pages lie in a file, from left to right, as the note says that jisui left; empty when there is none, or the
    /// picture was changed since.
    public static func mergedPages(in file: [UInt8]) -> [PixelRect] {
        guard let header = JPEGHeader(file), let scan = header.scanOffset, let mark = header.mergeMark,
            mark.checksum == MergeMark.checksum(of: file, from: scan)
        else { return [] }
        return mark.pages
    }

    static func removingMergeMark(from file: [UInt8]) -> [UInt8] {
        let marks = JPEGSegments(ByteReader(file)).filter {
            $0.marker == 0xFE && MergeMark(comment: $0.contents) != nil
        }
        var copy = file
        for mark in marks.reversed() { copy.removeSubrange(mark.offset..<mark.offset + 4 + mark.contents.count) }
        return copy
    }

    /// The file with its EXIF orientation set to 1, "as stored": no other byte changes.
    public static func resettingOrientation(of file: [UInt8]) -> [UInt8] {
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
                // Orientation is one SHORT, kept in the first half of the entry's value; some write a BYTE or a LONG.
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
