internal import Imaging
internal import PDFStructure
internal import PageModel

/// An image as stored in a PDF: an image XObject (ISO 32000-1, 8.9.5).
struct PDFPicture {
    /// The colors of its samples.
    enum Colors: Hashable {
        case gray
        case rgb
        case cmyk
        /// A table of red, green and blue bytes.
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
    /// The profile of the colors.
    let profile: [UInt8]?
    let filter: String
    let parameters: [String: PDFValue]
    /// The encoded samples.
    let data: [UInt8]
    /// Whether samples are inverted.
    var isInverted = false
    /// Whether its black pixels are painted, and the others are transparent (8.9.6.2).
    var isStencil = false
    let resolution: Resolution?

    init(
        size: PixelSize, bits: Int, colors: Colors, profile: [UInt8]? = nil, filter: String,
        parameters: [String: PDFValue] = [:], data: [UInt8], isInverted: Bool = false, resolution: Resolution? = nil
    ) {
        self.size = size
        self.bits = bits
        self.colors = colors
        // Viewers cannot use an invalid profile or one for other colors.
        self.profile = profile.flatMap { ICCProfile($0).colorants == colors.colorants ? $0 : nil }
        self.filter = filter
        self.parameters = parameters
        self.data = data
        self.isInverted = isInverted
        self.resolution = resolution
    }
}

extension PDFPicture {
    /// Creates an image from an unchanged JPEG; nil for one that not every viewer decodes (7.4.8): arithmetic coding, 12 bits,
    /// two colors.
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
            // A decoder cannot distinguish red, green and blue from YCbCr by the components' names.
            parameters: header.hasRGBComponents && header.adobeTransform == nil ? ["ColorTransform": .integer(0)] : [:],
            data: file,
            // Adobe's programs store the inverse of the standard's values, and mark it (ITU-T T.872 §6.5.3).
            isInverted: colors.colorants == 4 && header.adobeTransform != nil, resolution: header.resolution)
    }

    /// Creates an image from an unchanged JPEG 2000; nil for one that is not simple.
    init?(jpeg2000 file: [UInt8]) {
        guard let header = JPEG2000Header(file) else { return nil }
        self.init(
            size: header.size, bits: header.bits, colors: header.isGray ? .gray : .rgb, profile: header.iccProfile,
            filter: "JPXDecode", data: file, resolution: header.resolution)
    }

    /// Creates an image from the compressed rows of a PNG: PDF has its filters (7.4.4.4). Nil for features that PDF stores
    /// differently: transparent pixels, rows in several passes.
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

    /// Creates an image from CMYK samples, compressed as in a PNG; nil if memory is short.
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

    /// Creates an image from the unchanged fax data of a TIFF.
    init(fax: FaxContents) {
        self.init(
            size: fax.size, bits: 1, colors: .gray, filter: "CCITTFaxDecode",
            parameters: [
                "K": .integer(-1), "Columns": .integer(fax.size.width), "Rows": .integer(fax.size.height),
                "BlackIs1": .boolean(fax.isInverted),
            ], data: fax.data, resolution: fax.resolution)
    }

    /// Returns the same image as JBIG2 or CCITT Group 4, if it has one bit a pixel and becomes smaller; otherwise itself.
    ///
    /// - Parameter samples: its samples.
    func packed(_ samples: () throws(AdapterError) -> Raster) throws(AdapterError) -> PDFPicture {
        guard bits == 1, filter == "FlateDecode" else { return self }
        let raster = try samples()
        var best = self
        if let fax = FaxEncoder.encode(raster), fax.count < best.data.count {
            let parameters: [String: PDFValue] = [
                "K": .integer(-1), "Columns": .integer(size.width), "Rows": .integer(size.height),
            ]
            best = stored("CCITTFaxDecode", parameters, fax)
        }
        if let generic = JBIG2Encoder.encode(raster), generic.count < best.data.count {
            best = stored("JBIG2Decode", [:], generic)
        }
        return best
    }

    /// Returns the same image with other data.
    private func stored(_ filter: String, _ parameters: [String: PDFValue], _ data: [UInt8]) -> PDFPicture {
        PDFPicture(
            size: size, bits: bits, colors: colors, profile: profile, filter: filter, parameters: parameters,
            data: data, resolution: resolution)
    }

    /// The name of its compression in reports.
    var compression: String {
        switch filter {
        case "CCITTFaxDecode": "CCITT G4"
        case "JBIG2Decode": "JBIG2"
        default: "Flate"
        }
    }
}
