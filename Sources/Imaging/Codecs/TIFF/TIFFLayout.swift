internal import CTIFF
internal import PageModel

/// The sample layout of a TIFF's first image, as its tags declare it.
struct TIFFLayout {
    /// The meaning of the samples, if jisui reads them itself.
    enum Colors: Equatable {
        case gray(zeroIsWhite: Bool)
        case rgb
        /// A palette of red, green and blue bytes.
        case palette([UInt8])
        case cmyk
        /// CIE L*a*b*: a and b are signed, or have an offset.
        case lab(isSigned: Bool)

        /// The number of samples of a pixel without alpha.
        var channels: Int {
            switch self {
            case .gray, .palette: 1
            case .rgb, .lab: 3
            case .cmyk: 4
            }
        }
    }

    enum Alpha {
        case none
        case straight
        /// Alpha with colors multiplied by it.
        case associated
    }

    let size: PixelSize
    /// The bits of a sample in the file: any number up to 16, if `colors` are known.
    let bits: Int
    let samplesPerPixel: Int
    /// The colors; nil if libtiff has to convert the samples to RGB: YCbCr and others.
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
        // Planes are interleaved a byte at a time, and an index cannot be scaled to more bits.
        let isPalette = photometric == Int(PHOTOMETRIC_PALETTE)
        let isSimple = bits == 8 || bits == 16 || samplesPerPixel == 1 || !(isPlanar || isPalette)
        self.colors = isSimple && (1...16).contains(bits) && (channels...8).contains(samplesPerPixel) ? colors : nil
        resolution = field.resolution
        iccProfile = field.iccProfile
    }

    /// The bits of a sample in a raster: the next number that such pixels can have.
    var rasterBits: Int {
        if bits > 8 { return 16 }
        return samplesPerPixel == 1 && [1, 2, 4].contains(bits) ? bits : 8
    }

    /// Returns the tags in the directory that libtiff could not read and that correct colors need.
    ///
    /// Libtiff skips such tags, and treats indexes without a color table as gray.
    func missing(of directory: TIFFDirectory?) -> [String] {
        guard let directory else { return [] }
        var missing: [String] = []
        if directory.has(.iccProfile), iccProfile == nil { missing.append("color profile") }
        if directory.integer(.photometric) == Int(PHOTOMETRIC_PALETTE), photometric != Int(PHOTOMETRIC_PALETTE) {
            missing.append("color table")
        }
        return missing
    }

    private static func colors(_ field: TIFFFields, photometric: Int, compression: Int, bits: Int) -> Colors? {
        switch CInt(photometric) {
        case PHOTOMETRIC_MINISWHITE where bits <= 16: .gray(zeroIsWhite: true)
        case PHOTOMETRIC_MINISBLACK where bits <= 16: .gray(zeroIsWhite: false)
        case PHOTOMETRIC_RGB where bits <= 16: .rgb
        // libjpeg converts it to RGB on request.
        case PHOTOMETRIC_YCBCR where bits == 8 && compression == COMPRESSION_JPEG: .rgb
        case PHOTOMETRIC_PALETTE where [1, 2, 4, 8].contains(bits): field.palette(bits: bits).map { .palette($0) }
        case PHOTOMETRIC_SEPARATED where bits == 8 || bits == 16:
            field.short(TIFFTAG_INKSET) == INKSET_CMYK ? .cmyk : nil
        case PHOTOMETRIC_CIELAB where bits == 8 || bits == 16: .lab(isSigned: true)
        case PHOTOMETRIC_ICCLAB where bits == 8 || bits == 16: .lab(isSigned: false)
        default: nil
        }
    }

    /// Returns the kind of the first sample beyond the colors (TIFF 6.0, ExtraSamples).
    private static func alpha(_ kinds: [UInt16], surplus: Int, isRGB: Bool) -> Alpha {
        guard surplus > 0 else { return .none }
        switch kinds.first.map(CInt.init) {
        case EXTRASAMPLE_ASSOCALPHA: return .associated
        case EXTRASAMPLE_UNASSALPHA: return .straight
        // Some writers omit the tag; a fourth sample is then alpha.
        case nil: return isRGB && surplus == 1 ? .straight : .none
        default: return .none
        }
    }
}

/// The tags of a TIFF's current directory.
struct TIFFFields {
    private let tiff: OpaquePointer

    init(_ tiff: OpaquePointer) {
        self.tiff = tiff
    }

    /// Returns a number that libtiff keeps in 16 bits; 0 if the tag is missing.
    func short(_ tag: CInt) -> Int {
        var value: UInt16 = 0
        return get(tag, &value) ? Int(value) : 0
    }

    /// Returns a number that libtiff keeps in 32 bits; 0 if the tag is missing.
    func long(_ tag: CInt) -> Int {
        var value: UInt32 = 0
        return get(tag, &value) ? Int(value) : 0
    }

    /// The kinds of samples beyond the colors.
    var extraSamples: [UInt16] {
        var count: UInt16 = 0
        var kinds: UnsafeMutablePointer<UInt16>?
        let isFound = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &kinds) { kinds in get(TIFFTAG_EXTRASAMPLES, [count, kinds]) }
        }
        guard isFound, let kinds else { return [] }
        return Array(UnsafeBufferPointer(start: kinds, count: Int(count)))
    }

    /// Returns the color table in bytes.
    func palette(bits: Int) -> [UInt8]? {
        var parts = [UnsafeMutablePointer<UInt16>?](repeating: nil, count: 3)
        let isFound = parts.withUnsafeMutableBufferPointer { parts in
            parts.baseAddress.map { get(TIFFTAG_COLORMAP, [$0, $0 + 1, $0 + 2]) } ?? false
        }
        guard isFound, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
        let values = (0..<1 << bits).flatMap { [red[$0], green[$0], blue[$0]] }
        // The levels have 16 bits. Some old writers store bytes; libtiff treats a table without any high byte as one of those.
        let isDeep = values.contains { $0 > 255 }
        return values.map { UInt8(truncatingIfNeeded: isDeep ? $0 >> 8 : $0) }
    }

    var resolution: Resolution? {
        var (across, down): (Float, Float) = (0, 0)
        guard get(TIFFTAG_XRESOLUTION, &across), get(TIFFTAG_YRESOLUTION, &down), across > 0, down > 0,
            across.isFinite, down.isFinite
        else { return nil }
        let perInch = [Int(RESUNIT_INCH): 1, Int(RESUNIT_CENTIMETER): 2.54][short(TIFFTAG_RESOLUTIONUNIT)]
        return perInch.map { Resolution(horizontal: Double(across) * $0, vertical: Double(down) * $0) }
    }

    var iccProfile: [UInt8]? {
        var count: UInt32 = 0
        var bytes: UnsafeMutableRawPointer?
        let isFound = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &bytes) { bytes in get(TIFFTAG_ICCPROFILE, [count, bytes]) }
        }
        guard isFound, let bytes else { return nil }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    /// - Precondition: `Value` is the type in which libtiff keeps the tag (TIFFGetField(3)).
    private func get<Value>(_ tag: CInt, _ value: inout Value) -> Bool {
        withUnsafeMutablePointer(to: &value) { get(tag, [$0]) }
    }

    private func get(_ tag: CInt, _ values: [any CVarArg]) -> Bool {
        withVaList(values) { TIFFVGetFieldDefaulted(tiff, UInt32(tag), $0) } == 1
    }
}
