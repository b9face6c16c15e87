internal import PageModel

/// What an image XObject says of itself (ISO 32000-1, 8.9.5).
struct PDFImage {
    /// How the samples turn into colours.
    enum Color: Hashable {
        case gray
        case rgb
        /// A table of red, green, blue bytes.
        case palette([UInt8])
        /// Paint where the stencil is 0, paper elsewhere.
        case stencil
        /// JPEG 2000 that brings its own colours.
        case own
    }

    let size: PixelSize
    let bits: Int
    let color: Color
    /// The profile of an ICCBased colour space, when it changes how the samples look.
    let profile: [UInt8]?
    /// Whether every sample means its opposite.
    let isInverted: Bool
    let filters: [String]
    /// The parameters of the last filter.
    let parameters: PDFObject
    let object: PDFObject

    /// Reads the dictionary of an image.
    ///
    /// - Parameter resources: those in force where it is painted.
    /// - Throws: a `Refusal` when the picture cannot be had without drawing it.
    init(_ object: PDFObject, resources: PDFObject, file: PDFFile) throws(Refusal) {
        guard let width = object["Width"].integer, let height = object["Height"].integer, width > 0, height > 0,
            width <= 1 << 20, height <= 1 << 20
        else { throw Refusal("the picture's size makes no sense", isDamage: true) }
        self.object = object
        size = PixelSize(width: width, height: height)
        let filter = object["Filter"]
        filters = filter.name.map { [$0] } ?? filter.items.compactMap(\.name)
        let allParameters = object["DecodeParms"]
        parameters = allParameters.items.last ?? allParameters
        let isStencil = object["ImageMask"].boolean ?? false
        let last = filters.last
        bits =
            isStencil || last == "CCITTFaxDecode" || last == "JBIG2Decode" ? 1 : object["BitsPerComponent"].integer ?? 8

        if isStencil {
            color = .stencil
            profile = nil
        } else {
            if !object["SMask"].isNull { throw Refusal("the picture has a soft mask") }
            if !object["Mask"].isNull { throw Refusal("the picture has a mask") }
            if (object["SMaskInData"].integer ?? 0) != 0 { throw Refusal("the picture has transparency of its own") }
            let space = try ColorSpace(
                object["ColorSpace"], resources: resources, file: file, isJPEG2000: last == "JPXDecode")
            color = space.color
            profile = space.profile
        }
        isInverted = try PDFImage.isInverted(object["Decode"], color: color, bits: bits)
    }

    /// The format of the samples, when PNG can hold them as they are.
    var pixelFormat: PixelFormat? {
        switch color {
        case .stencil: .gray(bits: 1)
        case .gray: [1, 2, 4, 8, 16].contains(bits) ? .gray(bits: bits) : nil
        case .rgb: [8, 16].contains(bits) ? .rgb(bits: bits) : nil
        case .palette(let colors): [1, 2, 4, 8].contains(bits) ? .palette(bits: bits, colors: colors) : nil
        case .own: nil
        }
    }

    /// Whether a Decode array turns every sample into its opposite; only that and the default keep samples exact.
    private static func isInverted(_ decode: PDFObject, color: Color, bits: Int) throws(Refusal) -> Bool {
        if decode.isNull { return false }
        guard let numbers = decode.numbers else { return false }
        let components = color == .rgb ? 3 : 1
        var highest = 1.0
        if case .palette = color { highest = Double((1 << max(0, min(bits, 16))) - 1) }
        let plain = [[Double]](repeating: [0, highest], count: components).reduce([], +)
        let opposite = [[Double]](repeating: [highest, 0], count: components).reduce([], +)
        if numbers == plain { return false }
        if numbers == opposite, color != .own, highest == 1 { return true }
        throw Refusal("the picture's Decode array changes its samples")
    }
}
