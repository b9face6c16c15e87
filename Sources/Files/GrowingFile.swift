internal import Glibc
public import PageModel

/// A file that is at its destination from its first byte on and keeps everything written so far.
///
/// It is for files that are useful even if the run does not finish. An output is an `OutputFile` instead.
public final class GrowingFile: Sendable {
    private let descriptor: Descriptor
    /// The file's contents and its place, for messages.
    private let contents: String
    private let path: String

    /// Makes a file. It writes to pipes and terminals, too. It follows links.
    ///
    /// - Parameters:
    ///   - contents: a description for messages: "the report".
    ///   - mayReplace: whether to overwrite a file.
    /// - Throws: `.exists`, `.unwritable`.
    public init(path: String, of contents: String, mayReplace: Bool) throws(AdapterError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (mayReplace ? O_TRUNC : O_EXCL)
        guard let descriptor = Descriptor(open(path, flags, 0o666)) else {
            if errno == EEXIST { throw .alreadyExists(Destination(path: path)) }
            throw .system(.unwritable, "\(contents) cannot be written", file: path)
        }
        self.descriptor = descriptor
        self.contents = contents
        self.path = path
    }

    private init(_ descriptor: consuming Descriptor, named path: String, of contents: String) {
        self.descriptor = descriptor
        self.contents = contents
        self.path = path
    }

    /// Returns standard output, which stays open for other users.
    ///
    /// - Throws: `.unwritable`.
    public static func standardOutput(of contents: String) throws(AdapterError) -> GrowingFile {
        try descriptor(STDOUT_FILENO, named: "standard output", of: contents)
    }

    /// Returns a file that the caller of the program opened. It stays open for other users.
    ///
    /// - Parameter name: its name in messages.
    /// - Throws: `.unwritable`.
    public static func descriptor(
        _ number: Int32, named name: String, of contents: String
    ) throws(AdapterError) -> GrowingFile {
        guard let copy = Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0)) else {
            throw .system(.unwritable, "\(contents) cannot be written", file: name)
        }
        return GrowingFile(copy, named: name, of: contents)
    }

    /// Appends bytes immediately.
    ///
    /// - Throws: `.unwritable`.
    public func write(_ bytes: [UInt8]) throws(AdapterError) {
        guard descriptor.write(bytes) else {
            throw .system(.unwritable, "\(contents) cannot be written", file: path)
        }
    }
}
