public import AdapterKit
public import Files
internal import Metadata
public import PageModel
internal import Thumbnails

/// A sink that writes a book as a folder for browsers: a web reader, and the unchanged pages.
///
/// It needs no server and no network. The web reader finds the book's data in `book.js`, which it runs. A document that was
/// opened from a file system may read nothing else. `book.json` contains the same data for programs, and for `WebSource`.
public struct WebSink: CollectingSink, AccompaniedSink, AttachingSink {
    public let descriptor = AdapterDescriptor(
        id: "web", summary: "a web reader for any browser", extensions: [],
        settings: WebOptions.settings)

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { settings.flag("add") ? .collection : .folder }

    /// The option that adds to a shelf, because several books make a shelf.
    public var collectionFlag: Setting { WebOptions.add }

    public func collection(
        at destination: Destination, _ settings: Settings
    ) throws(AdapterError) -> (any BookCollection)? {
        guard form(settings) == .collection else { return nil }
        return Shelf(
            destination, title: settings[WebOptions.shelfTitle.name].map(ShelfList.shownTitle),
            baseURL: try settings["base-url"].map(CatalogAddress.init(typed:)))
    }

    public func formatsAlongside(_ settings: Settings) -> [String] { settings.list("with") }

    public func capabilities(_ request: SinkRequest) throws(AdapterError) -> SinkCapabilities {
        let options = try WebOptions(request)
        var capabilities = SinkCapabilities(
            // The formats of recent browsers; HTML does not require any formats.
            formats: [.jpeg, .png, .gif, .webp, .avif, .bmp], holdsOnlyFormats: true,
            showsParts: !options.bakes, showsSpreads: !options.bakes,
            features: [.direction, .labels, .outline, .doublePages, .text, .links], metadata: [MetadataJSON.format])
        capabilities.showsRareJPEGs = false
        capabilities.directionUse = .arranging
        return capabilities
    }

    /// Returns the page's thumbnail.
    public func attachment(for page: FinishedPage.Content, _ request: SinkRequest) -> [UInt8]? {
        guard let options = try? WebOptions(request), options.hasThumbnails, case .encoded(let picture) = page else {
            return nil
        }
        return Thumbnail.jpeg(of: picture, within: Thumbnail.pageSide, request)
    }

    public func attachmentMemory(_ picture: EncodedPicture, _ request: SinkRequest) -> Int {
        guard let options = try? WebOptions(request), options.hasThumbnails else { return 0 }
        return Thumbnail.memory(for: picture)
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let options = try WebOptions(request)
        guard options.addsToShelf else { return try WebSession(request, options) }
        return try Shelf(request.destination, title: nil, baseURL: nil).begin(request)
    }
}

/// A single book during writing, with its web reader.
private final class WebSession: AccompaniedSession {
    private let folder: BookFolder

    init(_ request: SinkRequest, _ options: WebOptions) throws(AdapterError) {
        let path = request.destination.path
        if FileStatus(of: "\(path)/\(ShelfList.file)")?.kind == .file {
            throw AdapterError(
                .exists, "the folder is a shelf of books", hint: "--\(WebOptions.add.name) puts the book on it",
                file: path)
        }
        let output = try OutputFolder(at: request.destination, isOurs: WebLayout.isOurs)
        folder = BookFolder(output, request, options)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String { try folder.add(page) }

    func destination(alongside sink: AdapterDescriptor) -> Destination? { folder.destination(alongside: sink) }

    func finish() throws(AdapterError) {
        let book = try folder.describe()
        for (name, bytes) in ReaderFiles.beside(isShelf: false, hasText: book.hasText) {
            try folder.output.add(name, bytes)
        }
        try folder.output.add(
            ReaderFiles.document, ReaderDocument.book(title: book.title, pages: folder.pages))
        try folder.output.publish()
    }
}

extension Thumbnail {
    /// The longest side of a page's, in pixels.
    static let pageSide = 256
    /// The longest side of a cover, in pixels.
    static let coverSide = 400
}
