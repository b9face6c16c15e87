public import AdapterKit
internal import Files
public import PageModel
internal import Thumbnails

/// A sink that writes a book of bitmaps for Xteink readers: XTC with 2 gray levels, or XTCH with 4.
///
/// The structure is that of the "XTC/XTG/XTH/XTCH Format Technical Specification", a gist of CrazyCoder. Where that is vague, the
/// firmware CrossPoint 5c86bfe decides, and the converter xtcjs. All pages have the size of the screen, because CrossPoint
/// reserves memory for pages of the size of the first.
public struct XTCSink: AttachingSink {
    /// A format of the family.
    public enum Format: String, Sendable {
        /// 1 bit a pixel.
        case xtc
        /// 2 bits a pixel.
        case xtch
    }

    public let descriptor: AdapterDescriptor
    private let format: Format

    public init(_ format: Format) {
        self.format = format
        descriptor = AdapterDescriptor(
            id: format.rawValue,
            summary: format == .xtc
                ? "a book of black-and-white pages for Xteink" : "a book of pages with 4 grays for Xteink",
            extensions: [format.rawValue], settings: [XTCOptions.screen])
    }

    public var attachmentReplacesImage: Bool { true }

    public func form(_ settings: Settings) -> OutputForm { .stream }

    public func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities {
        let options = try XTCOptions(request, format)
        var capabilities = SinkCapabilities(
            formats: nil, features: [.direction, .outline], metadata: [XTCBook.metadataFormat], takesRasters: true,
            composition: options.composition)
        capabilities.storedFields = XTCBook.storedFields
        capabilities.directionUse = .arranging
        return capabilities
    }

    /// Returns the bitmap of a page; nil if that fails. The session then repeats it for the error.
    public func attachment(for page: FinishedPage.Content, _ request: SinkRequest) -> [UInt8]? {
        guard let options = try? XTCOptions(request, format) else { return nil }
        return try? XTCPage(page, options, maximumPixels: request.limits.pixels).bytes
    }

    public func attachmentMemory(_ picture: EncodedPicture, _ request: SinkRequest) -> Int {
        Thumbnail.memory(for: picture)
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try XTCSession(request, try XTCOptions(request, format))
    }
}

/// The options for an XTC.
struct XTCOptions: Sendable {
    /// The word for the box of `--fit`.
    private static let ofFit = "fit"
    /// The screen of the Xteink X4.
    private static let standard = PixelSize(width: 480, height: 800)
    /// The page table has 16 bits for a side.
    private static let sides = 8...65_535

    static let screen = Setting(
        "screen",
        .form(
            ValueForm("screen", words: [ofFit], canonical: { $0.lowercased() }) { value in
                value.lowercased() == ofFit || size(value) != nil
                    ? nil : "--screen takes a size like 480x800, or fit, not '\(value)'"
            }),
        default: ofFit, valueName: "WxH", topic: "device",
        help: "Center the pages of an XTC on a screen of this size",
        details: "Fit stands for the --fit box, or else 480x800", followsOption: ofFit)

    let format: XTCSink.Format
    let screen: PixelSize

    /// - Throws: `.usage` for options that have no effect, or a screen that the format cannot have.
    init(_ request: SinkRequest, _ format: XTCSink.Format) throws(AdapterError) {
        self.format = format
        let (settings, path) = (request.settings, request.destination.path)
        let fit = settings[XTCOptions.ofFit].flatMap(XTCOptions.size)
        screen = settings[XTCOptions.screen.name].flatMap(XTCOptions.size) ?? fit ?? XTCOptions.standard
        if request.isLossless {
            throw AdapterError(
                .usage, "--lossless is impossible: \(format.rawValue) has only \(levels) gray levels", file: path)
        }
        if let name = request.encoding.format != nil
            ? "image-format" : request.encoding.quality != nil ? "quality" : nil
        {
            throw AdapterError(
                .usage, "--\(name) has no effect with --to \(format.rawValue), which stores plain pixels", file: path)
        }
        // CrossPoint reads columns of whole bytes into memory for width by height by 2 bits.
        if format == .xtch, !screen.height.isMultiple(of: 8) {
            throw AdapterError(
                .usage, "the height of a screen must be a multiple of 8 in an XTCH, not \(screen.height)",
                hint: "use --screen \(screen.width)x\((screen.height + 7) / 8 * 8)", file: path)
        }
    }

    private static func size(_ text: String) -> PixelSize? {
        guard let box = FitBox(text, enlarges: false), let width = box.width, let height = box.height,
            sides.contains(width), sides.contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The number of gray levels.
    var levels: Int { format == .xtc ? 2 : 4 }

    /// The treatment of every page.
    var composition: Composition { Composition(.encoded, [Note(.grayLevels, "levels", levels)]) }

    /// Returns the size in which a page is shown: it is reduced to the screen, never enlarged.
    func shown(_ size: PixelSize) -> PixelSize { FitBox(width: screen.width, height: screen.height).size(for: size) }
}

extension Note.Code {
    static let grayLevels = Note.Code("gray-levels") { "in \($0.value("levels")) gray levels" }
}
