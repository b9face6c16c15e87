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
    /// Whether the same request may succeed later, because its cause is the state of the system and not the book.
    public var isTemporary = false

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

    /// Returns the same error about a file, a page, or both. A place that is not given stays.
    package func at(file: String? = nil, page: String? = nil) -> AdapterError {
        var copy = self
        copy.file = file ?? self.file
        copy.page = page ?? self.page
        return copy
    }

    /// The replacement for a `CancellationError` where only errors of adapters can be thrown.
    public static let cancelled = AdapterError(.unreadable, "the run was interrupted")
}

extension Error {
    /// Throws the error if it is a cancellation, or another one if the task is cancelled.
    ///
    /// A failure in an interrupted run is not evidence about a page.
    package func throwIfCancelled() throws {
        if self is CancellationError { throw self }
        try Task.checkCancellation()
    }
}

extension AdapterError: CustomStringConvertible {
    /// The whole error in English, without its hint: "book.cbz: 003.jpg: the JPEG ends too early".
    public var description: String { placed.english }

    /// The whole error: place, message, cause and hint.
    public var text: Message { hint.map { "\(placed); \($0)" } ?? placed }

    private var placed: Message {
        // A page that is the input itself has the input's name.
        let isFile = file.map { lastComponent(of: $0) == page } ?? false
        let ofPage = isFile ? explanation : page.map { "\(page: $0): \(explanation)" } ?? explanation
        return file.map { "\($0): \(ofPage)" } ?? ofPage
    }

    private func lastComponent(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }

    /// The message with the cause, for places that report the file and the page separately.
    public var explanation: Message { cause.map { "\(message) (\($0))" } ?? message }
}
