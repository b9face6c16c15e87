internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// A picture as a PDF holds it: an image XObject (ISO 32000-1, 8.9.5).
struct PDFPicture {
    /// The colours of its samples.
    enum Colors: Hashable {
        case gray
        case rgb
        case cmyk
        /// A table of red, green, blue bytes.
        case palette([UInt8])

        var colorants: Int {
            switch self {
            case .gray: 1
            case .rgb, .palette: 3
            case .cmyk: 4
            }
        }
    }

    let size: PixelSize
    let bits: Int
    let colors: Colors
    /// The profile of the colours.
    let profile: [UInt8]?
    let filter: String
    let parameters: [String: PDFValue]
    /// The encoded samples.
    let data: [UInt8]
    /// Whether samples mean the opposite of what they usually do.
    var isInverted = false
    let resolution: Resolution?

    init(
        size: PixelSize, bits: Int, colors: Colors, profile: [UInt8]? = nil, filter: String,
        parameters: [String: PDFValue] = [:], data: [UInt8], isInverted: Bool = false, resolution: Resolution? = nil
    ) {
        self.size = size
        self.bits = bits
        self.colors = colors
        // What is no profile of these colours, viewers cannot follow.
        self.profile = profile.flatMap { ICCProfile($0).colorants == colors.colorants ? $0 : nil }
        self.filter = filter
        self.parameters = parameters
        self.data = data
        self.isInverted = isInverted
        self.resolution = resolution
    }
}

extension PDFPicture {
    /// A JPEG as it is; nil for one that not every viewer decodes (7.4.8): arithmetic coding, 12 bits, two colours.
    init?(jpeg file: [UInt8]) {
        guard let header = JPEGHeader(file), let size = header.size, header.precision == 8,
            [.baseline, .extended, .progressive].contains(header.frame), header.scanOffset != nil
        else { return nil }
        let colors: Colors
        switch header.components.count {
        case 1: colors = .gray
        case 3: colors = .rgb
        case 4: colors = .cmyk
        default: return nil
        }
        self.init(
            size: size, bits: 8, colors: colors, profile: header.iccProfile, filter: "DCTDecode",
            // A decoder cannot tell red, green and blue from YCbCr by the components' names.
            parameters: header.hasRGBComponents && header.adobeTransform == nil ? ["ColorTransform": .integer(0)] : [:],
            data: file,
            // Adobe's programs store the opposite of what the standard says, and mark it so (ITU-T T.872 §6.5.3).
            isInverted: colors.colorants == 4 && header.adobeTransform != nil, resolution: header.resolution)
    }

    /// A JPEG 2000 as it is; nil for one that is not simple.
    init?(jpeg2000 file: [UInt8]) {
        guard let header = JPEG2000Header(file) else { return nil }
        self.init(
            size: header.size, bits: header.bits, colors: header.isGray ? .gray : .rgb, profile: header.iccProfile,
            filter: "JPXDecode", data: file, resolution: header.resolution)
    }

    /// The rows of a PNG as they are compressed there: PDF has its filters (7.4.4.4). Nil for what PDF holds otherwise:
    /// transparent pixels, rows in several passes.
    init?(png: PNGContents) {
        guard !png.isInterlaced, !png.hasTransparentColors else { return nil }
        let colors: Colors
        switch png.format {
        case .gray: colors = .gray
        case .rgb: colors = .rgb
        case .palette(_, let table): colors = .palette(table)
        case .grayAlpha, .rgba: return nil
        }
        let bits = png.format.bitsPerSample
        self.init(
            size: png.size, bits: bits, colors: colors, profile: png.iccProfile, filter: "FlateDecode",
            parameters: [
                "Predictor": .integer(15), "Columns": .integer(png.size.width), "BitsPerComponent": .integer(bits),
                "Colors": .integer(png.format.bitsPerPixel / bits),
            ], data: png.data, resolution: png.resolution)
    }

    /// The samples of a picture of CMYK, compressed as those of a PNG would be; nil when there is no memory for that.
    init?(inks: InkPicture) {
        guard let data = inks.deflated() else { return nil }
        self.init(
            size: inks.size, bits: inks.bits, colors: .cmyk, profile: inks.iccProfile, filter: "FlateDecode",
            parameters: [
                "Predictor": .integer(15), "Columns": .integer(inks.size.width),
                "BitsPerComponent": .integer(inks.bits),
                "Colors": .integer(4),
            ], data: data, resolution: inks.resolution)
    }

    /// Fax data of a TIFF as they are.
    init(fax: FaxContents) {
        self.init(
            size: fax.size, bits: 1, colors: .gray, filter: "CCITTFaxDecode",
            parameters: [
                "K": .integer(-1), "Columns": .integer(fax.size.width), "Rows": .integer(fax.size.height),
                "BlackIs1": .boolean(fax.isInverted),
            ], data: fax.data, resolution: fax.resolution)
    }

    /// The same picture as CCITT Group 4, where it has one bit a pixel and that makes it smaller; else itself.
    ///
    /// - Parameter samples: its samples.
    func asFax(_ samples: () throws(AdapterError) -> Raster) throws(AdapterError) -> PDFPicture {
        guard bits == 1, filter == "FlateDecode" else { return self }
        guard let fax = FaxEncoder.encode(try samples()), fax.count < data.count else { return self }
        return PDFPicture(
            size: size, bits: 1, colors: colors, profile: profile, filter: "CCITTFaxDecode",
            parameters: ["K": .integer(-1), "Columns": .integer(size.width), "Rows": .integer(size.height)],
            data: fax, resolution: resolution)
    }
}
