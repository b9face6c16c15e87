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
        let place =
            JPEGSegments(ByteReader(file)).prefix { $0.marker == 0xE0 || $0.marker == 0xE1 }.last
            .map { $0.offset + 4 + $0.contents.count } ?? 2
        return Array(file[..<place]) + segments + file[place...]
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
