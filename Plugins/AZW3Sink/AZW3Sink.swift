public import AdapterKit
internal import Metadata
public import PageModel
internal import Thumbnails

/// A sink that writes a book for Kindles as an AZW3 of fixed layout: one image a page.
///
/// The format is KF8 (Kindle Format 8) without the older half for Kindles before 2011. Amazon publishes no specification. The
/// structure is that of files by kindlegen 2.9, as KindleUnpack, libmobi and calibre read them.
public struct AZW3Sink: AttachingSink {
    public let descriptor = AdapterDescriptor(
        id: "azw3", summary: "a fixed-layout book for Kindles, to be copied by USB", extensions: ["azw3"],
        settings: [AZW3Sink.cover])

    static let cover = Setting(
        "kindle-cover", .flag, valueName: "", topic: "device",
        help: "Show the cover of an AZW3 in the library of a Kindle",
        details:
            "The file is next to the output, or with --to-device on the Kindle. "
            + "On some Kindles, the book then hides the toolbar")

    public init() {}

    public var attachmentReplacesImage: Bool { true }

    public func form(_ settings: Settings) -> OutputForm { .stream }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        var capabilities = SinkCapabilities(
            formats: [.jpeg, .png, .gif], holdsOnlyFormats: true, honorsOrientation: false,
            features: [.direction, .outline], metadata: [OPFMetadata.format])
        capabilities.showsRareJPEGs = false
        capabilities.showsInkJPEGs = false
        capabilities.directionUse = .arranging
        return capabilities
    }

    /// Returns a JPEG that takes the place of an image that is too large for the devices' image records.
    public func attachment(for page: FinishedPage.Content, _ request: SinkRequest) -> [UInt8]? {
        guard case .encoded(let picture) = page, picture.bytes.count > AZW3Session.maximumImageBytes else { return nil }
        return Thumbnail.jpeg(of: picture, maximumBytes: AZW3Session.maximumImageBytes, request)
    }

    public func attachmentMemory(_ picture: EncodedPicture, _ request: SinkRequest) -> Int {
        picture.byteCount.map { $0 <= AZW3Session.maximumImageBytes } ?? false ? 0 : Thumbnail.memory(for: picture)
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        try AZW3Session(request)
    }
}
