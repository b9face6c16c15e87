internal import AdapterKit
internal import Files
internal import PageModel
internal import PageNames

/// A search for the files in a folder and in the folders below it.
struct FolderWalk {
    /// The maximum depth of folders that are entered: no book is deeper.
    private static let depthLimit = 32

    private let root: String
    /// The maximum number of names.
    private let limit: Int
    private var count = 0
    /// The files found, as paths from the root, in no particular order.
    private(set) var files: [String] = []
    /// The files that are junk by name, and folders that were skipped for that reason.
    private(set) var junk: [String] = []
    private(set) var warnings: [Warning] = []

    init(root: String, limit: Int) {
        self.root = root
        self.limit = limit
    }

    /// - Throws: `.unreadable` if the root cannot be listed, `.tooLarge` if it finds more than `limit` names.
    mutating func run() throws(AdapterError) {
        try enter("", entries: FolderListing.entries(in: root), above: Set([FileIdentity(root)].compactMap { $0 }))
    }

    /// - Parameter above: the enclosing folders; a link to one of them would form a loop.
    private mutating func enter(
        _ folder: String, entries: [(name: String, isFolder: Bool)], above: Set<FileIdentity>
    ) throws(AdapterError) {
        count += entries.count
        guard count <= limit else {
            throw AdapterError(.tooLarge, "holds more than \(limit) files", file: root)
        }
        for entry in entries {
            let path = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
            if JunkName.matches(entry.name, isFolder: entry.isFolder) {
                junk.append(path)
            } else if entry.isFolder {
                try enterFolder(path, above: above)
            } else {
                files.append(path)
            }
        }
    }

    private mutating func enterFolder(_ path: String, above: Set<FileIdentity>) throws(AdapterError) {
        guard let identity = FileIdentity("\(root)/\(path)"), !above.contains(identity) else {
            warn("skipped the folder '\(path)', which leads back to a folder it is in")
            return
        }
        guard above.count < FolderWalk.depthLimit else {
            warn("skipped the folder '\(path)', which is nested too deeply")
            return
        }
        let entries: [(name: String, isFolder: Bool)]
        do {
            entries = try FolderListing.entries(in: "\(root)/\(path)")
        } catch {
            warn("skipped the folder '\(path)': \(error.message)")
            return
        }
        try enter(path, entries: entries, above: above.union([identity]))
    }

    private mutating func warn(_ message: Message) {
        warnings.append(Warning(code: "folder-skipped", message: message))
    }
}
