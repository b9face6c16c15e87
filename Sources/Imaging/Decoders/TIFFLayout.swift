internal import CTIFF
internal import PageModel

/// How the samples of a TIFF's first picture lie in the file, as its tags say.
struct TIFFLayout {
    /// What the samples mean, where jisui reads them itself.
    enum Colors: Equatable {
        case gray(zeroIsWhite: Bool)
        case rgb
        /// Red, green, blue bytes.
        case palette([UInt8])
        case cmyk

        /// The samples of a pixel without alpha.
        var channels: Int {
            switch self {
            case .gray, .palette: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }
    }

    enum Alpha {
        case none
        case straight
        /// Colours are multiplied by it.
        case associated
    }

    let size: PixelSize
    let bits: Int
    let samplesPerPixel: Int
    /// nil when it is for libtiff to make RGB of the samples: YCbCr, Lab and others.
    let colors: Colors?
    let alpha: Alpha
    /// Whether every component has strips or tiles of its own.
    let isPlanar: Bool
    let compression: Int
    let photometric: Int
    let orientation: Int
    /// Whether samples are whole numbers from 0 up; others are signed or floating-point.
    let isUnsigned: Bool
    let resolution: Resolution?
    let iccProfile: [UInt8]?

    init(_ tiff: OpaquePointer) {
        let field = TIFFFields(tiff)
        size = PixelSize(width: field.long(TIFFTAG_IMAGEWIDTH), height: field.long(TIFFTAG_IMAGELENGTH))
        bits = field.short(TIFFTAG_BITSPERSAMPLE)
        samplesPerPixel = field.short(TIFFTAG_SAMPLESPERPIXEL)
        isPlanar = field.short(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE
        compression = field.short(TIFFTAG_COMPRESSION)
        orientation = field.short(TIFFTAG_ORIENTATION)
        isUnsigned = [SAMPLEFORMAT_UINT, SAMPLEFORMAT_VOID].contains(CInt(field.short(TIFFTAG_SAMPLEFORMAT)))
        photometric = field.short(TIFFTAG_PHOTOMETRIC)
        let colors = TIFFLayout.colors(field, photometric: photometric, compression: compression, bits: bits)
        let channels = colors?.channels ?? 3
        alpha = TIFFLayout.alpha(field.extraSamples, surplus: samplesPerPixel - channels, isRGB: channels == 3)
        // Where a byte holds parts of several pixels, only one component is unpacked.
        let isSimple = bits >= 8 || samplesPerPixel == 1
        self.colors = isSimple && (channels...8).contains(samplesPerPixel) ? colors : nil
        resolution = field.resolution
        iccProfile = field.iccProfile
    }

    /// What the directory has that libtiff could not read, and without which colours are wrong: it passes over such
    /// tags, and takes indexes without a colour table for gray.
    func missing(of directory: TIFFDirectory?) -> [String] {
        guard let directory else { return [] }
        var missing: [String] = []
        if directory.has(.iccProfile), iccProfile == nil { missing.append("colour profile") }
        if directory.integer(.photometric) == Int(PHOTOMETRIC_PALETTE), photometric != Int(PHOTOMETRIC_PALETTE) {
            missing.append("colour table")
        }
        return missing
    }

    private static func colors(_ field: TIFFFields, photometric: Int, compression: Int, bits: Int) -> Colors? {
        switch (CInt(photometric), bits) {
        case (PHOTOMETRIC_MINISWHITE, 1), (PHOTOMETRIC_MINISWHITE, 2), (PHOTOMETRIC_MINISWHITE, 4),
            (PHOTOMETRIC_MINISWHITE, 8), (PHOTOMETRIC_MINISWHITE, 16):
            .gray(zeroIsWhite: true)
        case (PHOTOMETRIC_MINISBLACK, 1), (PHOTOMETRIC_MINISBLACK, 2), (PHOTOMETRIC_MINISBLACK, 4),
            (PHOTOMETRIC_MINISBLACK, 8), (PHOTOMETRIC_MINISBLACK, 16):
            .gray(zeroIsWhite: false)
        case (PHOTOMETRIC_RGB, 8), (PHOTOMETRIC_RGB, 16): .rgb
        // libjpeg makes RGB of it, when asked to.
        case (PHOTOMETRIC_YCBCR, 8) where compression == COMPRESSION_JPEG: .rgb
        case (PHOTOMETRIC_PALETTE, 1), (PHOTOMETRIC_PALETTE, 2), (PHOTOMETRIC_PALETTE, 4), (PHOTOMETRIC_PALETTE, 8):
            field.palette(bits: bits).map { .palette($0) }
        case (PHOTOMETRIC_SEPARATED, 8), (PHOTOMETRIC_SEPARATED, 16):
            field.short(TIFFTAG_INKSET) == INKSET_CMYK ? .cmyk : nil
        default: nil
        }
    }

    /// What the first of the samples beyond the colours is (TIFF 6.0, ExtraSamples).
    private static func alpha(_ kinds: [UInt16], surplus: Int, isRGB: Bool) -> Alpha {
        guard surplus > 0 else { return .none }
        switch kinds.first.map(CInt.init) {
        case EXTRASAMPLE_ASSOCALPHA: return .associated
        case EXTRASAMPLE_UNASSALPHA: return .straight
        // Writers forget the tag; a fourth sample is then alpha.
        case nil: return isRGB && surplus == 1 ? .straight : .none
        default: return .none
        }
    }
}
