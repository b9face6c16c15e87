internal import Glibc
public import PageModel

/// A lock that reserves a folder for one run of jisui. The end of the run, even by a signal, releases it.
public final class FolderLock: Sendable {
    private let descriptor: Descriptor

    /// The number of attempts, and the microseconds between two. A killed run may leave a process that has just been
    /// forked. That process holds the lock until it executes its program; 130 ms were not enough with eight other busy
    /// processes.
    private static let (tries, pause) = (20, UInt32(100_000))

    /// - Throws: `.exists` for a folder that another run has locked; `.unwritable`.
    public init(_ path: String) throws(AdapterError) {
        guard let descriptor = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
            throw .system(.unwritable, "cannot be opened", file: path)
        }
        // A file system without locks leaves the folder unlocked.
        for number in 1... {
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
            if number < FolderLock.tries {
                usleep(FolderLock.pause)
                continue
            }
            var error = AdapterError(
                .exists, "another run of jisui is changing its contents", hint: "wait until it finishes", file: path)
            error.isTemporary = true
            throw error
        }
        self.descriptor = descriptor
    }
}
