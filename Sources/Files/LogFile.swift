internal import Glibc
public import PageModel
internal import Synchronization

/// A file of lines that grows over several runs, locked for one of them.
///
/// Each line is written at once. The last one counts only if it is complete, because a full disk or the end of a run may
/// have cut it.
public final class LogFile: Sendable {
    public let path: String
    private let descriptor: Descriptor
    /// The number of complete bytes, and the bytes of these that have reached the disk.
    private let state = Mutex((end: 0, synchronized: 0))

    /// The number of attempts to lock, and the microseconds between two: see `FolderLock`.
    private static let (tries, pause) = (20, UInt32(100_000))
    private static let step = 1 << 20

    /// Opens and locks a file, which is created if it does not exist.
    ///
    /// - Parameter contents: a description for messages: "the journal".
    /// - Throws: `.unwritable`, as a temporary error if another run has locked it.
    public init(path: String, of contents: Message) throws(AdapterError) {
        guard let descriptor = Descriptor(open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0o666))
        else {
            throw .system(.unwritable, "\(contents) cannot be written", file: path)
        }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AdapterError(.unwritable, "\(contents) is not a regular file", file: path)
        }
        // A file system without locks leaves the file unlocked.
        for number in 1... {
            if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
            if number < LogFile.tries {
                usleep(LogFile.pause)
                continue
            }
            var error = AdapterError(
                .unwritable, "another run of jisui uses \(contents)",
                hint: "wait until it finishes, or use another file", file: path)
            error.isTemporary = true
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// Reads all complete lines. It must be called before `append`.
    ///
    /// - Returns: the bytes of an incomplete last line.
    /// - Throws: `.unreadable`; the errors of `body`.
    public func readLines(_ body: ([UInt8]) throws(AdapterError) -> Void) throws(AdapterError) -> [UInt8] {
        var (offset, rest): (Int, [UInt8]) = (0, [])
        while true {
            guard let bytes = descriptor.read(at: offset, upTo: LogFile.step) else {
                throw .system(.unreadable, "cannot be read", file: path)
            }
            if bytes.isEmpty { break }
            offset += bytes.count
            rest = try LogFile.lines(of: rest + bytes, body)
        }
        let end = offset - rest.count
        state.withLock { $0 = (end, end) }
        return rest
    }

    /// Removes an incomplete last line that `readLines` found.
    ///
    /// - Throws: `.unwritable`.
    public func removeIncompleteLine() throws(AdapterError) {
        guard ftruncate(descriptor.number, off_t(state.withLock { $0.end })) == 0 else {
            throw .system(.unwritable, "its incomplete last line cannot be removed", file: path)
        }
    }

    /// Passes complete lines to a function, without their ends.
    ///
    /// - Returns: the bytes after the last line.
    public static func lines(
        of bytes: [UInt8], _ body: ([UInt8]) throws(AdapterError) -> Void
    ) throws(AdapterError) -> [UInt8] {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try body(Array(rest[..<end]))
            rest = rest[(end + 1)...]
        }
        return Array(rest)
    }

    /// Appends a line. If that fails, nothing of it remains.
    ///
    /// - Parameter line: the bytes with the end of the line.
    /// - Throws: `.unwritable`.
    public func append(_ line: [UInt8]) throws(AdapterError) {
        try state.withLock { state throws(AdapterError) in
            guard descriptor.write(line) else {
                let error = AdapterError.system(.unwritable, "cannot be written", file: path)
                ftruncate(descriptor.number, off_t(state.end))
                throw error
            }
            state.end += line.count
        }
    }

    /// Flushes the lines to the disk, if there are new ones.
    ///
    /// - Throws: `.unwritable`.
    public func synchronize() throws(AdapterError) {
        let (end, synchronized) = state.withLock { $0 }
        guard end > synchronized else { return }
        guard descriptor.synchronize() else { throw .system(.unwritable, "cannot be written", file: path) }
        state.withLock { $0.synchronized = max($0.synchronized, end) }
    }
}
