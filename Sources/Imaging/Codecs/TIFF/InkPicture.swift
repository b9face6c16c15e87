package import PageModel

/// An image of cyan, magenta, yellow and black whose samples stay as they are, because no raster can hold them.
package struct InkPicture: Sendable {
    /// The four samples of each pixel, in the place of red, green, blue and alpha.
    private let carrier: Raster
    /// The faults in the data that decoding ignored.
    package let diagnostics: [Message]

    package var size: PixelSize { carrier.size }
    /// The bits of a sample: 8 or 16.
    package var bits: Int { carrier.format.bitsPerSample }
    /// The cyan, magenta, yellow and black of each pixel, where 0 means no ink; 16 bits with the high byte first.
    package var samples: [UInt8] { carrier.samples }
    package var resolution: Resolution? { carrier.resolution }
    package var iccProfile: [UInt8]? { carrier.iccProfile }

    /// - Precondition: there are four samples of 8 or 16 bits for each pixel.
    package init(
        size: PixelSize, bits: Int, samples: [UInt8], resolution: Resolution? = nil, iccProfile: [UInt8]? = nil
    ) {
        carrier = Raster(
            size: size, format: .rgba(bits: bits), samples: samples, resolution: resolution, iccProfile: iccProfile)
        diagnostics = []
    }

    private init(_ carrier: Raster, _ diagnostics: [Message]) {
        (self.carrier, self.diagnostics) = (carrier, diagnostics)
    }

    /// Reads a TIFF.
    ///
    /// - Throws: `PictureFault`; its kind is `unsupported` for other colors.
    package init(tiff file: [UInt8], maximumPixels: Int) throws(PictureFault) {
        var request = DecodeRequest(.tiff, maximumPixels: maximumPixels)
        request.keepsInks = true
        let image = try PictureDecoder.decode(file, request)
        guard case .rgba = image.raster.format, image.loss == nil else {
            throw .isUnknown(.tiff, "its colors are not CMYK")
        }
        self.init(image.raster, image.diagnostics)
    }

    /// Returns the image rotated, mirrored and cropped by a framing. No sample changes its value.
    ///
    /// - Precondition: the framing is of an image of this size.
    package func framed(_ framing: Framing) -> InkPicture {
        InkPicture(carrier.framed(framing), diagnostics)
    }

    /// Returns a TIFF with exactly these samples, the resolution and the profile.
    ///
    /// - Throws: `PictureFault` if libtiff cannot write it.
    package func tiff() throws(PictureFault) -> [UInt8] {
        try TIFFEncoder.encode(carrier, isCMYK: true)
    }

    /// Returns the rows, each preceded by its PNG filter, as one zlib stream; nil if memory is short.
    package func deflated() -> [UInt8]? {
        PNGContents(Raster(size: size, format: carrier.format, samples: samples))?.data
    }
}
