internal import Glibc
public import PageModel

/// An open file that any number of tasks may read at once.
public final class ReadableFile: Sendable {
    public let path: String
    /// The size in bytes when the file was opened.
    public let size: Int
    private let descriptor: Descriptor
    /// The time of the last change when the file was opened.
    private let modified: timespec

    /// The number of its descriptor, open as long as this object exists.
    public var number: Int32 { descriptor.number }

    /// - Throws: `.unreadable`, also when the path names a folder, a pipe or a device.
    public convenience init(path: String) throws(AdapterError) {
        // Without O_NONBLOCK, opening a named pipe would block until another process opened it for writing.
        guard let descriptor = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else {
            throw .system(.unreadable, "cannot be opened", file: path)
        }
        try self.init(descriptor, path)
    }

    /// Takes over a file that another process opened for this one.
    ///
    /// - Parameter path: its name in messages.
    /// - Throws: `.unreadable`, likewise.
    public convenience init(adopting number: Int32, path: String) throws(AdapterError) {
        try self.init(Descriptor(adopting: number), path)
    }

    private init(_ descriptor: consuming Descriptor, _ path: String) throws(AdapterError) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else {
            throw .system(.unreadable, "cannot be read", file: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AdapterError(.unreadable, "not a file", file: path)
        }
        self.path = path
        self.size = Int(status.st_size)
        self.modified = status.st_mtim
        self.descriptor = descriptor
    }

    /// Checks that no program has changed the file since it was opened, so that all portions of it belong together.
    ///
    /// - Throws: `.unreadable`.
    public func checkIsUnchanged() throws(AdapterError) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else {
            throw .system(.unreadable, "cannot be read", file: path)
        }
        guard status.st_size == size, status.st_mtim.tv_sec == modified.tv_sec,
            status.st_mtim.tv_nsec == modified.tv_nsec
        else { throw AdapterError(.unreadable, "the file has changed while it was read", file: path) }
    }

    /// Returns up to `count` bytes from `offset`: fewer at the end of the file, none past it.
    public func read(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8] {
        guard offset >= 0, let bytes = descriptor.read(at: offset, upTo: max(0, min(count, size - offset))) else {
            throw .system(.unreadable, "cannot be read", file: path)
        }
        return bytes
    }

    /// Fills a buffer with the bytes from `offset`.
    ///
    /// - Returns: the number of bytes read, which is smaller only at the end.
    /// - Throws: `.unreadable`. This includes a file that was truncated after it was opened.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int {
        let count = min(buffer.count, max(0, size - offset))
        guard let got = descriptor.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        else { throw .system(.unreadable, "the file cannot be read", file: path) }
        guard got == count else {
            throw AdapterError(.unreadable, "the file has become shorter while it was read", file: path)
        }
        return got
    }

    /// Returns exactly `count` bytes from `offset`.
    ///
    /// - Throws: `.damaged` when the file ends before that.
    public func read(at offset: Int, exactly count: Int) throws(AdapterError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
            throw AdapterError(.damaged, "the file ends too early", file: path)
        }
        let bytes = try read(at: offset, upTo: count)
        guard bytes.count == count else {
            throw AdapterError(.damaged, "the file ends too early", file: path)
        }
        return bytes
    }

    /// Returns the first bytes of a system file such as those in /proc, which have no size; nil if it cannot be read.
    public static func systemFile(_ path: String, upTo count: Int) -> [UInt8]? {
        Descriptor(open(path, O_RDONLY | O_CLOEXEC))?.read(at: 0, upTo: count)
    }
}
