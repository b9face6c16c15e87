internal import Glibc
internal import PageModel
internal import Synchronization

/// A hidden folder in which an output is made before it appears, locked while it is in use.
///
/// A file in it marks it as jisui's. The next run recognizes the folder of a killed run by that mark and by its free
/// lock, and removes it. Other folders stay, even if their names match, and so do the targets of links.
final class TemporaryFolder: Sendable {
    /// The name of the file that marks a folder as jisui's.
    static let mark = ".made-by-jisui"

    let path: String
    /// The descriptor that holds the lock.
    let descriptor: Descriptor
    private let list: TemporaryFiles
    private let isAbandoned = Atomic(false)
    /// The descriptors to close before the removal, as many as the removal needs. Without them, a program that has used
    /// up its descriptors could not remove the folder.
    private let spares: Mutex<[CInt]>

    /// Makes a folder whose name begins with `prefix`; nil with `errno` set on failure.
    ///
    /// - Parameter depth: the depth of folders in it.
    init?(in parent: String, prefix: String, depth: Int = 0, _ list: TemporaryFiles) {
        while true {
            let path = "\(parent)/\(prefix)\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
            guard mkdir(path, 0o700) == 0 else { return nil }
            list.add(path)
            if let descriptor = TemporaryFolder.marked(path) {
                var spares: [CInt] = []
                while spares.count < depth, let spare = descriptor.copy() { spares.append(spare) }
                if spares.count == depth {
                    self.path = path
                    self.list = list
                    self.descriptor = descriptor
                    self.spares = Mutex(spares)
                    return
                }
                let number = errno
                for spare in spares { close(spare) }
                unlinkat(descriptor.number, TemporaryFolder.mark, 0)
                errno = number
            }
            let number = errno
            rmdir(path)
            list.forget(path)
            errno = number
            // Another run may have mistaken it for the folder of a killed run while it had no mark.
            guard number == ENOENT else { return nil }
        }
    }

    /// Opens, locks and marks a folder that was just made; nil with `errno` set on failure.
    private static func marked(_ path: String) -> Descriptor? {
        guard let descriptor = Folder.open(path) else { return nil }
        // A file system without locks leaves the folder unlocked, so that no later run removes it: see `removeRemains`.
        _ = flock(descriptor.number, LOCK_EX)
        guard
            Descriptor(openat(descriptor.number, mark, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)) != nil
        else { return nil }
        return descriptor
    }

    deinit {
        list.forget(path)
        giveBackSpares()
    }

    /// Frees descriptors for the removal of the folder's contents.
    func giveBackSpares() {
        let given = spares.withLock { spares in
            defer { spares = [] }
            return spares
        }
        for spare in given { close(spare) }
    }

    /// Removes the folder with everything in it, unless it was abandoned.
    func remove() {
        if isAbandoned.load(ordering: .relaxed) { return }
        giveBackSpares()
        Folder.empty(descriptor.number, last: TemporaryFolder.mark)
        Folder.remove(path, last: TemporaryFolder.mark)
        list.forget(path)
    }

    /// Leaves the folder and its contents to the user: neither this run nor a later one removes it.
    func abandon() {
        isAbandoned.store(true, ordering: .relaxed)
        unlinkat(descriptor.number, TemporaryFolder.mark, 0)
        list.forget(path)
    }

    /// The folder for temporary files: `TMPDIR`, or /var/tmp, which unlike /tmp is rarely in memory.
    static var usualParent: String { Environment.path("TMPDIR") ?? "/var/tmp" }

    /// Returns the prefix of the names of temporary folders for `path`.
    ///
    /// A long name is cut, because a name has at most 255 bytes; a digest distinguishes it from names with the same
    /// beginning.
    static func prefix(for path: String) -> String {
        let name = FileName.last(of: path)
        guard name.utf8.count > maximumNameBytes else { return ".\(name).jisui-" }
        var beginning = ""
        for scalar in name.unicodeScalars where beginning.utf8.count < maximumNameBytes - 4 {
            beginning.unicodeScalars.append(scalar)
        }
        // FNV-1a.
        let digest = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return ".\(beginning)-\(String(digest, radix: 36)).jisui-"
    }

    /// The maximum number of bytes: the text around a name takes up to 50 more.
    private static let maximumNameBytes = 200

    /// Removes the folders of this user's killed runs in `parent` whose names begin with `prefix`.
    ///
    /// On a file system without locks it removes none, because a run may still use each of them.
    static func removeRemains(in parent: String, prefix: String, _ list: TemporaryFiles) {
        for name in list.remains(in: parent) where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            var status = stat()
            guard let folder = Folder.open(path), fstat(folder.number, &status) == 0, status.st_uid == geteuid(),
                flock(folder.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            if faccessat(folder.number, mark, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
                Folder.remove(path, last: mark)
            } else {
                // The mark is made first and removed last. A run that was killed before or after that left an empty
                // folder, which `rmdir` removes; it fails for any other.
                rmdir(path)
            }
        }
    }
}
