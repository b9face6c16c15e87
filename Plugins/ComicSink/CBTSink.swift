public import AdapterKit

/// Writes a comic book as a tar archive (CBT): the pictures and a ComicInfo.xml.
public struct CBTSink: SinkAdapter {
    public let card = AdapterCard(id: "cbt", summary: "a comic book archive (tar)", extensions: ["cbt", "tar"])

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .file }

    public func capabilities(_ request: SinkRequest) -> SinkCapabilities { ComicSession.capabilities }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = try LibraryArchive(.tar, request.destination)
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}
