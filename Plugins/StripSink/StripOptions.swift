internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel

/// The options for a strip.
struct StripOptions: Sendable {
    static let settings = [
        Setting(
            "strip-direction", .choice(["vertical", "horizontal"]), default: "vertical", valueName: "way",
            topic: "strip", help: "Choose how pages are joined into one long image",
            effect: EffectRule(unless: "there is only one page")),
        Setting(
            "gap", .integer(0...100_000), default: "0", valueName: "n", topic: "strip",
            help: "Leave this many pixels between pages",
            details: "For merged spreads see --gutter",
            effect: EffectRule(unless: "there is only one page")),
        .background,
        .align,
        Setting(
            "strip-max", .integer(16...10_000_000), valueName: "n",
            topic: "strip", help: "Slice the image into files of at most this many pixels",
            details: "jisui slices at rows without artwork"),
        Setting(
            "tiles", .flag, valueName: "", topic: "strip", help: "Write a Deep Zoom image (DZI) for panorama viewers"),
    ]

    let isVertical: Bool
    /// Whether the user chose the direction of the strip, rather than the default.
    let isDirectionGiven: Bool
    /// Whether page 1 is the rightmost.
    let isRightToLeft: Bool
    var gap: Int
    let background: RGB
    /// The alignment. With `scale`, pages are scaled to the widest one, or in a horizontal strip to the highest.
    var alignment: Alignment
    let requestedLength: Int?
    let isTiled: Bool
    let format: ImageEncoding
    /// Whether the user chose the format, rather than the default.
    let isFormatGiven: Bool
    let quality: Int?
    let isLossless: Bool

    /// - Throws: `.usage` if options exclude each other.
    init(_ request: SinkRequest, form: OutputForm) throws(AdapterError) {
        let (settings, path) = (request.settings, request.destination.path)
        isVertical = settings["strip-direction"] != "horizontal"
        isDirectionGiven = settings.given["strip-direction"] != nil
        isRightToLeft = request.book.direction == .rightToLeft
        gap = settings.integer("gap") ?? 0
        background = settings["background"].flatMap(RGB.init) ?? .white
        alignment = settings["align"].flatMap(Alignment.init) ?? .center
        requestedLength = settings.integer("strip-max")
        isTiled = settings.flag("tiles")
        quality = request.encoding.quality
        isLossless = request.isLossless
        let named = StripOptions.format(named: FileName.extension(of: path))
        if form == .folder {
            if named != nil, !FileName.endsInSlash(path) {
                throw AdapterError(
                    .usage,
                    requestedLength == nil
                        ? "--tiles makes several files, which need a folder"
                        : "--strip-max makes several files, which need a folder",
                    hint: "-o \(path.dropLast(FileName.extension(of: path).count + 1))/ --to strip", file: path)
            }
            format = request.encoding.format ?? .png
        } else {
            if let named, let asked = request.encoding.format, named != asked {
                throw AdapterError(
                    .usage, "--image-format \(asked.rawValue) contradicts the name of the output", file: path)
            }
            if named == nil && !FileName.extension(of: path).isEmpty {
                throw AdapterError(
                    .usage, "a strip can be PNG, JPEG or WebP", hint: "use a name that ends in .png, .jpg or .webp",
                    file: path)
            }
            format = named ?? request.encoding.format ?? .png
        }
        isFormatGiven = form == .file || request.encoding.format != nil
        guard [.png, .jpeg, .webp].contains(format) else {
            throw AdapterError(
                .usage, "a strip can be PNG, JPEG or WebP, not \(format.name)", file: path)
        }
        if isTiled && (requestedLength != nil || format == .webp) {
            throw AdapterError(
                .usage,
                requestedLength != nil ? "--tiles and --strip-max exclude each other" : "tiles can be PNG or JPEG",
                file: path)
        }
        if quality != nil && format == .png {
            throw AdapterError(.usage, "--quality has no effect on PNG, which keeps every pixel", file: path)
        }
    }

    private static func format(named pathExtension: String) -> ImageEncoding? {
        switch pathExtension.lowercased() {
        case "png": .png
        case "jpg", "jpeg": .jpeg
        case "webp": .webp
        default: nil
        }
    }

    /// The maximum length of a slice: the user's choice, or the limit of the format.
    var maximumSliceLength: Int { requestedLength ?? maximumPixelsPerSide }

    /// The maximum number of pixels of a side in this format.
    var maximumPixelsPerSide: Int {
        switch format {
        case .jpeg: JPEGWriter.maximumPixelsPerSide
        case .webp: WebPEncoder.maximumPixelsPerSide
        default: PNGStream.maximumPixelsPerSide
        }
    }

    /// Whether rows are compressed in parallel bands before they are combined in the file.
    var isBanded: Bool { format == .png && !isTiled }

    /// Whether an image in this format keeps every pixel.
    var keepsPixels: Bool { format == .png || format == .webp && (isLossless || quality == nil) }

    /// The treatment of every page that has no other losses.
    var composition: Composition {
        let values = ["format": format.rawValue].merging(keepsPixels ? [:] : ["encoded": "true"]) { $1 }
        return Composition(
            keepsPixels ? .lossless : .encoded, [Note(isTiled ? .cutIntoTiles : .laidIntoStrip, values)])
    }

    /// The treatment of every page, as far as it is known before pages are analyzed.
    var expectation: Composition {
        var composition = composition
        if alignment == .scale { composition.notes.append(Note(.scaledWhereNarrower)) }
        if mayBeJoined || mayBeSliced && format == .jpeg { composition.notes.append(Note(.losslessIfJoinable)) }
        if mayBeSliced && format != .jpeg { composition.notes.append(Note(.slicedIfJoinable)) }
        return composition
    }

    /// Whether compatible JPEGs are not decoded.
    var joinsJPEGs: Bool { mayBeJoined || mayBeSliced }

    /// Whether compatible JPEGs become one without being decoded.
    var mayBeJoined: Bool { format == .jpeg && quality == nil && !isTiled && requestedLength == nil }

    /// Whether compatible JPEGs are cut and joined into slices without being decoded.
    ///
    /// This needs no request for JPEG: it loses nothing, and needs a fraction of the bytes.
    var mayBeSliced: Bool {
        requestedLength != nil && !isTiled && quality == nil && (format == .jpeg || !isFormatGiven)
    }
}
