internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// How a page's picture can be taken out without drawing the page.
struct Extraction: Sendable {
    enum Kind: Sendable, Hashable {
        /// A JPEG whose bytes may be copied, once its repair is made.
        case jpeg(EmbeddedJPEG)
        /// JPEG 2000: the file's or the codestream's own bytes.
        case jpeg2000(ImageEncoding)
        /// Samples that qpdf decompresses.
        case samples(compression: String)
        /// CCITT fax data.
        case fax(FaxParameters)
        /// Bilevel samples that only poppler decompresses.
        case bilevel(compression: String)
    }

    let kind: Kind
    let stream: PDFReference
    /// The number of filters, the last of the stream's, that qpdf leaves for us to undo.
    let kept: Int
    /// Where the bytes lie in the file, when they can be copied from there.
    let place: Range<Int>?
    let size: PixelSize
    /// What the samples mean, unless only the data itself tells.
    let format: PixelFormat?
    let isInverted: Bool
    let profile: [UInt8]?
    /// The picture whose samples are the alpha of this one's.
    let alpha: PDFReference?
    /// The edits that turn the picture into the page.
    let pending: [Edit]
    let resolution: Resolution
    /// What the page shows over the picture; nil when nothing is there.
    var overlay: Overlay?

    /// Something that lies over a picture.
    struct Overlay: Sendable {
        /// The kinds of things, for the report: "text and a drawn shape".
        let description: String
        /// The pictures that it lies over, and all others that the page paints.
        let below: Set<PDFReference>
        let pictures: Set<PDFReference>
        /// Brings the page as poppler draws it to the picture's pixels.
        let matrix: Matrix
    }
}

extension Extraction {
    /// What the samples mean together with their alpha, unless only the data itself tells.
    var wholeFormat: PixelFormat? {
        guard alpha != nil else { return format }
        switch format {
        case .gray(let bits): return .grayAlpha(bits: bits)
        case .rgb(let bits): return .rgba(bits: bits)
        default: return format
        }
    }

    /// The picture that is the alpha of this one.
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

/// Turns the data of a picture into its exact samples.
struct SampleDecoder {
    private let extraction: Extraction
    private let limits: Limits

    init(_ extraction: Extraction, limits: Limits) {
        self.extraction = extraction
        self.limits = limits
    }

    /// The most bytes that the data may have: that of compressed pictures, or of all samples and some rest.
    var limit: Int {
        if case .samples = extraction.kind { return byteCount + 65_536 }
        return limits.entryBytes
    }

    /// - Throws: `.damaged` when the data is, `.unsupported` when PNG cannot hold the samples.
    func decode(_ data: [UInt8]) throws(AdapterError) -> Raster {
        switch extraction.kind {
        case .samples(let compression):
            guard data.count >= byteCount else {
                throw AdapterError(.damaged, "its \(compression) data ends too early")
            }
            return finished(Raster(size: extraction.size, format: format, samples: Array(data.prefix(byteCount))))
        case .fax(let parameters):
            guard let samples = FaxDecoder(coding: parameters.coding, size: extraction.size).decode(data) else {
                throw AdapterError(.damaged, "its \(parameters.name) data is damaged")
            }
            let raster = Raster(size: extraction.size, format: format, samples: samples)
            // The decoder gives 0 for black, which is how PDF has it unless told otherwise.
            return finished(raster, isInverted: parameters.blackIsOne != extraction.isInverted)
        case .jpeg2000:
            // It is a file, which begins with a box, or a bare codestream.
            let encoding: ImageEncoding = data.starts(with: [0, 0, 0, 12]) ? .jpeg2000 : .jpeg2000Codestream
            let request = DecodeRequest(encoding, mostPixels: limits.pixels, isExact: true)
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

    /// The raster with what the PDF says of it.
    ///
    /// - Parameter isInverted: whether each bit has to be turned over; nil for what the Decode array says.
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

extension FaxParameters {
    var coding: FaxDecoder.Coding {
        k < 0 ? .group4 : k == 0 ? .group3OneDimensional : .group3Mixed
    }

    /// For the report.
    var name: String { k < 0 ? "CCITT G4" : "CCITT G3" }
}
