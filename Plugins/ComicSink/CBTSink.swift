public import AdapterKit
public import PageModel

/// Writes a comic book as a tar archive (CBT): the pictures and a ComicInfo.xml.
public struct CBTSink: SinkAdapter {
    public let card = AdapterCard(id: "cbt", summary: "a comic book archive (tar)", extensions: ["cbt", "tar"])
    public let form = OutputForm.file
    public let displays: Set<ImageEncoding>? = ComicSession.displays

    public init() {}

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = try TarArchive(request.destination)
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}
