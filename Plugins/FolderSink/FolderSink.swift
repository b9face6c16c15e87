public import AdapterKit
internal import Files
internal import Metadata
public import PageModel
internal import PageNames

/// A sink that writes a folder of numbered image files, on request with the documents of comics.
public struct FolderSink: SinkAdapter {
    public let descriptor = AdapterDescriptor(
        id: "folder", summary: "a folder of numbered images", extensions: [],
        settings: [
            Setting(
                "comic-info", .flag, valueName: "",
                topic: "metadata", help: "Write a ComicInfo.xml next to the images of a folder")
        ])

    public init() {}

    public func form(_ settings: Settings) -> OutputForm { .folder }

    /// Returns the capabilities. A folder has no metadata about its images, and any program may read them.
    public func capabilities(_ request: SinkRequest) -> SinkCapabilities {
        if request.settings.flag("comic-info") {
            return SinkCapabilities(
                formats: nil, features: ComicDocuments.features, metadata: ComicDocuments.formats)
        }
        var pictures = SinkCapabilities(formats: nil)
        pictures.hintForLostMetadata = "add --comic-info to write a ComicInfo.xml next to the images"
        return pictures
    }

    public func begin(_ request: SinkRequest) throws(AdapterError) -> any SinkSession {
        let documents = request.settings.flag("comic-info") ? ComicDocuments(of: request.book) : nil
        let hasDocuments = documents != nil
        let folder = try OutputFolder(at: request.destination) { name in
            PageFileName.matches(name) || hasDocuments && ComicDocuments.matches(name)
        }
        return FolderSession(folder, documents, pageCount: request.pageCount)
    }
}

/// A folder during writing.
private final class FolderSession: SinkSession {
    private let folder: OutputFolder
    private var documents: ComicDocuments?
    private let pageCount: Int

    init(_ folder: OutputFolder, _ documents: ComicDocuments?, pageCount: Int) {
        self.folder = folder
        self.documents = documents
        self.pageCount = pageCount
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let picture = try page.encoded()
        let name = PageFileName.name(of: page.number, picture.encoding, of: pageCount)
        try folder.add(name, picture.bytes)
        documents?.add(page, byteCount: picture.bytes.count)
        return name
    }

    func finish() throws(AdapterError) {
        for file in documents?.files ?? [] { try folder.add(file.name, file.bytes) }
        try folder.publish()
    }
}
