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
    /// The bits of a sample in the file: any number up to 16, where `colors` are known.
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
        // Planes are put together a byte at a time, and an index cannot be scaled to more bits.
        let isPalette = photometric == Int(PHOTOMETRIC_PALETTE)
        let isSimple = bits == 8 || bits == 16 || samplesPerPixel == 1 || !(isPlanar || isPalette)
        self.colors = isSimple && (1...16).contains(bits) && (channels...8).contains(samplesPerPixel) ? colors : nil
        resolution = field.resolution
        iccProfile = field.iccProfile
    }

    /// The bits of a sample in a raster: the next number that there is for such pixels.
    var rasterBits: Int {
        if bits > 8 { return 16 }
        return samplesPerPixel == 1 && [1, 2, 4].contains(bits) ? bits : 8
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
        switch CInt(photometric) {
        case PHOTOMETRIC_MINISWHITE where bits <= 16: .gray(zeroIsWhite: true)
        case PHOTOMETRIC_MINISBLACK where bits <= 16: .gray(zeroIsWhite: false)
        case PHOTOMETRIC_RGB where bits <= 16: .rgb
        // libjpeg makes RGB of it, when asked to.
        case PHOTOMETRIC_YCBCR where bits == 8 && compression == COMPRESSION_JPEG: .rgb
        case PHOTOMETRIC_PALETTE where [1, 2, 4, 8].contains(bits): field.palette(bits: bits).map { .palette($0) }
        case PHOTOMETRIC_SEPARATED where bits == 8 || bits == 16:
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
