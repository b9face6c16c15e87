public import AdapterKit
public import PageModel

/// The documents that lie beside the pages of a comic: a ComicInfo.xml, and a MetronInfo.xml where the source's goes along.
public struct ComicDocuments {
    /// What a sink that writes them can say of a book, as `SinkCapabilities` has it.
    public static let features: Set<SinkCapabilities.Feature> = [.direction, .outline, .doublePages, .pageRoles]
    public static let formats: Set<String> = [ComicInfo.format, MetronInfo.format]

    private let book: BookMetadata
    private var info: ComicInfoWriter
    /// Those that the pages are of, as `Page.book`.
    private var books: Set<Int> = []
    private var pageCount = 0

    public init(of book: BookMetadata) {
        self.book = book
        info = ComicInfoWriter(book)
    }

    /// Whether a file is called like one of them.
    public static func matches(_ name: String) -> Bool { [ComicInfo.fileName, MetronInfo.fileName].contains(name) }

    /// Takes note of the next page.
    ///
    /// - Parameter byteCount: of its picture.
    public mutating func add(_ page: FinishedPage, byteCount: Int) {
        info.add(
            ComicInfoWriter.PageFacts(
                id: page.page.id, book: page.page.book, byteCount: byteCount, size: page.size,
                isDouble: page.page.showsSpread(page.size), roles: page.page.roles))
        books.insert(page.page.book)
        pageCount += 1
    }

    /// The documents by their names. They come last, because ComicInfo.xml lists every page with its size in bytes, which is
    /// known only when the page has come; readers find it by name wherever it stands.
    public var files: [(name: String, bytes: [UInt8])] {
        let metron = MetronInfo.carried(by: book, books: books, pageCount: pageCount)
        return (metron.map { [(MetronInfo.fileName, $0)] } ?? []) + [(ComicInfo.fileName, info.xml)]
    }
}
