/// The parts of a JPEG's metadata that show an image, or point at data after it. They are false once the image is changed.
extension JPEGMetadata {
    /// Returns a changed image's file without the parts that are false now; a file without such parts is returned as it is.
    ///
    /// They are previews, pointers to data after the original image, and the mark of pages merged into it.
    ///
    /// Previews are in EXIF (CIPA DC-008), JFXX (ITU-T T.871, annex A), Photoshop resources, XMP, and in segments of cameras.
    package static func removingStaleParts(from file: [UInt8]) -> [UInt8] {
        let segments = Array(JPEGSegments(ByteReader(file)))
        let dropsExtension = XMPPruning.isExtensionStale(segments)
        // Photoshop's resources may continue in the next segment.
        let resources = segments.filter { $0.isPhotoshop }
        let photoshop = PhotoshopResources.withoutThumbnails(resources.map(\.contents))
        var isPhotoshopWritten = false
        var result: [UInt8] = []
        var copied = 0
        for segment in segments.dropLast() {
            let contents = segment.contents
            var changed: [[UInt8]]?
            switch segment.marker {
            case 0xE0 where contents.has("JFXX\0"): changed = []
            case 0xE0 where contents.has("JFIF\0"):
                if contents.count > 14 { changed = [Array(contents.array.prefix(12)) + [0, 0]] }
            case 0xE1 where contents.has("Exif\0\0"):
                let kept = EXIFPreviews.removed(from: contents.array)
                if kept != contents.array { changed = [kept] }
            case 0xE1 where contents.has(XMPPruning.name):
                let kept = XMPPruning.pruned(contents.array, droppingExtension: dropsExtension)
                if kept != contents.array { changed = [kept] }
            case 0xE1 where contents.has(XMPPruning.extensionName): if dropsExtension { changed = [] }
            case 0xE2 where contents.has("ICC_PROFILE\0"): break
            case 0xE2 where contents.has("MPF\0") || contents.has("urn:iso:std:iso:ts:21496:"): changed = []
            case 0xED where segment.isPhotoshop:
                if let photoshop {
                    changed = isPhotoshopWritten ? [] : photoshop
                    isPhotoshopWritten = true
                }
            case 0xFE: if MergeMark(comment: contents) != nil { changed = [] }
            case 0xE0...0xEF: if EXIFPreviews.firstJPEG(in: contents.array, from: 0) != nil { changed = [] }
            default: break
            }
            guard let changed else { continue }
            result += file[copied..<segment.offset]
            for contents in changed { SequentialScan.append(segment.marker, contents, to: &result) }
            copied = segment.offset + 4 + contents.count
        }
        return copied == 0 ? file : result + file[copied...]
    }
}

extension JPEGSegments.Segment {
    /// Whether it has Photoshop's image resources.
    fileprivate var isPhotoshop: Bool { marker == 0xED && contents.has(PhotoshopResources.name) }
}

/// The previews in an EXIF segment: the thumbnail of its second directory, and those in the notes of cameras.
private enum EXIFPreviews {
    /// Returns the contents of a segment without previews. The offsets of other values stay.
    static func removed(from contents: [UInt8]) -> [UInt8] {
        let start = 6
        guard let tiff = ByteReader(contents).part(from: start), let layout = TIFFDirectory.order(of: tiff),
            !layout.isBig
        else { return contents }
        let order = layout.order
        var (blank, link) = ([Range<Int>](), 0..<0)
        if let first = tiff.uint32(at: 4, order), let count = tiff.uint16(at: first, order),
            let second = tiff.uint32(at: first + 2 + 12 * count, order), second > 0
        {
            link = first + 2 + 12 * count..<first + 6 + 12 * count
            blank = ranges(ofDirectory: second, in: tiff, order)
        }
        var kept = contents
        func clear(_ range: Range<Int>) {
            let range = range.clamped(to: 0..<kept.count)
            for place in range { kept[place] = 0 }
        }
        for range in blank + [link] { clear(range.lowerBound + start..<range.upperBound + start) }
        var place = start
        while let preview = firstJPEG(in: kept, from: place) {
            clear(preview)
            blank.append(preview.lowerBound - start..<preview.upperBound - start)
            place = preview.upperBound
        }
        // The thumbnail is usually the last part.
        for range in blank.sorted(by: { $0.upperBound > $1.upperBound }) where range.upperBound + start >= kept.count {
            kept.removeSubrange(max(start, range.lowerBound + start)..<kept.count)
        }
        return kept
    }

