extension SequentialScan {
    /// Returns the scan with only those segments that libjpeg needs to decode a part of it.
    ///
    /// An image may have many parts, and more metadata than pixels. Their header must be given the Huffman codes.
    func forParts() -> SequentialScan {
        var (jfif, adobe): (JPEGSegments.Segment?, JPEGSegments.Segment?) = (nil, nil)
        var tables: [Int: JPEGSegments.Segment] = [:]
        var rest: [JPEGSegments.Segment] = []
        for segment in segments {
            let contents = segment.contents
            switch segment.marker {
            case 0xE0 where contents.has("JFIF\0") && contents.count >= 14:
                // libjpeg warns about any version but 1, and a warning must not get lost.
                if jfif == nil || contents.uint8(at: 5) != 1 { jfif = segment }
            case 0xEE where contents.has("Adobe"):
                // libjpeg reads 12 bytes of the last one, and ignores a shorter one.
                if let start = contents.part(at: 0, count: 12) { adobe = segment.with(start) }
            case 0xDB:
                // A later table replaces one of the same number.
                var offset = 0
                while let head = contents.uint8(at: offset),
                    let table = contents.part(at: offset, count: head >> 4 == 0 ? 65 : 129)
                {
                    tables[head & 15] = segment.with(table)
                    offset += table.count
                }
            case 0xC0, 0xC1, 0xDA: rest.append(segment)
            default: break
            }
        }
        var scan = self
        scan.segments = [jfif, adobe].compactMap { $0 }
        scan.segments += tables.sorted { $0.key < $1.key }.map(\.value)
        scan.segments += rest
        return scan
    }
}

extension JPEGSegments.Segment {
    fileprivate func with(_ contents: ByteReader) -> JPEGSegments.Segment {
        JPEGSegments.Segment(marker: marker, offset: offset, contents: contents)
    }
}
