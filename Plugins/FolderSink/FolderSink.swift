public import AdapterKit
public import PageModel

/// Writes a folder of numbered picture files.
public struct FolderSink: SinkAdapter {
    public let card = AdapterCard(id: "folder", summary: "a folder of numbered pictures", extensions: [])
    public let form = OutputForm.folder
    public let displays: Set<ImageEncoding>? = nil

    public init() {}

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let folder = try OutputFolder(at: request.destination, isOurs: PageFileName.matches)
        return FolderSession(folder, pageCount: request.pageCount)
    }
}
