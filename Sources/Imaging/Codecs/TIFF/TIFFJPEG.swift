package import PageModel

/// A page of a TIFF whose data are one JPEG (TIFF Technical Note 2, compression 7), as a JPEG file of its own.
extension TIFFPage {
    /// Returns the JPEG with unchanged data, the tables that the TIFF stores separately, its resolution and its profile.
    ///
    /// The result is nil if the page is not such a JPEG, is longer than `maximumBytes`, or would look different outside the TIFF.
    /// This applies to several strips or tiles, to rotated pages, and to colors that JPEG decoders misinterpret. `read` returns
    /// that many bytes of the TIFF from an offset, or as many as there are.
    ///
    /// - Throws: any error of `read`.
    package func jpegPicture<Failure: Error>(
        maximumBytes: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> EncodedPicture? {
        guard let parts = try jpegParts(maximumBytes: maximumBytes, read: read) else { return nil }
        let (start, data) = (parts.start, parts.data)
        let head = start + (try read(data.lowerBound, min(data.count, PictureHeader.headCount)))
        guard let frame = JPEGHeader(head), frame.scanOffset != nil, frame.size == parts.size, frame.precision == 8,
            frame.components.count == parts.components, (frame.adobeTransform ?? 1) == 1 || parts.components == 1,
            frame.exifOrientation ?? 1 == 1, [.baseline, .extended, .progressive].contains(frame.frame),
            try read(data.upperBound - 2, 2) == [0xFF, 0xD9], let header = PictureHeader(head)
        else { return nil }
        var picture = header.picture(byteCount: start.count + data.count) {
            start + (try read(data.lowerBound, data.count))
        }
        picture.repair = "the JPEG in the TIFF, its data untouched"
        return picture
    }

    private struct JPEGParts {
        /// The bytes before the data: the start of the image, JFIF, the profile, the tables.
        let start: [UInt8]
        /// The range of the data in the TIFF, without the start of the image.
        let data: Range<Int>
        let size: PixelSize
        let components: Int
    }

    private func jpegParts<Failure: Error>(
        maximumBytes: Int, read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> JPEGParts? {
        guard let directory = try stored.directory(at: start, read: read) else { return nil }
        var values: [Int: (value: [UInt8], type: Int)] = [:]
        for entry in directory.entries where JPEGTag.all.contains(entry.tag) {
            guard let value = try stored.value(of: entry, read: read) else { return nil }
            values[entry.tag] = (value, entry.type)
        }
        func numbers(_ tag: Int) -> [Int] { values[tag].flatMap { stored.integers($0.value, $0.type) } ?? [] }
        guard numbers(JPEGTag.compression) == [7], (numbers(JPEGTag.orientation).first ?? 1) == 1,
            numbers(JPEGTag.bits).allSatisfy({ $0 == 8 }),
            let size = PixelSize(stated: numbers(JPEGTag.width).first, numbers(JPEGTag.height).first)
        else { return nil }
        let components = numbers(JPEGTag.samples).first ?? 1
        switch (numbers(JPEGTag.photometric), components) {
        case ([1], 1): break
        case ([6], 3) where numbers(JPEGTag.planes) != [2]: break
        default: return nil
        }
        let offsets = numbers(JPEGTag.stripOffsets) + numbers(JPEGTag.tileOffsets)
        let counts = numbers(JPEGTag.stripCounts) + numbers(JPEGTag.tileCounts)
        guard offsets.count == 1, counts.count == 1, counts[0] > 4, offsets[0] <= stored.byteCount - counts[0],
            try read(offsets[0], 2) == [0xFF, 0xD8]
        else { return nil }
        var file: [UInt8] = [0xFF, 0xD8] + jfif(try density(directory, read: read))
        if let profile = values[JPEGTag.profile]?.value {
            file = JPEGMetadata.inserting(profile: profile, into: file)
        }
        if let tables = values[JPEGTag.tables]?.value {
            guard tables.starts(with: [0xFF, 0xD8]), tables.suffix(2) == [0xFF, 0xD9] else { return nil }
            file += tables[2..<tables.count - 2]
        }
        guard file.count + counts[0] <= maximumBytes else { return nil }
        return JPEGParts(
            start: file, data: offsets[0] + 2..<offsets[0] + counts[0], size: size, components: components)
    }

    /// Returns the pixels per inch or centimeter, as JFIF counts them: the unit, and whole numbers across and down.
    private func density<Failure: Error>(
        _ directory: StoredDirectories.Directory, read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> (unit: Int, across: Int, down: Int)? {
        var (unit, fractions) = (2, [Int: Int]())
        for entry in directory.entries {
            switch entry.tag {
            case 296: unit = stored.integers(entry.field, entry.type)?.first ?? 2
            case 282, 283:
                guard entry.type == 5, let value = try stored.value(of: entry, read: read),
                    let parts = stored.integers(value, 4), parts.count == 2, parts[1] > 0
                else { return nil }
                fractions[entry.tag] = Int(checked: (Double(parts[0]) / Double(parts[1])).rounded())
            default: break
            }
        }
        guard unit == 2 || unit == 3, let across = fractions[282], let down = fractions[283],
            (1...65_535).contains(across), (1...65_535).contains(down)
        else { return nil }
        return (unit - 1, across, down)
    }

    /// Returns a JFIF segment, which promises decoders gray or YCbCr.
    private func jfif(_ density: (unit: Int, across: Int, down: Int)?) -> [UInt8] {
        let (unit, across, down) = density ?? (0, 1, 1)
        return [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, UInt8(unit)]
            + [across >> 8, across & 255, down >> 8, down & 255].map { UInt8(truncatingIfNeeded: $0) } + [0, 0]
    }
}

private enum JPEGTag {
    static let (width, height, bits, compression, photometric) = (256, 257, 258, 259, 262)
    static let (stripOffsets, orientation, samples, stripCounts, planes) = (273, 274, 277, 279, 284)
    static let (tileOffsets, tileCounts, tables, profile) = (324, 325, 347, 34675)
    static let all: Set = [256, 257, 258, 259, 262, 273, 274, 277, 279, 284, 324, 325, 347, 34675]
}
