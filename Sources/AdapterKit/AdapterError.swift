internal import Glibc
public import PageModel

/// What went wrong, where, and what to do about it. Only the command prints it.
public struct AdapterError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public enum Code: String, Sendable {
        /// The input cannot be opened or read at all.
        case unreadable
        /// The input's data contradicts itself or ends too early.
        case damaged
        /// A password is needed, or the one given is wrong.
        case encrypted
        /// The input is sound, but asks for something jisui cannot do.
        case unsupported
        /// A limit was exceeded.
        case tooLarge = "too-large"
        /// The input holds no page.
        case empty
        /// The output cannot be written.
        case unwritable
        /// The output exists and may not be replaced.
        case exists
        /// What was asked for makes no sense.
        case usage
    }

    public var code: Code
    /// What is wrong, in the reader's words, without the file's name and without a final stop.
    public var message: String
    /// What to do, with the option or command to type.
    public var advice: String?
    /// The input or output it happened to.
    public var file: String?
    /// The page it happened to, as `Page.name`.
    public var page: String?
    /// What the library underneath said.
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

    /// What stands for a `CancellationError` where only errors of adapters can be thrown.
    public static let cancelled = AdapterError(.unreadable, "the run was interrupted")

    /// The same error, naming an input where it named no file, or the path under which the input is open.
    public func about(_ input: Input) -> AdapterError {
        var copy = self
        if file == nil || file == input.path { copy.file = input.name }
        return copy
    }
}

extension AdapterError: CustomStringConvertible {
    public var description: String {
        // A page that is the input itself bears its name.
        let isFile = file.map { FileName.last(of: $0) == page } ?? false
        let place = [file, isFile ? nil : page].compactMap { $0 }.joined(separator: ": ")
        return (place.isEmpty ? "" : place + ": ") + explanation
    }

    /// What is wrong, with what the library underneath said, for where the file and the page are told otherwise.
    public var explanation: String { message + (cause.map { " (\($0))" } ?? "") }
}

extension AdapterError {
    /// An error for a failed system call: `message`, then what `errno` means in plain words.
    public static func system(
        _ code: Code, _ message: String, advice: String? = nil, file: String? = nil
    ) -> AdapterError {
        let number = errno
        let why =
            switch number {
            case ENOSPC, EDQUOT: "the disk is full"
            case EFBIG: "the file would be larger than allowed here"
            case ENOENT: "there is no such file or folder"
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

/// Something a person should know although the work went on.
public struct Warning: Hashable, Sendable {
    /// The kind of warning, for programs: stable, lower case, hyphenated.
    public var code: String
    /// The page it is about, as `Page.id`, if it is about one.
    public var page: Int?
    /// What is wrong, without a final stop.
    public var message: String
    /// What to do about it.
    public var advice: String?
    /// Whether it is only news: nothing is wrong, and the run counts as one without warnings.
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
    /// That books among what is no page are left out, of a file or a folder that holds pages as well; nil when there are none.
    ///
    /// - Parameter names: of what is left out.
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

    /// That files which are attached to a book, or to one of several, are not in the output; nil when there are none.
    public static func lostAttachments(_ names: [String], of book: String? = nil) -> Warning? {
        guard let first = names.first else { return nil }
        let list = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
        let what =
            names.count == 1
            ? "the attached file \(first) is left out" : "\(names.count) attached files are left out: \(list)"
        return Warning(code: "attachments-dropped", message: (book.map { "\($0): " } ?? "") + what)
    }

    /// That of a file of several pictures only the first is kept.
    ///
    /// - Parameter count: of its pictures; nothing is lost of one.
    public static func firstPictureOnly(of page: Page, _ count: Int) -> Warning? {
        count <= 1
            ? nil
            : Warning(
                code: "first-picture-only", page: page.sourceID,
                message: "\(page.name): only the first of its \(count) pictures is kept")
    }
}
