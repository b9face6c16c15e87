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
    /// The maximum number of bytes of a line. A book of 50,000 inputs with long names has about 10 MB.
    private static let maximumLine = 16 << 20

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
        let (end, rest) = try LogFile.readLines(of: path, body) { offset throws(AdapterError) in
            guard let bytes = descriptor.read(at: offset, upTo: LogFile.step) else {
                throw .system(.unreadable, "cannot be read", file: path)
            }
            return bytes
        }
        state.withLock { $0 = (end, end) }
        return rest
    }

    /// Reads all complete lines of a file that another run may be writing.
    ///
    /// - Throws: `.unreadable`; the errors of `body`.
    public static func readLines(
        of path: String, _ body: ([UInt8]) throws(AdapterError) -> Void
    ) throws(AdapterError) {
        let file = try ReadableFile(path: path)
        _ = try readLines(of: path, body) { offset throws(AdapterError) in try file.read(at: offset, upTo: step) }
    }

    /// Passes complete lines to a function, without their ends.
    ///
    /// - Parameter read: returns bytes from an offset on; none at the end.
    /// - Returns: the number of bytes of the complete lines, and the bytes after them.
    private static func readLines(
        of path: String, _ body: ([UInt8]) throws(AdapterError) -> Void,
        _ read: (Int) throws(AdapterError) -> [UInt8]
    ) throws(AdapterError) -> (end: Int, rest: [UInt8]) {
        var (end, rest): (Int, [UInt8]) = (0, [])
        while true {
            let bytes = try read(end + rest.count)
            if bytes.isEmpty { return (end, rest) }
            var lines = (rest + bytes)[...]
            while let newline = lines.firstIndex(of: UInt8(ascii: "\n")) {
                try body(Array(lines[..<newline]))
                lines = lines[(newline + 1)...]
            }
            end += rest.count + bytes.count - lines.count
            rest = Array(lines)
            guard rest.count <= maximumLine else {
                throw AdapterError(.unreadable, "a line is too long", hint: "give another name", file: path)
            }
        }
    }

    /// Removes an incomplete last line that `readLines` found.
    ///
    /// - Throws: `.unwritable`.
    public func removeIncompleteLine() throws(AdapterError) {
        guard ftruncate(descriptor.number, off_t(state.withLock { $0.end })) == 0 else {
            throw .system(.unwritable, "its incomplete last line cannot be removed", file: path)
        }
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
