internal import Glibc
internal import Synchronization

/// The temporary files and folders that exist under a name at this moment.
///
/// Whoever made one removes it; this list is for the one case in which nobody can: a signal ends the
/// program while a C library will not return.
public enum TemporaryFiles {
    private static let paths = Mutex<Set<String>>([])

    static func add(_ path: String) {
        paths.withLock { _ = $0.insert(path) }
    }

    static func forget(_ path: String) {
        paths.withLock { _ = $0.remove(path) }
    }

    /// Removes everything on the list, right before the program ends.
    public static func removeAll() {
        for path in paths.withLock({ $0 }) { removeTree(path) }
    }

    /// Removes a file, or a folder with the files in it. jisui makes no deeper trees.
    static func removeTree(_ path: String) {
        guard unlink(path) != 0, let names = try? FolderListing.names(in: path) else { return }
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
