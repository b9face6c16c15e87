internal import CTIFF
package import PageModel

/// A lossless encoder for TIFF: black and white as fax (CCITT Group 4), everything else with deflate.
package enum TIFFEncoder {
    /// Encodes a raster as a TIFF with exactly its samples, its resolution and its profile.
    ///
    /// Equal images give equal bytes: no date is written. The image is split into strips of about 256 KB, so that decoders need
    /// little memory.
    ///
    /// - Throws: `PictureFault` if libtiff cannot write it.
    package static func encode(_ raster: Raster) throws(PictureFault) -> [UInt8] {
        try encode(raster, isCMYK: false)
    }

    /// - Parameter isCMYK: whether the four samples of each pixel are cyan, magenta, yellow and black.
    static func encode(_ raster: Raster, isCMYK: Bool) throws(PictureFault) -> [UInt8] {
        let file = TIFFSink().file(isLarge: raster.samples.count > 4_000_000_000) { tiff in
            TIFFFieldWriter(tiff).describe(raster, isCMYK: isCMYK, rowsPerStrip: rowsPerStrip(raster))
                && writeStrips(of: tiff, raster)
        }
        guard let file else { throw PictureFault("the TIFF cannot be encoded") }
        return file
    }

    private static func rowsPerStrip(_ raster: Raster) -> Int {
        max(1, min(raster.size.height, 1 << 18 / max(1, raster.bytesPerRow)))
    }

    private static func writeStrips(of tiff: OpaquePointer, _ raster: Raster) -> Bool {
        let rows = rowsPerStrip(raster)
        let row = raster.bytesPerRow
        var strip: [UInt8] = []
        for (index, first) in stride(from: 0, to: raster.size.height, by: rows).enumerated() {
            let end = min(first + rows, raster.size.height)
            // libtiff may change the data it is given.
            strip = Array(raster.samples[first * row..<end * row])
            prepare(&strip, raster)
            let count = strip.withUnsafeMutableBytes { strip in
                TIFFWriteEncodedStrip(tiff, UInt32(index), strip.baseAddress, tmsize_t(strip.count))
            }
            if count != strip.count { return false }
        }
        return true
    }

    /// Converts samples to the form that libtiff expects.
    private static func prepare(_ strip: inout [UInt8], _ raster: Raster) {
        let isFax = raster.format == .gray(bits: 1)
        // Fax has short codes for long runs of zeros, and most of a page is white.
        if isFax {
            for index in strip.indices { strip[index] = ~strip[index] }
        } else if raster.format.bitsPerSample == 16 {
            strip.withUnsafeMutableBytes { strip in
                let samples = strip.bindMemory(to: UInt16.self)
                for index in samples.indices { samples[index] = UInt16(bigEndian: samples[index]) }
            }
        }
        let row = raster.bytesPerRow
        let unused = row * 8 - raster.size.width * raster.format.bitsPerPixel
        if unused == 0 || isFax { return }
        // The padding is not part of the image.
        let mask = UInt8.max << UInt8(unused)
        for index in stride(from: row - 1, to: strip.count, by: row) { strip[index] &= mask }
    }
}

extension TIFFCodec: PictureEncodingCodec {
    static func encode(_ raster: Raster, _ fidelity: PictureEncoder.Fidelity) throws(PictureFault) -> [UInt8] {
        try TIFFEncoder.encode(raster)
    }
}
