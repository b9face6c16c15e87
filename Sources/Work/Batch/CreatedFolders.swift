internal import Files
internal import PageModel
internal import Synchronization

/// The folders that a batch creates for its outputs.
final class CreatedFolders: Sendable {
    /// The paths in the order of their creation.
    private let paths = Mutex<[String]>([])

    /// Creates a folder, unless it exists.
    ///
    /// - Throws: `.unwritable`.
    func make(_ path: String) throws(AdapterError) {
        try paths.withLock { paths throws(AdapterError) in
            guard !FileStatus.isFolder(path) else { return }
            do throws(AdapterError) {
                try Folder.make(path)
                paths.append(path)
            } catch {
                // Another process may have created it at the same time.
                if !FileStatus.isFolder(path) { throw error }
            }
        }
    }

    /// Creates the folders between a folder and an output below it.
    ///
    /// - Throws: `.unwritable`.
    func makeParents(of output: String, below folder: String) throws(AdapterError) {
        let root = FileName.withoutSlashAtEnd(folder)
        let parent = FileName.parent(of: output)
        guard parent != root, parent.hasPrefix(root == "/" ? root : root + "/") else { return }
        try makeParents(of: parent, below: folder)
        try make(parent)
    }

    /// Removes the folders that are still empty, inner ones first.
    func removeEmpty() {
        paths.withLock { paths in
            for path in paths.reversed() { Folder.removeEmpty(path) }
            paths = []
        }
    }
}
