public import PageModel

/// A picture of cyan, magenta, yellow and black, whose samples stay as they are: no raster holds them.
public struct InkPicture: Sendable {
    /// The four samples of each pixel, in the place of red, green, blue and alpha.
    private let carrier: Raster
    /// Faults in the data that were passed over.
    public let diagnostics: [String]

    public var size: PixelSize { carrier.size }
    /// 8 or 16.
    public var bits: Int { carrier.format.bitsPerSample }
    /// Cyan, magenta, yellow and black of each pixel, where 0 is no ink; 16 bits with the high byte first.
    public var samples: [UInt8] { carrier.samples }
    public var resolution: Resolution? { carrier.resolution }
    public var iccProfile: [UInt8]? { carrier.iccProfile }

    /// - Precondition: there are four samples of 8 or 16 bits for each pixel.
    public init(
        size: PixelSize, bits: Int, samples: [UInt8], resolution: Resolution? = nil, iccProfile: [UInt8]? = nil
    ) {
        carrier = Raster(
            size: size, format: .rgba(bits: bits), samples: samples, resolution: resolution, iccProfile: iccProfile)
        diagnostics = []
    }

    private init(_ carrier: Raster, _ diagnostics: [String]) {
        (self.carrier, self.diagnostics) = (carrier, diagnostics)
    }

    /// Reads a TIFF.
    ///
    /// - Throws: `PictureFault`; of the kind `unsupported` for one of other colours.
    public init(tiff file: [UInt8], mostPixels: Int) throws(PictureFault) {
        var request = DecodeRequest(.tiff, mostPixels: mostPixels)
        request.keepsInks = true
        let image = try PictureDecoder.decode(file, request)
        guard case .rgba = image.raster.format, image.loss == nil else {
            throw .isUnknown(.tiff, "its colours are not CMYK")
        }
        self.init(image.raster, image.diagnostics)
    }

    /// The picture turned, mirrored and cropped as a framing says. No sample changes its value.
    ///
    /// - Precondition: the framing is of a picture of this size.
    public func framed(_ framing: Framing) -> InkPicture {
        InkPicture(carrier.framed(framing), diagnostics)
    }

    /// A TIFF with exactly these samples, the resolution and the profile.
    ///
    /// - Throws: `PictureFault` when libtiff cannot write it.
    public func tiff() throws(PictureFault) -> [UInt8] {
        try TIFFEncoder.encode(carrier, isCMYK: true)
    }

    /// The rows with PNG's filters in front, as one zlib stream; nil when there is no memory for it.
    public func deflated() -> [UInt8]? {
        PNGContents(Raster(size: size, format: carrier.format, samples: samples))?.data
    }
}
