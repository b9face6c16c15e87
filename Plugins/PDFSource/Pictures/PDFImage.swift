internal import Imaging
internal import PDFStructure
internal import PageModel

/// The dictionary of an image XObject (ISO 32000-1, 8.9.5).
struct PDFImage {
    /// The conversion of samples to colors.
    enum Color: Hashable {
        case gray
        case rgb
        /// Inks. Only JPEGs hold them.
        case cmyk
        /// A table of red, green and blue bytes.
        case palette([UInt8])
        /// Paint where the stencil is 0, paper elsewhere.
        case stencil
        /// JPEG 2000 with its own colors.
        case own
    }

    let size: PixelSize
    let bits: Int
    let color: Color
    /// The profile of an ICCBased color space, if it changes the appearance of the samples.
    let profile: [UInt8]?
    /// Whether every sample is inverted.
    let isInverted: Bool
    /// Whether the samples are tints of black ink, which are inverted levels of gray.
    private(set) var isInk = false
    let filters: [String]
    /// The parameters of the last filter.
    let parameters: PDFObject
    /// The image whose samples are the coverage of each pixel.
    let alpha: PDFReference?
    let object: PDFObject

    /// Reads an image's dictionary.
    ///
    /// - Parameters:
    ///   - resources: the resources of the content that paints it.
    ///   - ignoresMasks: whether only its own samples matter.
    /// - Throws: a `Refusal` if it has to be rendered.
    init(
        _ object: PDFObject, resources: PDFObject, file: PDFFile, ignoresMasks: Bool = false
    ) throws(Refusal) {
        guard let width = object["Width"].integer, let height = object["Height"].integer, width > 0, height > 0,
            width <= 1 << 20, height <= 1 << 20
        else { throw Refusal("the image's size is invalid", isDamage: true) }
        self.object = object
        size = PixelSize(width: width, height: height)
        filters = PDFImage.filters(of: object)
        let allParameters = object["DecodeParms"]
        parameters = allParameters.items.last ?? allParameters
        let isStencil = object["ImageMask"].boolean ?? false
        let last = filters.last
        bits = PDFImage.bits(of: object, isStencil: isStencil, filter: last)

        if isStencil {
            color = .stencil
            profile = nil
            alpha = nil
        } else {
            if (object["SMaskInData"].integer ?? 0) != 0 { throw Refusal("the image has transparency of its own") }
            let space = try ColorSpace(
                object["ColorSpace"], resources: resources, file: file, encoding: last)
            color = space.color
            // Black and white are the same in every such space.
            profile = bits == 1 && color == .gray ? nil : space.profile
            isInk = space.isInk
            let mask = object["SMask"]
            let isOpaque = ignoresMasks || !mask.isNull && OpaqueMask.isOpaque(mask, isSoft: true, file)
            alpha = isOpaque ? nil : try PDFImage.alpha(mask, of: size, bits: bits, color, filters)
        }
        isInverted = try PDFImage.isInverted(object["Decode"], color: color, bits: bits) != isInk
        let mask = object["Mask"]
        guard !mask.isNull, !isStencil, !ignoresMasks else { return }
        let masksNothing =
            mask.kind == .array
            ? OpaqueMask.hitsNothing(mask, self, file) : OpaqueMask.isOpaque(mask, isSoft: false, file)
        if !masksNothing { throw Refusal("the image has a mask") }
    }

    /// Returns the bits of a sample.
    static func bits(of object: PDFObject) -> Int {
        bits(of: object, isStencil: object["ImageMask"].boolean ?? false, filter: filters(of: object).last)
    }

    private static func bits(of object: PDFObject, isStencil: Bool, filter: String?) -> Int {
        isStencil || filter == "CCITTFaxDecode" || filter == "JBIG2Decode" ? 1 : object["BitsPerComponent"].integer ?? 8
    }

    private static func filters(of object: PDFObject) -> [String] {
        let filter = object["Filter"]
        return filter.name.map { [$0] } ?? filter.items.compactMap(\.name)
    }

    /// Returns a soft mask that PNG can hold as alpha in addition to the image's own samples.
    ///
    /// It has as many pixels and bits, and all of its samples are complete. The colors must not already be multiplied by them
    /// (ISO 32000-1, 11.6.5.3).
    private static func alpha(
        _ mask: PDFObject, of size: PixelSize, bits: Int, _ color: Color, _ filters: [String]
    ) throws(Refusal) -> PDFReference? {
        if mask.isNull { return nil }
        let own = mask["Filter"]
        let isExact = [filters, own.name.map { [$0] } ?? own.items.compactMap(\.name)].allSatisfy { filters in
            !filters.contains {
                ["DCTDecode", "DCT", "JPXDecode", "CCITTFaxDecode", "CCF", "JBIG2Decode"].contains($0)
            }
        }
        guard let reference = mask.reference, isExact, color == .gray || color == .rgb, bits == 8 || bits == 16,
            mask["Width"].integer == size.width, mask["Height"].integer == size.height,
            mask["BitsPerComponent"].integer == bits, mask["ColorSpace"].name == "DeviceGray", mask["Matte"].isNull,
            mask["Decode"].isNull || mask["Decode"].numbers == [0, 1]
        else { throw Refusal("the image has a soft mask") }
        return reference
    }

