internal import AdapterKit
internal import Imaging
internal import PageModel

/// How a picture is encoded anew.
struct EncodingParameters: Hashable, Codable, Sendable {
    let format: ImageEncoding
    /// 1 to 100; nil for what the source's own tables say, or for losing nothing where the source lost nothing.
    let quality: Int?
    /// Whether every sample is kept.
    let isLossless: Bool
    /// Whether a PNG of the same pixels takes its place where that is no larger.
    var mayBePNG = false
    /// Whether the result is of use only when all pictures of the file are in it.
    var mustKeepAll = false
    /// Whether a TIFF of CMYK becomes one of the same samples.
    var keepsInks = false

    /// What is used where neither the user nor the source tells a quality.
    static let usualQuality = 90

    /// - Parameters:
    ///   - isLossy: whether the picture has been encoded with losses before.
    ///   - isDithered: whether the picture was brought to few shades. A lossy encoder would make many of them again: the
    ///     format becomes PNG unless another was asked for.
    ///   - formats: the formats that readers of the output show; nil when any will do.
    init(
        _ request: EncodingRequest, own: ImageEncoding?, isLossy: Bool, isDithered: Bool = false,
        formats: Set<ImageEncoding>?
    ) {
        let own = isDithered ? nil : own
        let kept = own.flatMap { PictureEncoder.formats.contains($0) && formats?.contains($0) ?? true ? $0 : nil }
        format = request.format ?? kept ?? .png
        quality = request.quality
        switch format {
        case .jpeg: isLossless = false
        case .webp, .jpegXL: isLossless = request.quality == nil && (!isLossy || isDithered)
        default: isLossless = true
        }
    }

    /// Whether pictures of a format are encoded for their size's sake: not where JPEG is asked for, which whoever has a
    /// reader of nothing else asks for.
    func isForSize(from own: ImageEncoding) -> Bool {
        switch format {
        case .png, .tiff: false
        case .jpeg: own == .jpeg
        default: true
        }
    }

    /// How the encoder is to go about it.
    ///
    /// - Parameter source: the bytes that the picture was decoded from.
    func fidelity(_ source: [UInt8]?) -> PictureEncoder.Fidelity {
        if isLossless { return .lossless }
        if let quality { return .quality(quality) }
        return source.flatMap(JPEGTables.init).map { .like($0) } ?? .quality(EncodingParameters.usualQuality)
    }

    /// Whether a JPEG was quantised as coarsely as the quality asks for, or more: then it could only become smaller by its
    /// bits being packed better, for which its pixels need not change.
    func isReached(by file: [UInt8]) -> Bool {
        guard let quality, let tables = JPEGTables(file) else { return false }
        return tables.estimatedQuality <= quality
    }

    /// What is done.
    ///
    /// - Parameters:
    ///   - own: the format that the picture has in the source.
    ///   - capabilities: those of the output.
    func note(from own: ImageEncoding?, in capabilities: SinkCapabilities) -> Note {
        if isLossless {
            return format == .png && capabilities.storesSamples ? Note(.stored) : Note(.stored, format: format)
        }
        if quality == nil && own == .jpeg {
            return Note(format == .jpeg ? .encodedWithOwnTables : .encodedAsFinely, format: format)
        }
        let quality = quality ?? EncodingParameters.usualQuality
        return Note(.encodedAtQuality, ["format": format.rawValue, "quality": String(quality)])
    }
}

extension EncodingRequest {
    /// Whether pictures of a format may stay as they are. A quality speaks only of formats that jisui can encode with
    /// losses.
    func keeps(_ encoding: ImageEncoding) -> Bool {
        (format == nil || format == encoding)
            && (quality == nil || ![.jpeg, .webp, .jpegXL].contains(encoding))
    }
}
