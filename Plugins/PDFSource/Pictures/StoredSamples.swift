internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// The samples of images, such as masks, on which the treatment of their page depends.
enum StoredSamples {
    /// The maximum number of pixels and of bytes of such an image.
    private static let maximumPixels = 1 << 28

    /// Returns the samples of an image as its color space means them, without its masks; nil if they cannot be decoded exactly.
    static func raster(of image: PDFImage, _ file: PDFFile) -> Raster? {
        guard image.size.area <= maximumPixels, let stream = image.object.reference else { return nil }
        let kind: Extraction.Kind
        switch image.filters.last {
        case "DCTDecode", "DCT": return jpeg(image, file)
        case "JPXDecode":
            guard image.color == .gray || image.color == .rgb else { return nil }
            kind = .jpeg2000(.jpeg2000)
        case "CCITTFaxDecode", "CCF":
            guard let parameters = FaxParameters(exactly: image) else { return nil }
            kind = .fax(parameters)
        case "JBIG2Decode": kind = .jbig2(globals: image.parameters["JBIG2Globals"].reference)
        default: kind = .samples(compression: "raw")
        }
        guard image.pixelFormat != nil else { return nil }
        let isRaw = if case .samples = kind { true } else { false }
        let extraction = Extraction(
            kind: kind, stream: stream, kept: isRaw ? 0 : 1, place: nil, size: image.size, format: image.pixelFormat,
            isInverted: image.isInverted, profile: nil, alpha: nil, pending: [], resolution: Resolution(72))
        let limits = Limits(entryBytes: maximumPixels, pixels: maximumPixels)
        let decoder = SampleDecoder(extraction, limits: limits)
        var globals: [UInt8] = []
        if case .jbig2(let shared?) = kind {
            globals = (try? file.data(of: file.object(shared), limit: maximumPixels)) ?? []
        }
        guard let data = try? file.data(of: image.object, keepingFilters: extraction.kept, limit: decoder.limit) else {
            return nil
        }
        return try? decoder.decode(data, globals: globals)
    }

    private static func jpeg(_ image: PDFImage, _ file: PDFFile) -> Raster? {
        guard image.color == .gray || image.color == .rgb, !image.isInverted,
            let data = try? file.data(of: image.object, keepingFilters: 1, limit: maximumPixels),
            let raster = try? PictureDecoder.decode(data, .jpeg, maximumPixels: maximumPixels).raster,
            raster.size == image.size, raster.format == image.pixelFormat
        else { return nil }
        return raster
    }
}

extension FaxParameters {
    /// Reads the parameters of an image; nil for data that libtiff does not read.
    init?(exactly image: PDFImage) {
        let parameters = image.parameters
        guard !(parameters["EncodedByteAlign"].boolean ?? false),
            parameters["Columns"].integer ?? 1728 == image.size.width
        else { return nil }
        self.init(k: parameters["K"].integer ?? 0, blackIsOne: parameters["BlackIs1"].boolean ?? false)
    }
}
