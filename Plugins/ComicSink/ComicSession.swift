internal import AdapterKit
internal import PageModel

/// A comic book being written: numbered pictures, then what is known about the book.
final class ComicSession: SinkSession {
    /// What every reader of comic archives shows: Kavita, for one, knows neither HEIF nor JPEG XL.
    static let displays: Set<ImageEncoding> = [.jpeg, .png, .gif, .webp]

    private let archive: any ComicArchive
    private let pageCount: Int
    private var info: ComicInfo

    init(_ archive: any ComicArchive, book: BookMetadata, pageCount: Int) {
        self.archive = archive
        self.pageCount = pageCount
        info = ComicInfo(book: book, pageCount: pageCount)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let name = PageFileName.name(for: page, of: pageCount)
        try archive.add(name, page.bytes, isText: false)
        info.add(page)
        return name
    }

    /// ComicInfo.xml comes last because it lists every page with its size in bytes, and a page's size is known only
    /// when the page has come; readers find it by name wherever it stands.
    func finish() throws(AdapterError) {
        try archive.add("ComicInfo.xml", info.xml, isText: true)
        try archive.finish()
    }
}
