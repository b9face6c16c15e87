package import AdapterKit
internal import Imaging
package import PageModel

/// The parameters for encoding an image again.
package struct EncodingParameters: Hashable, Sendable {
    let format: ImageEncoding
    /// The quality from 1 to 100. Nil means that of the source's own tables, or lossless encoding of a lossless source.
    let quality: Int?
    /// Whether an image that was encoded with a lower quality keeps that.
    private let isLimit: Bool
    /// Whether every sample is kept.
    package let isLossless: Bool
    /// Whether a PNG of the same pixels replaces the image if it is not larger.
    var allowsPNG = false
    /// Whether the result is useful only if it contains all images of the file.
    var requiresEveryFrame = false
    /// Whether print and images are stored in layers.
    private(set) var storesLayers = false
    /// Whether a CMYK TIFF becomes a TIFF with the same samples.
    var keepsInks = false

    /// The quality if neither the user nor the source gives one.
    static let usualQuality = 90

    /// - Parameters:
    ///   - isLossy: whether the image has been encoded lossily before.
    ///   - isDithered: whether the image was reduced to few gray levels. A lossy encoder would bring back many levels. The format
    ///     then becomes PNG unless another was requested.
    ///   - formats: the formats that reading apps for the output show; nil if any is suitable.
    init(
        _ request: EncodingRequest, own: ImageEncoding?, isLossy: Bool, isDithered: Bool = false,
        formats: Set<ImageEncoding>?
    ) {
        let own = isDithered ? nil : own
        let kept = own.flatMap { EncodingRequest.formats.contains($0) && formats?.contains($0) ?? true ? $0 : nil }
        format = request.format ?? kept ?? .png
        (quality, isLimit) = (request.quality, request.isLimit)
        isLossless =
            switch format.format?.writing {
            case .lossy: false
            case .either: request.quality == nil && (!isLossy || isDithered)
            case .lossless, nil: true
            }
    }

    /// Returns the parameters for the result of operations, which may become layers unless a lossy format was requested.
    func storing(_ operations: PixelOperations, in capabilities: SinkCapabilities) -> EncodingParameters {
        var parameters = self
        parameters.storesLayers = capabilities.storesLayers && isLossless && operations.separatesPrint
        return parameters
    }

    /// The quality of the images in a page of layers.
    var layerQuality: Int { quality ?? EncodingParameters.usualLayerQuality }

    /// The quality of images whose resolution is reduced, too.
    private static let usualLayerQuality = 75

    /// Returns whether images of a format are encoded to save space. A requested JPEG is not: the user may have a device that
    /// shows nothing else.
    func isSizeOptimization(from own: ImageEncoding) -> Bool {
        switch format.format?.writing {
        case .lossless: false
        case .lossy: own == format
        case .either, nil: true
        }
    }

    /// Returns the fidelity that the encoder is to use.
    ///
    /// - Parameter source: the bytes that the image was decoded from.
    func fidelity(_ source: [UInt8]?) -> PictureEncoder.Fidelity {
        if isLossless { return .lossless }
        if let quality, !isLimit || !(source.map(isReached) ?? false) { return .quality(quality) }
        return source.flatMap(JPEGTables.init).map { .like($0) } ?? .quality(EncodingParameters.usualQuality)
    }

    /// Returns whether a JPEG is quantized at least as coarsely as the quality requires. Only packing its bits better could make
    /// it smaller, and that does not change the pixels.
    func isReached(by file: [UInt8]) -> Bool {
        guard let quality, let tables = JPEGTables(file) else { return false }
        return tables.estimatedQuality <= quality
    }

    /// Returns the note on the encoding.
    ///
    /// - Parameters:
    ///   - own: the format of the image in the source.
    ///   - capabilities: the capabilities of the output.
    func note(from own: ImageEncoding?, in capabilities: SinkCapabilities) -> Note {
        if storesLayers { return Note(.layered, ["quality": String(layerQuality)]) }
        if isLossless {
            return format == .png && capabilities.storesSamples ? Note(.stored) : Note(.stored, format: format)
        }
        if quality == nil && own == .jpeg {
            return Note(format == .jpeg ? .encodedWithOwnTables : .encodedAtSimilarQuality, format: format)
        }
        let quality = quality ?? EncodingParameters.usualQuality
        return Note(.encodedAtQuality, ["format": format.rawValue, "quality": String(quality)])
    }
}

extension EncodingRequest {
    /// Returns whether images of a format may stay as they are. A quality applies only to formats that jisui can encode lossily.
    func keeps(_ encoding: ImageEncoding) -> Bool {
        (format == nil || format == encoding)
            && (quality == nil || !encoding.hasQuality)
    }
}

extension EncodingRequest {
    /// The options that make the request.
    package var options: [String] {
        (format == nil ? [] : ["image-format"]) + (quality == nil ? [] : ["quality"])
    }
}

/// The loss of reduced gray levels in a lossy encoding, which brings back many levels.
package enum DitheringLoss {
    /// Returns a warning if the requested gray levels will be lost; nil otherwise. A sink that composes its own images states
    /// their encoding in its capabilities.
    ///
    /// - Parameter edits: the edits of pages.
    package static func warning(
        of edits: [PageEdit], _ request: EncodingRequest, in capabilities: SinkCapabilities
    ) -> Warning? {
        guard let levels = edits.lazy.compactMap({ $0.operation?.grayLevels }).first else { return nil }
        let format: ImageEncoding
        let hint: Message
        if let composition = capabilities.composition {
            guard composition.treatment == .encoded, let name = composition.notes.first?.values["format"] else {
                return nil
            }
            format = ImageEncoding(rawValue: name)
            hint = "a PNG keeps them"
        } else {
            let parameters = EncodingParameters(
                request, own: nil, isLossy: true, isDithered: true, formats: capabilities.formats)
            if parameters.isLossless { return nil }
            format = parameters.format
            hint = format == .jpeg ? "use --image-format png to keep them" : "remove --quality to keep them"
        }
        return Warning(
            code: "shades-lost",
            message: "the \(levels) requested gray levels are lost, because "
                + "\(format.name) is encoded with losses", hint: hint)
    }
}
