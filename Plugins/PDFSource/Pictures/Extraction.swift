internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// The method of extracting a page's image without rendering the page.
struct Extraction: Sendable {
    enum Kind: Sendable, Hashable {
        /// A JPEG whose bytes may be copied after its repair.
        case jpeg(EmbeddedJPEG)
        /// JPEG 2000: the unchanged bytes of the file or the codestream.
        case jpeg2000(ImageEncoding)
        /// Samples that qpdf decompresses.
        case samples(compression: String)
        /// CCITT fax data.
        case fax(FaxParameters)
        /// JBIG2 data, with the stream of segments that several images share.
        case jbig2(globals: PDFReference?)
        /// Bilevel samples that only poppler decompresses.
        case bilevel(compression: String)
    }

    let kind: Kind
    let stream: PDFReference
    /// The number of filters at the end of the stream's list that qpdf leaves to jisui.
    let kept: Int
    /// The range of the bytes in the file, if they can be copied from there.
    let place: Range<Int>?
    let size: PixelSize
    /// The meaning of the samples, unless only the data itself shows it.
    let format: PixelFormat?
    let isInverted: Bool
    let profile: [UInt8]?
    /// The image whose samples are the alpha of this one's.
    let alpha: PDFReference?
    /// The edits that turn the image into the page.
    let pending: [Edit]
    let resolution: Resolution
    /// The data of an inline image, which has no stream in the file, without the filters that are not kept.
    var inlineData: [UInt8]?
    /// The content over the image; nil if it has none.
    var overlay: Overlay?

    /// The content over an image.
    struct Overlay: Sendable {
        /// The kinds of content, for the report: "text and a drawn shape".
        let description: Message
        /// The index of its first mark among those of the page. All later marks belong to it.
        let firstMark: Int
        /// The images below it, and all others that the page paints.
        let below: Set<PDFReference>
        let pictures: Set<PDFReference>
        /// The transformation from the page as rendered by poppler to the image's pixels.
        let matrix: Matrix
    }
}

extension Extraction {
    /// The meaning of the samples with their alpha, unless only the data itself shows it.
    var wholeFormat: PixelFormat? {
        guard alpha != nil else { return format }
        switch format {
        case .gray(let bits): return .grayAlpha(bits: bits)
        case .rgb(let bits): return .rgba(bits: bits)
        default: return format
        }
    }

    /// Returns the extraction of the image that is the alpha of this one.
    func ofAlpha(_ stream: PDFReference, bits: Int) -> Extraction {
        Extraction(
            kind: kind, stream: stream, kept: kept, place: nil, size: size, format: .gray(bits: bits),
            isInverted: false,
            profile: nil, alpha: nil, pending: pending, resolution: resolution, overlay: nil)
    }
}

/// The parameters of CCITTFaxDecode (ISO 32000-1, table 11).
struct FaxParameters: Sendable, Hashable {
    var k: Int
    /// Whether 1 stands for black in the decoded samples.
    var blackIsOne: Bool
}

/// A decoder that turns the data of an image into its exact samples.
struct SampleDecoder {
    private let extraction: Extraction
    private let limits: Limits

    init(_ extraction: Extraction, limits: Limits) {
        self.extraction = extraction
        self.limits = limits
    }

    /// The maximum length of the data: that of compressed images, or of all samples and some rest.
    var limit: Int {
        if case .samples = extraction.kind { return byteCount + 65_536 }
        return limits.entryBytes
    }

    /// - Parameter globals: the segments that several JBIG2 images share.
    /// - Throws: `.damaged` if the data is damaged, `.unsupported` if PNG cannot hold the samples.
    func decode(_ data: [UInt8], globals: [UInt8] = []) throws(AdapterError) -> Raster {
        switch extraction.kind {
        case .samples(let compression):
            guard data.count >= byteCount else {
                throw AdapterError(.damaged, "its \(compression) data ends too early")
            }
            let samples = data.count == byteCount ? data : Array(data.prefix(byteCount))
            return finished(Raster(size: extraction.size, format: format, samples: samples))
        case .fax(let parameters):
            guard let samples = FaxDecoder(coding: parameters.coding, size: extraction.size).decode(data) else {
                throw AdapterError(.damaged, "its \(parameters.name) data is damaged")
            }
            let raster = Raster(size: extraction.size, format: format, samples: samples)
            // The decoder returns 0 for black, which is the default in PDF.
            return finished(raster, isInverted: parameters.blackIsOne != extraction.isInverted)
        case .jbig2:
            let samples = try AdapterError.decoding { () throws(PictureFault) in
                try JBIG2Decoder.decode(data, globals: globals, size: extraction.size)
            }
            return finished(Raster(size: extraction.size, format: format, samples: samples))
        case .jpeg2000:
            // It is a file, which begins with a box, or a bare codestream.
            let encoding: ImageEncoding = data.starts(with: [0, 0, 0, 12]) ? .jpeg2000 : .jpeg2000Codestream
            let request = DecodeRequest(encoding, maximumPixels: limits.pixels, isExact: true)
            let decoded = Result { () throws(PictureFault) in try PictureDecoder.decode(data, request) }
            if case .failure(let fault) = decoded, fault.kind == .damaged {
                throw AdapterError(.damaged, fault.message)
            }
            guard let raster = try? decoded.get().raster, raster.size == extraction.size else {
                throw AdapterError(.unsupported, "PNG cannot hold its JPEG 2000 samples exactly")
            }
            return finished(raster)
        case .jpeg, .bilevel:
            throw AdapterError(.unsupported, "it has no samples of its own")
        }
    }

    /// Returns the raster with the properties that the PDF gives it.
    ///
    /// - Parameter isInverted: whether to invert each bit; nil to follow the Decode array.
    func finished(_ raster: Raster, isInverted: Bool? = nil) -> Raster {
        var raster = isInverted ?? extraction.isInverted ? raster.withBitsInverted() : raster
        raster.resolution = extraction.resolution
        raster.iccProfile = extraction.profile ?? raster.iccProfile
        return raster
    }

    private var format: PixelFormat { extraction.format ?? .gray(bits: 1) }

    private var byteCount: Int {
        Raster.bytesPerRow(width: extraction.size.width, format: format) * extraction.size.height
    }
}

extension AdapterError {
    /// Returns the result of decoding, or its fault as an error.
    static func decoding<Value>(_ body: () throws(PictureFault) -> Value) throws(AdapterError) -> Value {
        do throws(PictureFault) {
            return try body()
        } catch {
            throw AdapterError(error.kind == .unsupported ? .unsupported : .damaged, error.message)
        }
    }
}

extension FaxParameters {
    var coding: FaxDecoder.Coding {
        k < 0 ? .group4 : k == 0 ? .group3OneDimensional : .group3Mixed
    }

    /// The name for the report.
    var name: String { k < 0 ? "CCITT G4" : "CCITT G3" }
}
