internal import Glibc

/// Keeps a folder for one run of jisui for as long as it lives; a run that is ended in whatever way lets go of it.
public final class FolderLock: Sendable {
    private let descriptor: Descriptor

    /// - Throws: `.exists` for a folder that another run keeps; `.unwritable`.
    public init(_ path: String) throws(AdapterError) {
        guard let descriptor = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
            throw .system(.unwritable, "cannot be opened", file: path)
        }
        // Where the file system knows no locks there is none.
        if flock(descriptor.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw AdapterError(
                .exists, "another run of jisui is changing what is in it", advice: "wait for its end", file: path)
        }
        self.descriptor = descriptor
    }
}
