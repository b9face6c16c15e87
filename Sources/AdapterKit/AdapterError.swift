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
    public var message: String
    /// The hint, with the option or command to type.
    public var advice: String?
    /// The input or output in which the failure happened.
    public var file: String?
    /// The page on which the failure happened, as `Page.name`.
    public var page: String?
    /// The message of the underlying library.
    public var cause: String?

    public init(
        _ code: Code, _ message: String, advice: String? = nil, file: String? = nil, page: String? = nil,
        cause: String? = nil
    ) {
        self.code = code
        self.message = message
        self.advice = advice
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
    public var description: String {
        // A page that is the input itself has the input's name.
        let isFile = file.map { FileName.last(of: $0) == page } ?? false
        let place = [file, isFile ? nil : page].compactMap { $0 }.joined(separator: ": ")
        return (place.isEmpty ? "" : place + ": ") + explanation
    }

    /// The message with the cause, for places that report the file and the page separately.
    public var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}

extension AdapterError {
    /// Returns an error for a failed system call: `message`, then the meaning of `errno` in plain words.
    public static func system(
        _ code: Code, _ message: String, advice: String? = nil, file: String? = nil
    ) -> AdapterError {
        let number = errno
        let why =
            switch number {
            case ENOSPC, EDQUOT: "the disk is full"
            case EFBIG: "the file would be larger than allowed here"
            case ENOENT: "no such file or folder"
            case EACCES, EPERM: "permission denied"
            case EROFS: "the file system is read-only"
            case EPIPE: "its reader is gone"
            case EBADF: "it is closed"
            case ENAMETOOLONG: "the name is longer than the file system allows"
            case EIO: "input/output error of the disk"
            default: String(cString: strerror(number)).lowercased()
            }
        return AdapterError(code, "\(message): \(why)", advice: advice, file: file)
    }
}

/// A message about a run that continued, worth a person's attention.
public struct Warning: Hashable, Sendable {
    /// The kind of warning, for programs: stable, lower case, hyphenated.
    public var code: String
    /// The page that the warning is about, as `Page.id`; nil for a warning about the book.
    public var page: Int?
    /// The description of the problem, without a final period.
    public var message: String
    /// The hint for the user.
    public var advice: String?
    /// Whether the warning is only information: the run still counts as one without warnings.
    public var isNote: Bool

    public init(code: String, page: Int? = nil, message: String, advice: String? = nil, isNote: Bool = false) {
        self.code = code
        self.page = page
        self.message = message
        self.advice = advice
        self.isNote = isNote
    }
}

extension Warning {
    /// Returns the warning about books in a file or folder of pages. jisui omits them; nil without books.
    ///
    /// - Parameter names: all omitted entries.
    public static func otherBooks(among names: [String]) -> Warning? {
        let books = names.filter(BookName.matches)
        guard let first = books.first else { return nil }
        let list = books.prefix(12).joined(separator: ", ") + (books.count > 12 ? ", …" : "")
        return Warning(
            code: "books-left-out",
            message: books.count == 1
                ? "the book \(first) in it is left out" : "\(books.count) books in it are left out: \(list)",
            advice: "give jisui each by itself")
    }

    /// Returns the warning that the output lacks files attached to a book, or to one of several; nil without such
    /// files.
    public static func lostAttachments(_ names: [String], of book: String? = nil) -> Warning? {
        guard let first = names.first else { return nil }
        let list = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
        let what =
            names.count == 1
            ? "the attached file \(first) is left out" : "\(names.count) attached files are left out: \(list)"
        return Warning(code: "attachments-dropped", message: (book.map { "\($0): " } ?? "") + what)
    }

    /// Returns the warning that a file's other images are lost; nil for one image.
    ///
    /// - Parameter count: the number of images in the file.
    public static func firstPictureOnly(of page: Page, _ count: Int) -> Warning? {
        count <= 1
            ? nil
            : Warning(
                code: "first-picture-only", page: page.sourceID,
                message: "\(page.name): only the first of its \(count) images is kept")
    }
}
