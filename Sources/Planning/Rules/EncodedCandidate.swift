internal import AdapterKit
internal import Imaging
package import PageModel

/// An image that is a file of its own, and the facts that decide its treatment.
struct EncodedCandidate: Sendable {
    let planner: Planner
    let encoded: EncodedPicture
    /// The operations that make the image look like the page, followed by the page's edits.
    let operations: PixelOperations
    /// Whether the exact pixels are available in another form than the source's own bytes.
    let hasSamples: Bool
    /// The plan that packs a JPEG unchanged in a JPEG XL.
    let packed: PagePlan?
    /// The plan that keeps a JPEG's coefficients in the requested format.
    private(set) var moved: PagePlan?
    /// Whether its data are available as a JPEG.
    private let holdsJPEG: Bool

    /// - Throws: `.usage` if the edits leave nothing.
    init(
        _ planner: Planner, _ encoded: EncodedPicture, size: PixelSize, of page: Page, _ picture: Picture
    ) throws(AdapterError) {
        self.planner = planner
        self.encoded = encoded
        operations = try Planner.operations(
            size, encoded.orientation, encoded.edits(on: page), page, isGray: encoded.isGray)
        hasSamples = picture.representations.contains { if case .sampled = $0 { true } else { false } }
        holdsJPEG = picture.representations.contains {
            if case .encoded(let picture) = $0 { picture.encoding == .jpeg } else { false }
        }
        packed = planner.pack(encoded, operations)
        if !(requestsNoChange && !encoded.isRareJPEG), planner.request.quality == nil {
            moved = planner.transformCoefficients(encoded, operations, as: planner.request.format ?? .jpeg)
        }
    }

    private var capabilities: SinkCapabilities { planner.capabilities }
    private var request: EncodingRequest { planner.request }

    // MARK: The output and the request

    /// Whether reading apps show the file as it is, or its format is requested even so.
    var isShown: Bool {
        capabilities.shows(encoded)
            || request.format == encoded.encoding && !encoded.isRareJPEG && !capabilities.holdsOnlyFormats
    }

    /// Whether reading apps can show the crop and the orientation by themselves.
    var isFramingShown: Bool { capabilities.shows(operations.framing, own: encoded.orientation) }

    /// Whether the request allows the format.
    var isFormatKept: Bool { request.keeps(encoded.encoding) }

    /// Whether nothing has to be changed, except if the output does not show the file.
    var requestsNoChange: Bool { operations.isNoOp && isFormatKept && isFramingShown }

    /// Whether only the request asks for a change.
    var changesOnlyEncoding: Bool { operations.isNoOp && isShown && isFramingShown }

    /// Whether a JPEG of the same data is more useful than the TIFF that contains it, even if the TIFF's samples would
    /// be kept.
    var isBetterAsJPEG: Bool {
        guard encoded.encoding == .tiff && holdsJPEG else { return false }
        guard let format = request.format else { return !capabilities.shows(.tiff) }
        return format == .jpeg || format == .jpegXL
    }

    /// Whether the output can hold the file, and the page would not benefit from being stored as PNG.
    var isWorseAsPNG: Bool {
        guard !capabilities.holdsOnlyFormats else { return false }
        return switch encoded.encoding.format?.storing {
        case .never: true
        case .always: false
        case .ifLossless, nil: !encoded.isLossless
        }
    }

    /// The reason that the image does not keep a format that the output does not show.
    var rarity: Note { planner.rarity(of: encoded.encoding) }

    // MARK: JPEG data

    /// Whether the JPEG that a JPEG XL was made from is requested, or is more useful than the JPEG XL.
    var isRestored: Bool {
        encoded.holdsJPEG && operations.isNoOp && request.quality == nil
            && (request.format == .jpeg || requestsNoChange && capabilities.shows(.jpeg))
    }

    /// Whether a plan keeps a JPEG's coefficients.
    var keepsCoefficients: Bool { packed != nil || moved != nil }

    /// The reason that a JPEG's pixels do not keep their coefficients, although they keep their place in the image.
    var lossOfMoving: Note? {
        guard encoded.encoding == .jpeg, operations.keepsPixels, !operations.isNoOp, isFormatKept else { return nil }
        return Note(.notWithoutLoss, ["format": encoded.encoding.rawValue], operations: operations.notes)
    }

    /// The plan that keeps a JPEG's coefficients, as an alternative to one that encodes its pixels again.
    var alternative: PagePlan? {
        isShown && !keepsCoefficients ? planner.transformCoefficients(encoded, operations, as: .jpeg) : nil
    }

    // MARK: Encoding

    /// Whether only an output with all images of the file is useful. A TIFF that no reading app shows is useless, but
    /// its first image is not. A warning reports the others. (Each page of a file that is named as a TIFF is converted
    /// separately.)
    var requiresEveryFrame: Bool { requestsNoChange && encoded.encoding != .tiff && !capabilities.holdsOnlyFormats }

    /// The parameters for encoding the image again.
    var parameters: EncodingParameters {
        var parameters = EncodingParameters(
            request, own: encoded.encoding, isLossy: !encoded.isLossless, isDithered: operations.isDithered,
            formats: capabilities.formats
        ).storing(operations, in: capabilities)
        parameters.requiresEveryFrame = requiresEveryFrame
        parameters.keepsInks =
            encoded.isCMYK && parameters.format == .tiff && operations.keepsPixels && !capabilities.takesRasters
        return parameters
    }

    /// Whether the image is encoded to save space.
    var isForSize: Bool {
        parameters.isSizeOptimization(from: encoded.encoding) && !capabilities.takesRasters
    }

    /// The reason that an image cannot have the requested format although only that has to change; nil if it can.
    var excess: Note? {
        let format = parameters.format
        let maximum = PictureEncoder.maximumPixelsPerSide(format)
        guard changesOnlyEncoding, max(operations.size.width, operations.size.height) > maximum else { return nil }
        return Note(.doesNotFit, ["format": format.rawValue, "maximum": String(maximum)])
    }
}

extension EncodedPicture {
    /// Returns the edits that make the image look like the page, followed by the page's edits.
    package func edits(on page: Page) -> [PageEdit] { pending.map(PageEdit.move) + page.edits }
}
