public import AdapterKit
public import PageModel
internal import ZipFile

/// Writes a comic book as a zip archive (CBZ): the pictures and a ComicInfo.xml.
public struct CBZSink: SinkAdapter {
    public let card = AdapterCard(id: "cbz", summary: "a comic book archive (zip)", extensions: ["cbz", "zip"])
    public let form = OutputForm.file
    public let displays: Set<ImageEncoding>? = ComicSession.displays

    public init() {}

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = ZipWriter(try OutputFile(at: request.destination))
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}
