internal import CTIFF
package import PageModel

/// A decoder for CCITT Group 3 and Group 4 data (ITU-T T.4, T.6) through libtiff.
package struct FaxDecoder: Hashable, Sendable {
    /// The kind of fax coding; K is the parameter of PDF's CCITTFaxDecode (ISO 32000-1, 7.4.6).
    package enum Coding: Hashable, Sendable {
        /// Group 4 (K < 0).
        case group4
        /// Group 3 with one-dimensional rows only (K = 0).
        case group3OneDimensional
        /// Group 3 with one- and two-dimensional rows (K > 0).
        case group3Mixed
    }

    package var coding: Coding
    package var size: PixelSize

    package init(coding: Coding, size: PixelSize) {
        self.coding = coding
        self.size = size
    }

    /// Decodes an image of the given size. The result is nil if the data is damaged.
    ///
    /// - Returns: rows of one bit a pixel, 0 for black. Each row starts on a byte boundary.
    package func decode(_ data: [UInt8]) -> [UInt8]? {
        let file = TIFFInMemory(file(around: data))
        let rowBytes = (size.width + 7) / 8
        let total = rowBytes * size.height
        let rows = file.withTIFF { tiff -> [UInt8]? in
            // White, for rows after the end of the data.
            var rows = [UInt8](repeating: 0, count: total)
            let count = TIFFReadEncodedStrip(tiff, 0, &rows, tmsize_t(total))
            guard count == tmsize_t(total) else { return nil }
            // libtiff uses 1 for black; PNG and PDF use 0.
            for index in rows.indices { rows[index] = ~rows[index] }
            return rows
        }
        return file.firstError == nil ? rows ?? nil : nil
    }
}

extension FaxDecoder {
    /// Returns a TIFF file that wraps fax data, so that libtiff decodes it.
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
