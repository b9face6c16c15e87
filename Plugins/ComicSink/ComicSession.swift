internal import AdapterKit
internal import PageModel

/// A comic book being written: numbered pictures, then what is known about the book.
final class ComicSession: SinkSession {
    /// The formats are those that every reader of comic archives shows: Kavita, for one, knows neither HEIF nor JPEG XL.
    static let capabilities = SinkCapabilities(
        formats: [.jpeg, .png, .gif, .webp], features: [.direction, .outline, .doublePages])

    private let archive: any ComicArchive
    private let pageCount: Int
    private var info: ComicInfo

    init(_ archive: any ComicArchive, book: BookMetadata, pageCount: Int) {
        self.archive = archive
        self.pageCount = pageCount
        info = ComicInfo(book: book, pageCount: pageCount)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        let name = PageFileName.name(of: page.number, picture.encoding, of: pageCount)
        try archive.add(name, picture.bytes, isText: false)
        info.add(page, byteCount: picture.bytes.count)
        return name
    }

    /// ComicInfo.xml comes last because it lists every page with its size in bytes, and a page's size is known only
    /// when the page has come; readers find it by name wherever it stands.
    func finish() throws(AdapterError) -> [Int: Composition] {
        try archive.add("ComicInfo.xml", info.xml, isText: true)
        try archive.finish()
        return [:]
    }
}
