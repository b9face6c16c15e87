internal import Glibc
internal import Synchronization

/// A list of what exists under temporary names at this moment.
///
/// Whoever makes a temporary file removes it. The list is for the one case in which nobody can: a signal ends the program
/// while a C library does not return. A program has one list and hands it to every `Destination`.
public final class TemporaryFiles: Sendable {
    private struct State {
        var paths: Set<String> = []
        var published: [String] = []
        var isClosed = false
        var remains: [String: [String]] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// The path of the folder in which files are kept for a while.
    public static var folder: String { TemporaryFolder.usualParent }

    func add(_ path: String) {
        state.withLock { _ = $0.paths.insert(path) }
    }

    func forget(_ path: String) {
        state.withLock { _ = $0.paths.remove(path) }
    }

    /// The paths of the outputs that have appeared, in the order in which they did.
    public var published: [String] { state.withLock { $0.published } }

    /// The names in a folder that killed runs may have left there. Each folder is listed once: all outputs of a batch stand
    /// in one, and to list that for each would take a time that grows with the square of their number.
    func remains(in folder: String) -> [String] {
        if let known = state.withLock({ $0.remains[folder] }) { return known }
        let names = ((try? FolderListing.names(in: folder)) ?? []).filter {
            $0.hasPrefix(".") && $0.contains(".jisui-")
        }
        state.withLock { $0.remains[folder] = names }
        return names
    }

    /// Runs what makes an output appear: not once everything is being removed, and not at the same time.
    ///
    /// - Parameter path: the output's path, as it was given.
    /// - Throws: what `body` throws; `.unwritable` when the program is about to end.
    func publish(_ path: String, _ body: () throws(AdapterError) -> Void) throws(AdapterError) {
        let result = state.withLock { state -> Result<Void, AdapterError> in
            if state.isClosed { return .failure(AdapterError(.unwritable, "the run was interrupted")) }
            return Result { () throws(AdapterError) in
                try body()
                state.published.append(path)
            }
        }
        try result.get()
    }

    /// Removes everything on the list, right before the program ends. From then on no output appears any more.
    ///
    /// Work may still go on, and put files where others were just removed: what is not gone is tried again for a moment.
    public func removeAll() {
        var paths = state.withLock { state in
            state.isClosed = true
            return state.paths
        }
        for _ in 0..<TemporaryFiles.attempts {
            paths = paths.filter { !Folder.remove($0, last: TemporaryFolder.mark) }
            if paths.isEmpty { return }
            usleep(TemporaryFiles.pause)
        }
    }

    private static let attempts = 50
    /// Microseconds.
    private static let pause: UInt32 = 2000
}

/// A hidden folder in which an output is made before it appears, locked while it is in use.
///
/// A file in it marks it as jisui's. What a killed run left behind is known by that mark and by its free lock, and is
/// removed by the next run. Other folders are left alone, whatever they are called, and so is what links lead to.
final class TemporaryFolder: Sendable {
    /// The name of the file that says whose folder it is.
    static let mark = ".made-by-jisui"

    let path: String
    /// Open for its lock.
    let descriptor: Descriptor
    private let list: TemporaryFiles
    private let isAbandoned = Atomic(false)
    /// Descriptors that are given back before it is removed, as many as that takes: a program that has no more of them would leave
    /// it behind.
    private let spares: Mutex<[CInt]>

    /// Makes a folder whose name begins with `prefix`; nil with `errno` set on failure.
    ///
    /// - Parameter depth: how deep folders lie in it.
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
            // Another run may have taken it for what a killed one left, as long as it had no mark.
            guard number == ENOENT else { return nil }
        }
    }

    /// Opens, locks and marks a folder that was just made; nil with `errno` set on failure.
    private static func marked(_ path: String) -> Descriptor? {
        guard let descriptor = Folder.open(path) else { return nil }
        // Where there are no locks, the mark alone will do.
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

    /// Has descriptors free for the removal of what lies in it.
    func giveBackSpares() {
        let given = spares.withLock { spares in
            defer { spares = [] }
            return spares
        }
        for spare in given { close(spare) }
    }

    /// Removes the folder with all that is in it, unless it was abandoned.
    func remove() {
        if isAbandoned.load(ordering: .relaxed) { return }
        giveBackSpares()
        Folder.empty(descriptor.number, last: TemporaryFolder.mark)
        Folder.remove(path, last: TemporaryFolder.mark)
        list.forget(path)
    }

    /// Leaves the folder and what is in it to the user: neither this run nor a later one removes it.
    func abandon() {
        isAbandoned.store(true, ordering: .relaxed)
        unlinkat(descriptor.number, TemporaryFolder.mark, 0)
        list.forget(path)
    }

    /// Where what is kept in files for a while lies: in `TMPDIR`, or in /var/tmp, which unlike /tmp is seldom memory.
    static var usualParent: String { environmentPath("TMPDIR") ?? "/var/tmp" }

    /// What temporary folders for `path` are called at their beginning.
    ///
    /// A long name is cut, since a name has 255 bytes at most; a digest of it tells it from others that begin alike.
    static func prefix(for path: String) -> String {
        let name = FileName.last(of: path)
        guard name.utf8.count > mostOfName else { return ".\(name).jisui-" }
        var beginning = ""
        for scalar in name.unicodeScalars where beginning.utf8.count < mostOfName - 4 {
            beginning.unicodeScalars.append(scalar)
        }
        // FNV-1a.
        let digest = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return ".\(beginning)-\(String(digest, radix: 36)).jisui-"
    }

    /// In bytes: what is put around a name takes up to 50 more.
    private static let mostOfName = 200

    /// Removes what killed runs of this user left in `parent` under names that begin with `prefix`.
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
                // The mark comes first and goes last. A folder that a run was killed with beside that is empty, and only
                // then is it removed.
                rmdir(path)
            }
        }
    }
}
