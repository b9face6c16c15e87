internal import AdapterKit
internal import Imaging
internal import PageModel

/// What a strip is to be.
struct StripOptions: Sendable {
    static let settings = [
        Setting(
            "strip-direction", .choice(["vertical", "horizontal"]), default: "vertical", valueName: "way",
            help: "How pages stand: below each other, or beside each other in reading direction",
            effect: EffectRule(unless: "there is only one page")),
        Setting(
            "gap", .integer(0...100_000), default: "0", valueName: "n", help: "Leave this many pixels between pages",
            effect: EffectRule(unless: "there is only one page")),
        .background,
        .align,
        Setting(
            "strip-max", .integer(16...10_000_000), valueName: "n",
            help: "Slice the strip into files of at most this many pixels, at rows that cut no art"),
        Setting(
            "tiles", .flag, valueName: "", help: "Write a Deep Zoom pyramid of tiles (DZI), for viewers of panoramas"),
    ]

    let isVertical: Bool
    /// Whether page 1 is the rightmost.
    let isRightToLeft: Bool
    var gap: Int
    let background: RGB
    /// With `scale`, pages are scaled to the widest one, or in a horizontal strip to the highest.
    var alignment: Alignment
    let most: Int?
    let isTiled: Bool
    let format: ImageEncoding
    /// Whether the format was asked for, or is only what strips are where nothing is.
    let isFormatGiven: Bool
    let quality: Int?
    let isLossless: Bool

    /// - Throws: `.usage` when what is asked for does not go together.
    init(_ request: SinkRequest, form: OutputForm) throws(AdapterError) {
        let (settings, path) = (request.settings, request.destination.path)
        isVertical = settings["strip-direction"] != "horizontal"
        isRightToLeft = request.book.direction == .rightToLeft
        gap = settings.integer("gap") ?? 0
        background = settings["background"].flatMap(RGB.init) ?? .white
        alignment = settings["align"].flatMap(Alignment.init) ?? .center
        most = settings.integer("strip-max")
        isTiled = settings.flag("tiles")
        quality = request.encoding.quality
        isLossless = request.isLossless
        let named = StripOptions.format(named: FileName.extension(of: path))
        if form == .folder {
            if named != nil, !FileName.endsInSlash(path) {
                throw AdapterError(
                    .usage, "--\(most == nil ? "tiles" : "strip-max") makes several files, and they go into a folder",
                    advice: "-o \(path.dropLast(FileName.extension(of: path).count + 1))/ --to strip", file: path)
            }
            format = request.encoding.format ?? .png
        } else {
            if let named, let asked = request.encoding.format, named != asked {
                throw AdapterError(
                    .usage, "--image-format \(asked.rawValue) contradicts the name of the output", file: path)
            }
            if named == nil && !FileName.extension(of: path).isEmpty {
                throw AdapterError(
                    .usage, "a strip can be PNG, JPEG or WebP", advice: "end its name in .png, .jpg or .webp",
                    file: path)
            }
            format = named ?? request.encoding.format ?? .png
        }
        isFormatGiven = form == .file || request.encoding.format != nil
        guard [.png, .jpeg, .webp].contains(format) else {
            throw AdapterError(
                .usage, "a strip can be PNG, JPEG or WebP, not \(format.name)", file: path)
        }
        if isTiled && (most != nil || format == .webp) {
            throw AdapterError(
                .usage, most != nil ? "--tiles and --strip-max exclude each other" : "tiles can be PNG or JPEG",
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

    /// How long a slice may be: as asked for, or as the format can hold.
    var mostAlong: Int { most ?? mostAcross }

    /// How many pixels a side of a file of this format may have.
    var mostAcross: Int {
        switch format {
        case .jpeg: JPEGWriter.mostPixelsAcross
        case .webp: WebPEncoder.mostPixelsAcross
        default: PNGStream.mostPixelsAcross
        }
    }

    /// Whether rows are compressed in bands, side by side, before they come together in the file.
    var isBanded: Bool { format == .png && !isTiled }

    /// Whether a picture in this format keeps every pixel.
    var keepsPixels: Bool { format == .png || format == .webp && (isLossless || quality == nil) }

    /// What becomes of every page that loses nothing else.
    var composition: Composition {
        let values = ["format": format.rawValue].merging(keepsPixels ? [:] : ["encoded": "true"]) { $1 }
        return Composition(
            keepsPixels ? .lossless : .encoded, [Note(isTiled ? .cutIntoTiles : .laidIntoStrip, values)])
    }

    /// What becomes of every page, as far as that is known before pages are seen.
    var expectation: Composition {
        var composition = composition
        if alignment == .scale { composition.notes.append(Note(.scaledWhereNarrower)) }
        if mayBeJoined || mayBeSliced && format == .jpeg { composition.notes.append(Note(.losslessIfJoinable)) }
        if mayBeSliced && format != .jpeg { composition.notes.append(Note(.slicedIfJoinable)) }
        return composition
    }

    /// Whether JPEGs that go together are not decoded.
    var joinsJPEGs: Bool { mayBeJoined || mayBeSliced }

    /// Whether JPEGs that go together become one without being decoded.
    var mayBeJoined: Bool { format == .jpeg && quality == nil && !isTiled && most == nil }

    /// Whether JPEGs that go together are cut and joined into slices without being decoded. Nobody need ask for JPEG then: it
    /// loses nothing, and takes a fraction of the bytes.
    var mayBeSliced: Bool {
        most != nil && !isTiled && quality == nil && (format == .jpeg || !isFormatGiven)
    }
}
