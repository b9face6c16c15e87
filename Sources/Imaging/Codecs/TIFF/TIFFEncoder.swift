internal import CTIFF
public import PageModel

/// A lossless encoder for TIFF: black and white as fax (CCITT Group 4), everything else with deflate.
public enum TIFFEncoder {
    /// Encodes a raster as a TIFF with exactly its samples, its resolution and its profile.
    ///
    /// Equal images give equal bytes: no date is written. The image is split into strips of about 256 KB, so that decoders need
    /// little memory.
    ///
    /// - Throws: `PictureFault` if libtiff cannot write it.
    public static func encode(_ raster: Raster) throws(PictureFault) -> [UInt8] {
        try encode(raster, isCMYK: false)
    }

    /// - Parameter isCMYK: whether the four samples of each pixel are cyan, magenta, yellow and black.
    static func encode(_ raster: Raster, isCMYK: Bool) throws(PictureFault) -> [UInt8] {
        let file = TIFFSink().file(isLarge: raster.samples.count > 4_000_000_000) { tiff in
            setFields(of: tiff, raster, isCMYK: isCMYK) && writeStrips(of: tiff, raster)
        }
        guard let file else { throw PictureFault("the TIFF cannot be encoded") }
        return file
    }

    /// The compression level. It needs a quarter of the time of the usual 6 on a scanned page, for a file about a fiftieth
    /// larger.
    private static let deflateLevel: CInt = 4

    private static func rowsPerStrip(_ raster: Raster) -> Int {
        max(1, min(raster.size.height, 1 << 18 / max(1, raster.bytesPerRow)))
    }

    private static func setFields(of tiff: OpaquePointer, _ raster: Raster, isCMYK: Bool) -> Bool {
        func set(_ tag: CInt, _ values: any CVarArg...) -> Bool {
            withVaList(values) { TIFFVSetField(tiff, UInt32(tag), $0) } == 1
        }
        let format = raster.format
        let bits = format.bitsPerSample
        let photometric: CInt =
            switch format {
            case .rgba where isCMYK: PHOTOMETRIC_SEPARATED
            case .gray(bits: 1): PHOTOMETRIC_MINISWHITE
            case .gray, .grayAlpha: PHOTOMETRIC_MINISBLACK
            case .rgb, .rgba: PHOTOMETRIC_RGB
            case .palette: PHOTOMETRIC_PALETTE
            }
        let isFax = format == .gray(bits: 1)
        var isSet =
            set(TIFFTAG_IMAGEWIDTH, UInt32(raster.size.width)) && set(TIFFTAG_IMAGELENGTH, UInt32(raster.size.height))
            && set(TIFFTAG_BITSPERSAMPLE, CInt(bits))
            && set(TIFFTAG_SAMPLESPERPIXEL, CInt(format.bitsPerPixel / bits))
            && set(TIFFTAG_PHOTOMETRIC, photometric) && set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG)
            && set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT)
            && set(TIFFTAG_ROWSPERSTRIP, UInt32(rowsPerStrip(raster)))
            && set(TIFFTAG_COMPRESSION, isFax ? COMPRESSION_CCITTFAX4 : COMPRESSION_ADOBE_DEFLATE)
        if !isFax { isSet = isSet && set(TIFFTAG_ZIPQUALITY, deflateLevel) }
        // Differences of indexes are meaningless, and the predictor does not support smaller samples.
        if bits >= 8, photometric != PHOTOMETRIC_PALETTE {
            isSet = isSet && set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL)
        }
        if isCMYK {
            isSet = isSet && set(TIFFTAG_INKSET, INKSET_CMYK)
        } else if format.hasAlpha {
            isSet =
                isSet
                && withUnsafePointer(to: UInt16(EXTRASAMPLE_UNASSALPHA)) { set(TIFFTAG_EXTRASAMPLES, CInt(1), $0) }
        }
        if case .palette(let bits, let colors) = format {
            let entries = Raster.entries(of: colors, bits: bits)
            let channels = (0..<3).map { channel in entries.map { UInt16($0[channel]) * 257 } }
            isSet =
                isSet
                && channels[0].withUnsafeBufferPointer { red in
                    channels[1].withUnsafeBufferPointer { green in
                        channels[2].withUnsafeBufferPointer { blue in
                            guard let red = red.baseAddress, let green = green.baseAddress, let blue = blue.baseAddress
                            else { return false }
                            return set(TIFFTAG_COLORMAP, red, green, blue)
                        }
                    }
                }
        }
        if let resolution = raster.resolution,
            [resolution.horizontal, resolution.vertical].allSatisfy({ $0.isFinite && $0 > 0 && $0 < 4e9 })
        {
            isSet =
                isSet && set(TIFFTAG_XRESOLUTION, resolution.horizontal)
                && set(TIFFTAG_YRESOLUTION, resolution.vertical) && set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH)
        }
        if let profile = raster.iccProfile, !profile.isEmpty {
            isSet =
                isSet
                && profile.withUnsafeBufferPointer { profile in
                    profile.baseAddress.map { set(TIFFTAG_ICCPROFILE, UInt32(profile.count), $0) } ?? false
                }
        }
        return isSet
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