    /// The format of the samples, if PNG can hold them as they are.
    var pixelFormat: PixelFormat? {
        switch color {
        case .stencil: .gray(bits: 1)
        case .gray: [1, 2, 4, 8, 16].contains(bits) ? .gray(bits: bits) : nil
        case .rgb: [8, 16].contains(bits) ? .rgb(bits: bits) : nil
        case .palette(let colors):
            [1, 2, 4, 8].contains(bits) ? .palette(bits: bits, colors: PDFImage.whole(colors, bits: bits)) : nil
        case .cmyk, .own: nil
        }
    }

    /// Returns a table with a color for every possible sample.
    ///
    /// Samples beyond its end have the last color (ISO 32000-1, 8.6.6.3), and PNG does not allow colors that no sample can have.
    private static func whole(_ colors: [UInt8], bits: Int) -> [UInt8] {
        let count = 3 << bits
        let missing = max(0, count - colors.count) / 3
        return (colors + (0..<missing).flatMap { _ in colors.suffix(3) }).prefix(count).map { $0 }
    }

    /// Whether a Decode array inverts every sample; only that and the default keep samples exact.
    private static func isInverted(_ decode: PDFObject, color: Color, bits: Int) throws(Refusal) -> Bool {
        if decode.isNull { return false }
        guard let numbers = decode.numbers else { return false }
        let components =
            switch color {
            case .rgb: 3
            case .cmyk: 4
            default: 1
            }
        var highest = 1.0
        if case .palette = color { highest = Double((1 << max(0, min(bits, 16))) - 1) }
        let plain = [[Double]](repeating: [0, highest], count: components).reduce([], +)
        let opposite = [[Double]](repeating: [highest, 0], count: components).reduce([], +)
        if numbers == plain { return false }
        if numbers == opposite, color != .own, highest == 1 { return true }
        throw Refusal("the image's Decode array changes its samples")
    }
}

/// A color space whose samples an image file can hold as they are (ISO 32000-1, 8.6).
struct ColorSpace {
    let color: PDFImage.Color
    let profile: [UInt8]?
    /// Whether its values are tints of black ink.
    private(set) var isInk = false
    /// The gamma of a CalGray space with a profile.
    private var gamma: Double?

    private static let maximumProfileBytes = 16 << 20

    /// - Parameter encoding: the last filter of the image's data. Nil for colors outside an image.
    /// - Throws: a `Refusal` for every color space that image files do not support.
    init(_ space: PDFObject, resources: PDFObject, file: PDFFile, encoding: String?) throws(Refusal) {
        var space = space
        // A name may refer to a color space in the resources, but not one of PDF's own names.
        if let name = space.name, !["DeviceGray", "DeviceRGB", "DeviceCMYK", "Pattern"].contains(name) {
            let named = resources["ColorSpace"][name]
            if !named.isNull { space = named }
        }
        let items = space.items
        let isJPEG = encoding == "DCTDecode" || encoding == "DCT"
        switch space.name ?? items.first?.name {
        case nil where encoding == "JPXDecode" && space.isNull:
            self.init(.own)
        case "DeviceGray", "G":
            try ColorSpace.refuse("DefaultGray", in: resources, if: space.name != nil)
            self.init(.gray)
        case "DeviceRGB", "RGB":
            try ColorSpace.refuse("DefaultRGB", in: resources, if: space.name != nil)
            self.init(.rgb)
        case "CalGray":
            let gamma = items.count > 1 ? items[1]["Gamma"].number ?? 1 : 1
            self.init(.gray)
            if ColorSpace.usualGamma.contains(gamma) { return }
            self.init(.gray, profile: try ColorSpace.profile(ICCProfile.calibratedGray(gamma: gamma)))
            self.gamma = gamma
        case "CalRGB" where items.count > 1:
            self.init(.rgb)
            if ColorSpace.isNearSRGB(items[1]) { return }
            self.init(.rgb, profile: try ColorSpace.profile(CalibratedColors(items[1]).profile))
        case "Separation" where BlackInk.isBlack(items, file), "DeviceN" where BlackInk.isBlack(items, file):
            self.init(.gray)
            isInk = true
        case "ICCBased" where items.count > 1:
            let stream = items[1]
            let count = stream["N"].integer
            let profile = try? file.data(of: stream, limit: ColorSpace.maximumProfileBytes)
            if count == 4, isJPEG {
                self.init(.cmyk, profile: profile.flatMap { ICCProfile($0).colorants == 4 ? $0 : nil })
                return
            }
            guard count == 1 || count == 3 else { throw Refusal("the image's colors are CMYK") }
            var matters = false
            do throws(PictureFault) {
                matters = try profile.map { ICCProfile($0) }?.changesColors(ofGray: count == 1) ?? false
            } catch {
                file.noteLackOfMemory()
            }
            self.init(count == 1 ? .gray : .rgb, profile: matters ? profile : nil)
        case "Indexed" where items.count > 3, "I" where items.count > 3:
            let table = try ColorSpace.palette(items, resources: resources, file: file)
            self.init(.palette(table.colors), profile: table.profile)
        case "DeviceCMYK" where isJPEG, "CMYK" where isJPEG:
            try ColorSpace.refuse("DefaultCMYK", in: resources, if: space.name != nil)
            self.init(.cmyk)
        case "DeviceCMYK", "CMYK":
            throw Refusal("the image's colors are CMYK")
        case let name:
            throw Refusal("the image's color space is \(name ?? "missing")")
        }
    }

