public import AdapterKit
internal import Files
internal import Metadata
public import PageModel
internal import PageNames
internal import ZipFile

/// A sink that writes a comic book as a zip archive (CBZ): the images and a ComicInfo.xml.
public struct CBZSink: SinkAdapter {
    public let descriptor = AdapterDescriptor(
        id: "cbz", summary: "a comic book archive (zip)", extensions: ["cbz", "zip"])

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .stream }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities { ComicSession.capabilities }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = ZipWriter(try OutputFile(at: request.destination))
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}

/// A sink that writes a comic book as a 7z archive (CB7): the images and a ComicInfo.xml.
public struct CB7Sink: SinkAdapter {
    public let descriptor = AdapterDescriptor(
        id: "cb7", summary: "a comic book archive (7z)", extensions: ["cb7", "7z"])

    public init() {}

    /// Returns a seekable file, because the offset at its beginning is written last.
    public func form(_ settings: Settings) -> OutputForm { .file }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities { ComicSession.capabilities }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = try SevenZipArchive(request.destination)
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}

/// A sink that writes a comic book as a tar archive (CBT): the images and a ComicInfo.xml.
public struct CBTSink: SinkAdapter {
    public let descriptor = AdapterDescriptor(
        id: "cbt", summary: "a comic book archive (tar)", extensions: ["cbt", "tar"])

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .stream }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities { ComicSession.capabilities }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = try TarArchive(request.destination)
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}

/// A comic book during writing: numbered images, then the metadata of the book.
final class ComicSession: SinkSession {
    /// The formats are those that every comic reader shows: Kavita, for example, supports neither HEIF nor JPEG XL.
    static let capabilities = SinkCapabilities(
        formats: [.jpeg, .png, .gif, .webp], features: ComicDocuments.features, metadata: ComicDocuments.formats)

    private let archive: any ComicArchive
    private let pageCount: Int
    private var documents: ComicDocuments

    init(_ archive: any ComicArchive, book: BookMetadata, pageCount: Int) {
        self.archive = archive
        self.pageCount = pageCount
        documents = ComicDocuments(of: book)
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        let name = PageFileName.name(of: page.number, picture.encoding, of: pageCount)
        try archive.add(name, picture.bytes, isText: false)
        documents.add(page, byteCount: picture.bytes.count)
        return name
    }

    func finish() throws(AdapterError) {
        for file in documents.files { try archive.add(file.name, file.bytes, isText: true) }
        try archive.finish()
    }
}

/// An archive being written to a file that appears complete or not at all.
protocol ComicArchive: AnyObject {
    /// Adds a file at the archive's root. Files keep the order of the calls.
    ///
    /// - Parameters:
    ///   - name: an ASCII name.
    ///   - isText: whether the bytes are worth compressing. Images are compressed already.
    func add(_ name: String, _ bytes: [UInt8], isText: Bool) throws(AdapterError)

    /// Ends the archive and makes it appear at its destination.
    func finish() throws(AdapterError)
}

extension ZipWriter: ComicArchive {
    func add(_ name: String, _ bytes: [UInt8], isText: Bool) throws(AdapterError) {
        try add(name, bytes, compresses: isText)
    }
}
