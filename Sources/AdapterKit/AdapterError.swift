internal import Glibc
public import PageModel

/// A failure: its message, the place where it happened and a hint. Only the command prints it.
public struct AdapterError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public enum Code: String, Sendable {
        /// The input cannot be opened or read at all.
        case unreadable
        /// The input's data contradicts itself or ends too early.
        case damaged
        /// A password is needed, or the one given is wrong.
        case encrypted
        /// The input is valid but needs a feature that jisui does not support.
        case unsupported
        /// A limit was exceeded.
        case tooLarge = "too-large"
        /// The input does not contain a page.
        case empty
        /// The output cannot be written.
        case unwritable
        /// The output exists and must not be replaced.
        case exists
        /// The request contradicts itself or is not possible.
        case usage
    }

    public var code: Code
    /// The description of the failure in the user's words, without the file name and without a final period.
    public var message: Message
    /// The hint, with the option or command to type.
    public var hint: Message?
    /// The input or output in which the failure happened.
    public var file: String?
    /// The page on which the failure happened, as `Page.name`.
    public var page: String?
    /// The message of the underlying library.
    public var cause: Message?

    public init(
        _ code: Code, _ message: Message, hint: Message? = nil, file: String? = nil, page: String? = nil,
        cause: Message? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.file = file
        self.page = page
        self.cause = cause
    }

    /// The replacement for a `CancellationError` where only errors of adapters can be thrown.
    public static let cancelled = AdapterError(.unreadable, "the run was interrupted")

    /// Returns the same error with the file filled in: an input's name replaces a missing name or the path under which
    /// the input is open.
    public func about(_ input: Input) -> AdapterError {
        var copy = self
        if file == nil || file == input.path { copy.file = input.name }
        return copy
    }
}

extension AdapterError: CustomStringConvertible {
    /// The whole error in English, without its hint: "book.cbz: 003.jpg: the JPEG ends too early".
    public var description: String { placed.english }

    /// The whole error: place, message, cause and hint.
    public var text: Message { hint.map { "\(placed); \($0)" } ?? placed }

    private var placed: Message {
        // A page that is the input itself has the input's name.
        let isFile = file.map { FileName.last(of: $0) == page } ?? false
        let place = [file, isFile ? nil : page].compactMap { $0 }.joined(separator: ": ")
        return place.isEmpty ? explanation : "\(place): \(explanation)"
    }

    /// The message with the cause, for places that report the file and the page separately.
    public var explanation: Message { cause.map { "\(message) (\($0))" } ?? message }
}

extension AdapterError {
    /// Returns an error for a failed system call: `message`, then the meaning of `errno` in plain words.
    public static func system(
        _ code: Code, _ message: Message, hint: Message? = nil, file: String? = nil
    ) -> AdapterError {
        let number = errno
        let why: Message =
            switch number {
            case ENOSPC, EDQUOT: "the disk is full"
            case EFBIG: "the file would be larger than allowed here"
            case ENOENT: "no such file or folder"
            case EACCES, EPERM: "permission denied"
            case EROFS: "the file system is read-only"
            case EPIPE: "the process that reads it has exited"
            case EBADF: "it is closed"
            case ENAMETOOLONG: "the name is longer than the file system allows"
            case EIO: "disk input/output error"
            default: Message(verbatim: String(cString: strerror(number)).lowercased())
            }
        return AdapterError(code, "\(message): \(why)", hint: hint, file: file)
    }
}
