internal import CLinux
internal import Glibc
internal import Synchronization

/// A nameless temporary file: bytes that can only be had in sequence are kept here to be read at random.
///
/// It has no name from the start, so that nothing can leave it behind.
public final class SpoolFile: Sendable {
    private let descriptor: Descriptor
    private let end = Mutex(0)

    /// Opens a spool in `TMPDIR`, or in /var/tmp, which unlike /tmp is seldom memory.
    ///
    /// - Throws: `.unwritable`.
    public init() throws(AdapterError) {
        let folder = environmentPath("TMPDIR") ?? "/var/tmp"
        if let nameless = Descriptor(open(folder, linux_o_tmpfile | O_RDWR | O_CLOEXEC, 0o600)) {
            descriptor = nameless
            return
        }
        // mkstemp puts a free name in the place of the six signs.
        var template = FileName.bytes(of: folder + "/jisui-spool-XXXXXX").map { CChar(bitPattern: $0) } + [0]
        guard let named = Descriptor(mkstemp(&template)) else {
            throw .system(.unwritable, "no temporary file can be made in \(folder)", advice: SpoolFile.advice)
        }
        unlink(template)
        descriptor = named
    }

    private static let advice = "set TMPDIR to a folder with enough room"

    /// Appends bytes and returns the offset they begin at.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(AdapterError) -> Int {
        let offset = end.withLock { end in
            defer { end += bytes.count }
            return end
        }
        guard descriptor.write(bytes, at: offset) else {
            throw .system(.unwritable, "the temporary file cannot be written", advice: SpoolFile.advice)
        }
        return offset
    }

    /// Appends bytes and returns the offset they begin at.
    public func append(_ bytes: [UInt8]) throws(AdapterError) -> Int {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(AdapterError) in try append(bytes) }
        }
        return try result.get()
    }

    /// Reads back `count` bytes from `offset`.
    public func read(at offset: Int, count: Int) throws(AdapterError) -> [UInt8] {
        guard let bytes = descriptor.read(at: offset, upTo: count), bytes.count == count else {
            throw .system(.unreadable, "the temporary file cannot be read")
        }
        return bytes
    }

    /// The number of its descriptor, open as long as the file is there.
    public var number: Int32 { descriptor.number }

    /// A path under which this process can open the file while it exists.
    public var path: String { "/proc/self/fd/\(descriptor.number)" }
}
