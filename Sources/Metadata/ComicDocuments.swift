package import AdapterKit
package import PageModel

/// The documents next to the pages of a comic: a ComicInfo.xml, and the source's MetronInfo.xml if there was one.
package struct ComicDocuments {
    /// The features that a sink with these documents can express, for `SinkCapabilities`.
    package static let features: Set<SinkCapabilities.Feature> = [.direction, .outline, .doublePages, .pageRoles]
    package static let formats: Set<String> = [ComicInfo.format, MetronInfo.format]

    private let book: BookMetadata
    private var info: ComicInfoWriter
    /// The books of the pages, as `Page.book`.
    private var books: Set<Int> = []
    private var pageCount = 0

    package init(of book: BookMetadata) {
        self.book = book
        info = ComicInfoWriter(book)
    }

    /// Whether a file has the name of one of them.
    package static func matches(_ name: String) -> Bool { [ComicInfo.fileName, MetronInfo.fileName].contains(name) }

    /// Records the next page.
    ///
    /// - Parameter byteCount: the size of its image.
    package mutating func add(_ page: FinishedPage, byteCount: Int) {
        info.add(
            ComicInfoWriter.PageFacts(
                id: page.page.id, book: page.page.book, byteCount: byteCount, size: page.size,
                isDouble: page.page.showsSpread(page.size), roles: page.page.roles))
        books.insert(page.page.book)
        pageCount += 1
    }

    /// The documents by their names. They come last, because ComicInfo.xml lists the size of every page, which is known
    /// only after the page. Reading apps find it by name at any position.
    package var files: [(name: String, bytes: [UInt8])] {
        let metron = MetronInfo.carried(by: book, books: books, pageCount: pageCount)
        return (metron.map { [(MetronInfo.fileName, $0)] } ?? []) + [(ComicInfo.fileName, info.xml)]
    }
}