    /// Returns the places of a directory and of its thumbnail, as far as they exist.
    private static func ranges(
        ofDirectory directory: Int, in tiff: ByteReader, _ order: ByteReader.Order
    ) -> [Range<Int>] {
        guard let count = tiff.uint16(at: directory, order),
            tiff.part(at: directory + 2, count: 12 * count) != nil
        else { return [] }
        var values: [Int: Int] = [:]
        for entry in 0..<count {
            let place = directory + 2 + 12 * entry
            guard let tag = tiff.uint16(at: place, order), let type = tiff.uint16(at: place + 2, order) else {
                continue
            }
            values[tag] = type == 3 ? tiff.uint16(at: place + 8, order) : tiff.uint32(at: place + 8, order)
        }
        var ranges = [directory..<min(tiff.count, directory + 6 + 12 * count)]
        // JPEGInterchangeFormat and its length; the offset and length of a strip.
        for (start, length) in [(0x0201, 0x0202), (0x0111, 0x0117)] {
            guard let start = values[start], let length = values[length], tiff.part(at: start, count: length) != nil
            else {
                continue
            }
            ranges.append(start..<start + length)
        }
        return ranges
    }

    /// Returns the place of the first JPEG in some bytes, from its first marker to its last.
    static func firstJPEG(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        let reader = ByteReader(bytes)
        var place = start
        while let found = reader.firstOffset(of: 0xFF, from: place) {
            place = found + 1
            guard reader.has([0xFF, 0xD8, 0xFF], at: found), let file = reader.part(from: found),
                JPEGSegments(file).contains(where: { $0.marker == 0xDA })
            else { continue }
            return found..<found + (JPEGCodec.end(of: file) ?? file.count)
        }
        return nil
    }
}

/// Photoshop's image resources ("Adobe Photoshop File Formats Specification").
private enum PhotoshopResources {
    static let name: StaticString = "Photoshop 3.0\0"
    /// The most bytes in a segment.
    private static let maximum = 65_533
    /// The thumbnail as JPEG or as samples, in the form of Photoshop 4 and of 5.
    private static let thumbnails = [1033, 1036]

    /// Returns the contents of segments without thumbnails; nil if they have none.
    static func withoutThumbnails(_ segments: [ByteReader]) -> [[UInt8]]? {
        let title = Array("Photoshop 3.0\0".utf8)
        let all = segments.flatMap { $0.array.dropFirst(title.count) }
        let bytes = ByteReader(all)
        var kept: [UInt8] = []
        var (place, hasThumbnail) = (0, false)
        while bytes.has("8BIM", at: place), let id = bytes.uint16(at: place + 4), let name = bytes.uint8(at: place + 6)
        {
            // The name has an even length with its count; so have the data.
            let head = place + 6 + (name + 2) / 2 * 2
            guard let count = bytes.uint32(at: head) else { break }
            let end = min(all.count, head + 4 + (count + 1) / 2 * 2)
            if thumbnails.contains(id) { hasThumbnail = true } else { kept += all[place..<end] }
            place = end
        }
        guard hasThumbnail else { return nil }
        kept += all[place...]
        return stride(from: 0, to: kept.count, by: maximum - title.count).map { start in
            title + kept[start..<min(kept.count, start + maximum - title.count)]
        }
    }
}
