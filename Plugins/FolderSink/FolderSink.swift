public import AdapterKit

/// Writes a folder of numbered picture files.
public struct FolderSink: SinkAdapter {
    public let card = AdapterCard(id: "folder", summary: "a folder of numbered pictures", extensions: [])

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .folder }

    /// A folder says nothing about its pictures, and any program may look at them.
    public func capabilities(_ request: SinkRequest) -> SinkCapabilities { SinkCapabilities(formats: nil) }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let folder = try OutputFolder(at: request.destination, isOurs: PageFileName.matches)
        return FolderSession(folder, pageCount: request.pageCount)
    }
}

/// A folder being filled.
private final class FolderSession: SinkSession {
    private let folder: OutputFolder
    private let pageCount: Int

    init(_ folder: OutputFolder, pageCount: Int) {
        self.folder = folder
        self.pageCount = pageCount
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        let name = PageFileName.name(of: page.number, picture.encoding, of: pageCount)
        try folder.add(name, picture.bytes)
        return name
    }

    func finish() throws(AdapterError) {
        try folder.publish()
    }
}
