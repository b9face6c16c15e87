internal import PageModel

extension FaxDecoder {
    /// A TIFF file made up around fax data, so that libtiff will decode it.
    func file(around data: [UInt8]) -> [UInt8] {
        let (compression, options): (UInt32, UInt32) =
            switch coding {
            case .group4: (4, 0)
            case .group3OneDimensional: (3, 0)
            case .group3Mixed: (3, 1)
            }
        // ImageWidth, ImageLength, BitsPerSample, Compression, PhotometricInterpretation (min is white),
        // StripOffsets, SamplesPerPixel, RowsPerStrip, StripByteCounts, T4Options.
        var fields: [(tag: UInt16, value: UInt32)] = [
            (256, UInt32(size.width)), (257, UInt32(size.height)), (258, 1), (259, compression),
            (262, 0), (273, 0), (277, 1), (278, UInt32(size.height)), (279, UInt32(data.count)),
        ]
        if compression == 3 { fields.append((292, options)) }
        let start = 8 + 2 + 12 * fields.count + 4
        var file: [UInt8] = Array("II".utf8) + UInt16(42).littleEndianBytes + UInt32(8).littleEndianBytes
        file += UInt16(fields.count).littleEndianBytes
        for (tag, value) in fields {
            let type: UInt16 = 4  // LONG
            file += tag.littleEndianBytes + type.littleEndianBytes + UInt32(1).littleEndianBytes
            file += (tag == 273 ? UInt32(start) : value).littleEndianBytes
        }
        file += UInt32(0).littleEndianBytes
        return file + data
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] {
        (0..<bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> Self(8 * $0)) }
    }
}
