public import AdapterKit

/// Writes a comic book as a zip archive (CBZ): the pictures and a ComicInfo.xml.
public struct CBZSink: SinkAdapter {
    public let card = AdapterCard(id: "cbz", summary: "a comic book archive (zip)", extensions: ["cbz", "zip"])

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .file }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities { ComicSession.capabilities }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = ZipArchive(try OutputFile(at: request.destination))
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}
