internal import AdapterKit
internal import Metadata
internal import PageModel

/// A comic book being written: numbered pictures, then what is known about the book.
final class ComicSession: SinkSession {
    /// What every reader of comic archives shows: Kavita, for one, knows neither HEIF nor JPEG XL.
    static let displays: Set<ImageEncoding> = [.jpeg, .png, .gif, .webp]

    private let archive: any ComicArchive
    private let pageCount: Int
    private var info: ComicInfoWriter

    init(_ archive: any ComicArchive, book: BookMetadata, pageCount: Int) {
        self.archive = archive
        self.pageCount = pageCount
        info = ComicInfoWriter(book)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let name = PageFileName.name(for: page, of: pageCount)
        try archive.add(name, page.bytes, isText: false)
        let isWide = page.size.map { $0.width > $0.height } ?? false
        info.add(
            ComicInfoWriter.PageFacts(
                id: page.page.id, book: page.page.book, byteCount: page.bytes.count, size: page.size,
                isDouble: page.page.isDoublePage || isWide))
        return name
    }

    /// ComicInfo.xml comes last because it lists every page with its size in bytes, and a page's size is known only
    /// when the page has come; readers find it by name wherever it stands.
    func finish() throws(AdapterError) {
        try archive.add(ComicInfo.fileName, info.xml, isText: true)
        try archive.finish()
    }
}
