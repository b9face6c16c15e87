internal import CTIFF
package import PageModel

/// An encoder for black and white as CCITT Group 4 (ITU-T T.6) through libtiff.
package enum FaxEncoder {
    /// Encodes rows of one bit a pixel, 0 for black; pixels of index 0 count as black. An end-of-block code ends the data.
    ///
    /// - Returns: nil if the samples have more than one bit, or libtiff refuses them.
    package static func encode(_ raster: Raster) -> [UInt8]? {
        guard raster.format.bitsPerPixel == 1 else { return nil }
        let file = TIFFSink().file(isLarge: false) { tiff in
            func set(_ tag: CInt, _ values: any CVarArg...) -> Bool {
                withVaList(values) { TIFFVSetField(tiff, UInt32(tag), $0) } == 1
            }
            guard set(TIFFTAG_IMAGEWIDTH, UInt32(raster.size.width)),
                set(TIFFTAG_IMAGELENGTH, UInt32(raster.size.height)), set(TIFFTAG_BITSPERSAMPLE, CInt(1)),
                set(TIFFTAG_SAMPLESPERPIXEL, CInt(1)), set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE),
                set(TIFFTAG_ROWSPERSTRIP, UInt32(raster.size.height)), set(TIFFTAG_COMPRESSION, COMPRESSION_CCITTFAX4)
            else { return false }
            // Fax has short codes for long runs of zeros, and most of a page is white.
            var inverted = raster.samples.map { ~$0 }
            let count = inverted.withUnsafeMutableBytes {
                TIFFWriteEncodedStrip(tiff, 0, $0.baseAddress, tmsize_t($0.count))
            }
            return count == inverted.count
        }
        guard let file, let directory = TIFFDirectory(ByteReader(file)),
            let offset = directory.integers(.stripOffsets)?.first,
            let count = directory.integers(.stripByteCounts)?.first, offset + count <= file.count
        else { return nil }
        return Array(file[offset..<offset + count])
    }
}
