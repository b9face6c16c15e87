public import AdapterKit
public import PageModel

/// Writes a comic book as a 7z archive (CB7): the pictures and a ComicInfo.xml.
public struct CB7Sink: SinkAdapter {
    public let card = AdapterCard(id: "cb7", summary: "a comic book archive (7z)", extensions: ["cb7", "7z"])
    public let form = OutputForm.file
    public let displays: Set<ImageEncoding>? = ComicSession.displays

    public init() {}

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let archive = try SevenZipArchive(request.destination)
        return ComicSession(archive, book: request.book, pageCount: request.pageCount)
    }
}
