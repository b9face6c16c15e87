internal import Glibc

/// Keeps a folder for one run of jisui for as long as it lives; a run that is ended in whatever way lets go of it.
public final class FolderLock: Sendable {
    private let descriptor: Descriptor

    /// The number of attempts, and the microseconds between two. A killed run may leave a process that has just been forked, which
    /// holds the lock until it executes its program; 130 ms were not enough beside eight busy processes.
    private static let (tries, pause) = (20, UInt32(100_000))

    /// - Throws: `.exists` for a folder that another run keeps; `.unwritable`.
    public init(_ path: String) throws(AdapterError) {
        guard let descriptor = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
            throw .system(.unwritable, "cannot be opened", file: path)
        }
        // Where the file system knows no locks there is none.
        for number in 1... {
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
            if number < FolderLock.tries {
                usleep(FolderLock.pause)
                continue
            }
            throw AdapterError(
                .exists, "another run of jisui is changing what is in it", advice: "wait for its end", file: path)
        }
        self.descriptor = descriptor
    }
}
