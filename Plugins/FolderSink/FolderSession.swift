internal import AdapterKit

/// A folder being filled.
final class FolderSession: SinkSession {
    private let folder: OutputFolder
    private let pageCount: Int

    init(_ folder: OutputFolder, pageCount: Int) {
        self.folder = folder
        self.pageCount = pageCount
    }

    func add(_ page: FinishedPage) throws(AdapterError) -> String {
        let name = PageFileName.name(for: page, of: pageCount)
        try folder.add(name, page.bytes)
        return name
    }

    func finish() throws(AdapterError) {
        try folder.publish()
    }
}
