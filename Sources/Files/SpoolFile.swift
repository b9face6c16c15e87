internal import CLinux
internal import Glibc
public import PageModel
internal import Synchronization

/// An unnamed temporary file that gives random access to data that can only be read sequentially.
///
/// It never has a name, so a killed run cannot leave it on the disk.
public final class SpoolFile: Sendable {
    private let descriptor: Descriptor
    /// The folder it is in, for messages.
    private let folder: String
    private let end = Mutex(0)

    /// Opens a spool.
    ///
    /// - Parameter output: the output in whose folder it is; nil for the folder of temporary files. That one may be in memory, so a
    ///   spool of the size of an output should not be there.
    /// - Throws: `.unwritable`.
    public init(beside output: Destination? = nil) throws(AdapterError) {
        let neighbor = output.flatMap { $0.isStandardOutput ? nil : $0 }
        let folder = neighbor.map { FileName.parent(of: $0.path) } ?? TemporaryFolder.usualParent
        self.folder = folder
        let list = neighbor?.temporaryFiles ?? TemporaryFiles()
        TemporaryFolder.removeRemains(in: folder, prefix: SpoolFile.prefix, list)
        if let nameless = Descriptor(open(folder, linux_o_tmpfile | O_RDWR | O_CLOEXEC, 0o600)) {
            descriptor = nameless
            return
        }
        // These errors come from a file system or a kernel without such files (open(2)). Others would come again.
        guard [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(errno) else {
            throw SpoolFile.error(.unwritable, "made", in: folder)
        }
        // The name exists only for a moment, in a folder that the next run removes if this one is killed then.
        guard let temporary = TemporaryFolder(in: folder, prefix: SpoolFile.prefix, list) else {
            throw SpoolFile.error(.unwritable, "made", in: folder)
        }
        defer { temporary.remove() }
        let flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC
        guard let named = Descriptor(openat(temporary.descriptor.number, "file", flags, 0o600)) else {
            throw SpoolFile.error(.unwritable, "made", in: folder)
        }
        descriptor = named
    }

    /// Takes over a spool that another process opened for this one, to append to its data.
    public init(adopting number: Int32) {
        folder = TemporaryFolder.usualParent
        descriptor = Descriptor(adopting: number)
        end.withLock { [size] in $0 = size }
    }

    /// The number of bytes written so far, by any process.
    public var size: Int {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : 0
    }

    private static let prefix = ".jisui-spool-"

    /// Returns an error by `errno`. It names the folder, which the user may not know.
    private static func error(_ code: AdapterError.Code, _ what: String, in folder: String) -> AdapterError {
        .system(
            code, "a temporary file in \(folder) cannot be \(what)",
            hint: folder == TemporaryFolder.usualParent ? "set TMPDIR to a folder with enough free space" : nil)
    }

    /// Appends bytes and returns the offset at which they begin.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(AdapterError) -> Int {
        let offset = end.withLock { end in
            defer { end += bytes.count }
            return end
        }
        guard descriptor.write(bytes, at: offset) else {
            throw SpoolFile.error(.unwritable, "written", in: folder)
        }
        return offset
    }

    /// Appends bytes and returns the offset at which they begin.
    public func append(_ bytes: [UInt8]) throws(AdapterError) -> Int {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(AdapterError) in try append(bytes) }
        }
        return try result.get()
    }

    /// Returns `count` bytes from `offset`.
    public func read(at offset: Int, count: Int) throws(AdapterError) -> [UInt8] {
        guard let bytes = descriptor.read(at: offset, upTo: count), bytes.count == count else {
            throw SpoolFile.error(.unreadable, "read", in: folder)
        }
        return bytes
    }

    /// The number of its descriptor, open as long as this object exists.
    public var number: Int32 { descriptor.number }

    /// Returns a path under which this process can open the file while it exists.
    ///
    /// - Throws: `.unwritable` where /proc is not mounted.
    public func path() throws(AdapterError) -> String {
        let path = "/proc/self/fd/\(descriptor.number)"
        guard FileStatus(of: path) != nil else {
            throw AdapterError(.unwritable, "a temporary copy cannot be used: /proc is not mounted")
        }
        return path
    }
}