    /// The gammas that look like that of sRGB.
    private static let usualGamma = 2.0...2.4

    /// Whether a CalRGB space has about the gamma and the colors of sRGB (ISO 32000-1, 8.6.5.3; IEC 61966-2-1).
    private static func isNearSRGB(_ space: PDFObject) -> Bool {
        let matrix = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505]
        let colors = CalibratedColors(space)
        guard colors.gammas.allSatisfy(usualGamma.contains) else { return false }
        // With another white point, white would be a color.
        let white = [0.9505, 1, 1.089]
        return zip(colors.matrix, matrix).allSatisfy { abs($0 - $1) < 0.02 } && colors.matrix.count == matrix.count
            && zip(colors.white, white).allSatisfy { abs($0 - $1) < 0.02 }
    }

    private static func profile(_ profile: ICCProfile?) throws(Refusal) -> [UInt8] {
        guard let profile else { throw Refusal("the image's colors are calibrated") }
        return profile.bytes
    }

    private init(_ color: PDFImage.Color, profile: [UInt8]? = nil) {
        self.color = color
        self.profile = profile
    }

    private static func refuse(_ name: String, in resources: PDFObject, if isDevice: Bool) throws(Refusal) {
        if isDevice, !resources["ColorSpace"][name].isNull {
            throw Refusal("the page redefines \(name.dropFirst(7)) colors")
        }
    }

    /// Returns the table of an Indexed space as red, green and blue bytes, with their profile.
    private static func palette(
        _ items: [PDFObject], resources: PDFObject, file: PDFFile
    ) throws(Refusal) -> (colors: [UInt8], profile: [UInt8]?) {
        let base = try ColorSpace(items[1], resources: resources, file: file, encoding: nil)
        var profile = base.profile
        // The table has red, green and blue, so its profile must, too.
        if let gamma = base.gamma { profile = try ColorSpace.profile(CalibratedColors(grayOf: gamma).profile) }
        guard base.color == .rgb || base.gamma != nil || profile == nil, let highest = items[2].integer,
            (0...255).contains(highest)
        else {
            throw Refusal("the image's color table has colors of its own")
        }
        let stream = items[3].kind == .stream ? try? file.data(of: items[3], limit: 1 << 16) : nil
        guard let bytes = items[3].string ?? stream else { throw Refusal("the image's color table is missing") }
        let components: Int
        switch base.color {
        case .gray: components = 1
        case .rgb: components = 3
        default: throw Refusal("the image's color table has colors of its own")
        }
        let needed = (highest + 1) * components
        // A table that ends early is black from there on.
        var table = (bytes + [UInt8](repeating: 0, count: max(0, needed - bytes.count))).prefix(needed)
        if base.isInk { table = table.map { 255 - $0 }[...] }
        return (components == 3 ? Array(table) : table.flatMap { [$0, $0, $0] }, profile)
    }
}

/// The numbers of a CalRGB space (ISO 32000-1, 8.6.5.3).
struct CalibratedColors {
    let gammas: [Double]
    let matrix: [Double]
    let white: [Double]

    init(_ space: PDFObject) {
        gammas = space["Gamma"].numbers ?? [1, 1, 1]
        matrix = space["Matrix"].numbers ?? [1, 0, 0, 0, 1, 0, 0, 0, 1]
        white = space["WhitePoint"].numbers ?? []
    }

    /// Creates the colors of sRGB with another gamma, for gray.
    init(grayOf gamma: Double) {
        gammas = [gamma, gamma, gamma]
        matrix = [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505]
        white = [0.9505, 1, 1.089]
    }

    var profile: ICCProfile? { ICCProfile.calibratedRGB(gammas: gammas, matrix: matrix, white: white) }
}
