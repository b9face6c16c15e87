public import AdapterKit
internal import Metadata
internal import PageModel

/// Writes a book as a folder that a browser opens: a reader, and the pages as they are.
///
/// It needs no server and no network. What the reader has to know of the book is in `book.js`, which it runs, since a page
/// that was opened from a file system may read nothing else; `book.json` says the same to programs, and to `WebSource`.
public struct WebSink: SinkAdapter {
    public let card = AdapterCard(
        id: "web", summary: "a folder with the book and a reader, for any browser", extensions: [],
        settings: WebOptions.settings)

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { settings.flag("add") ? .collection : .folder }

    /// Several books make a shelf.
    public var collecting: Setting? { WebOptions.add }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        let options = WebOptions(request)
        return SinkCapabilities(
            // What browsers of the last years show; HTML names no formats that they must.
            formats: [.jpeg, .png, .gif, .webp, .avif, .bmp], holdsOnlyFormats: true,
            showsParts: !options.bakes, showsSpreads: !options.bakes,
            features: [.direction, .labels, .outline, .doublePages, .text, .links], metadata: [MetadataJSON.format])
    }

    /// The page's thumbnail.
    public func companion(of page: FinishedPage.Content, _ request: SinkRequest) -> [UInt8]? {
        guard WebOptions(request).hasThumbnails, case .encoded(let picture) = page else { return nil }
        return Thumbnail.jpeg(of: picture, within: Thumbnail.pageSide, request)
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        WebOptions(request).addsToShelf ? try ShelfSession(request) : try WebSession(request)
    }
}

/// A book by itself being written, with the reader beside it.
private final class WebSession: SinkSession {
    private let folder: BookFolder

    init(_ request: SinkRequest) throws(AdapterError) {
        folder = BookFolder(try OutputFolder(at: request.destination, isOurs: WebLayout.isOurs), request)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String { try folder.add(page) }

    func finish() throws(AdapterError) {
        let book = try folder.describe()
        let files = ReaderFiles.all(
            scripts: [WebLayout.bookScript], title: book.title, pages: folder.pages, hasText: book.hasText)
        for (name, bytes) in files { try folder.output.add(name, bytes) }
        try folder.output.publish()
    }
}

/// A book being added to a shelf.
private final class ShelfSession: SinkSession {
    private let shelf: Shelf
    /// Nil once it is no longer needed: what it has written under a temporary name is gone with it.
    private var folder: BookFolder?
    private let mayReplace: Bool

    init(_ request: SinkRequest) throws(AdapterError) {
        shelf = try Shelf(request.destination)
        var destination = request.destination
        destination.path = shelf.placeForNewBook
        do throws(AdapterError) {
            folder = BookFolder(try OutputFolder(at: destination, isOurs: WebLayout.isOurs), request)
        } catch {
            shelf.removeEmptyFolders()
            throw error
        }
        mayReplace = request.destination.mayReplace
    }

    deinit {
        folder = nil
        shelf.removeEmptyFolders()
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String { try folder?.add(page) ?? "" }

    /// The book is on the shelf when its folder is there and the list names it. A run that is ended between the two leaves
    /// a folder that the list does not name; the book's next run takes its place.
    func finish() throws(AdapterError) {
        guard let folder else { return }
        let book = try folder.describe()
        let slug = try shelf.slug(for: book, mayReplace: mayReplace)
        try folder.output.publish(as: slug, mayReplace: true)
        try shelf.enter(book, slug: slug)
    }
}
