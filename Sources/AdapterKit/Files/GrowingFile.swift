internal import Glibc

/// A file that is at its place from its first byte on, and stays there as far as it was written.
///
/// For what a person may want to read although the run did not come to its end. An output is an `OutputFile` instead.
public final class GrowingFile: Sendable {
    private let descriptor: Descriptor
    /// What it is, and where, for messages.
    private let contents: String
    private let path: String

    /// Makes a file. A pipe or a terminal may be written to, and a link is followed, as the shell's redirection does.
    ///
    /// - Parameters:
    ///   - contents: what it holds, for messages: "the report".
    ///   - mayReplace: whether what is at the path may be written over.
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

    private init(standardOutput descriptor: consuming Descriptor, of contents: String) {
        self.descriptor = descriptor
        self.contents = contents
        path = "standard output"
    }

    /// Standard output, which stays open for others.
    ///
    /// - Throws: `.unwritable`.
    public static func standardOutput(of contents: String) throws(AdapterError) -> GrowingFile {
        guard let copy = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) else {
            throw .system(.unwritable, "\(contents) cannot be written", file: "standard output")
        }
        return GrowingFile(standardOutput: copy, of: contents)
    }

    /// Appends bytes at once.
    ///
    /// - Throws: `.unwritable`.
    public func write(_ bytes: [UInt8]) throws(AdapterError) {
        guard descriptor.write(bytes) else {
            throw .system(.unwritable, "\(contents) cannot be written", file: path)
        }
    }
}
