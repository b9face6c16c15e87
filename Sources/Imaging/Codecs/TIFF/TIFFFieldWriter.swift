internal import CTIFF
internal import PageModel

/// The fields of a TIFF that is being written.
struct TIFFFieldWriter {
    private let tiff: OpaquePointer

    /// The compression level. It needs a quarter of the time of the usual 6 on a scanned page, for a file about a fiftieth
    /// larger.
    private static let deflateLevel: CInt = 4
    /// The resolutions that a TIFF can state as a fraction of 32 bits.
    private static let maximumResolution = 4e9

    init(_ tiff: OpaquePointer) { self.tiff = tiff }

    /// Describes a raster.
    ///
    /// - Parameter isCMYK: whether the four samples of each pixel are cyan, magenta, yellow and black.
    /// - Returns: false if libtiff refuses a field.
    func describe(_ raster: Raster, isCMYK: Bool, rowsPerStrip: Int) -> Bool {
        setLayout(raster, isCMYK: isCMYK, rowsPerStrip: rowsPerStrip) && setColors(raster.format, isCMYK: isCMYK)
            && setResolution(raster.resolution) && setProfile(raster.iccProfile)
    }

    private func set(_ tag: CInt, _ values: any CVarArg...) -> Bool {
        withVaList(values) { TIFFVSetField(tiff, UInt32(tag), $0) } == 1
    }

    private func setLayout(_ raster: Raster, isCMYK: Bool, rowsPerStrip: Int) -> Bool {
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
            && set(TIFFTAG_ROWSPERSTRIP, UInt32(rowsPerStrip))
            && set(TIFFTAG_COMPRESSION, isFax ? COMPRESSION_CCITTFAX4 : COMPRESSION_ADOBE_DEFLATE)
        if !isFax { isSet = isSet && set(TIFFTAG_ZIPQUALITY, TIFFFieldWriter.deflateLevel) }
        // Differences of indexes are meaningless, and the predictor does not support smaller samples.
        if bits >= 8, photometric != PHOTOMETRIC_PALETTE {
            isSet = isSet && set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL)
        }
        return isSet
    }

    /// States the meaning of the fourth sample, or the colors of the palette.
    private func setColors(_ format: PixelFormat, isCMYK: Bool) -> Bool {
        if isCMYK { return set(TIFFTAG_INKSET, INKSET_CMYK) }
        if format.hasAlpha {
            return withUnsafePointer(to: UInt16(EXTRASAMPLE_UNASSALPHA)) { set(TIFFTAG_EXTRASAMPLES, CInt(1), $0) }
        }
        guard case .palette(let bits, let colors) = format else { return true }
        let entries = Raster.entries(of: colors, bits: bits)
        let channels = (0..<3).map { channel in entries.map { UInt16($0[channel]) * 257 } }
        return channels[0].withUnsafeBufferPointer { red in
            channels[1].withUnsafeBufferPointer { green in
                channels[2].withUnsafeBufferPointer { blue in
                    guard let red = red.baseAddress, let green = green.baseAddress, let blue = blue.baseAddress
                    else { return false }
                    return set(TIFFTAG_COLORMAP, red, green, blue)
                }
            }
        }
    }

    private func setResolution(_ resolution: Resolution?) -> Bool {
        guard let resolution,
            [resolution.horizontal, resolution.vertical].allSatisfy({
                $0.isFinite && $0 > 0 && $0 < TIFFFieldWriter.maximumResolution
            })
        else { return true }
        return set(TIFFTAG_XRESOLUTION, resolution.horizontal) && set(TIFFTAG_YRESOLUTION, resolution.vertical)
            && set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH)
    }

    private func setProfile(_ profile: [UInt8]?) -> Bool {
        guard let profile, !profile.isEmpty else { return true }
        return profile.withUnsafeBufferPointer { profile in
            profile.baseAddress.map { set(TIFFTAG_ICCPROFILE, UInt32(profile.count), $0) } ?? false
        }
    }
}
