public import PageModel
internal import PageNames

/// A message about a run that continued, worth a person's attention.
public struct Warning: Hashable, Sendable {
    /// The kind of warning, for programs: stable, lower case, hyphenated.
    public var code: String
    /// The page that the warning is about, as `Page.id`; nil for a warning about the book.
    public var page: Int?
    /// The name of the page, or of another part of the book, that the message is about; nil for a warning about the book.
    public var subject: String?
    /// The path of the document within its source that the message is about; nil if it is about something else.
    public var document: String?
    /// The book that the message is about, as `Page.book`.
    public var book = 0
    /// The description of the problem, without the subject and without a final period.
    public var message: Message
    /// The cause of the effect that the message states; nil if the message contains it.
    public var cause: Message?
    /// The message about several books, without the facts of each; nil if `message` has no such facts.
    public private(set) var sharedMessage: Message?
    /// The hint for the user.
    public var hint: Message?
    /// Whether the warning is only information: the run still counts as one without warnings.
    public var isNote: Bool

    public init(
        code: String, page: Int? = nil, subject: String? = nil, message: Message, hint: Message? = nil,
        isNote: Bool = false
    ) {
        self.code = code
        self.page = page
        self.subject = subject
        self.message = message
        self.hint = hint
        self.isNote = isNote
    }

    /// Makes a warning about a page.
    public init(code: String, _ page: Page, _ message: Message, hint: Message? = nil) {
        self.init(code: code, page: page.sourceID, subject: page.name, message: message, hint: hint)
    }

    /// Makes a warning about the effect of an error on a page.
    ///
    /// - Parameter message: the effect: "skipped".
    public init(code: String, _ page: Page, _ message: Message, because error: AdapterError) {
        self.init(code: code, page, message, hint: error.hint)
        cause = error.explanation
    }

    /// Returns the warning with a message for a line about several books.
    public func shared(_ message: Message) -> Warning {
        var warning = self
        warning.sharedMessage = message
        return warning
    }

    /// The subject, the message and the cause, without the hint.
    public var explanation: Message {
        let text: Message = cause.map { "\(message): \($0)" } ?? message
        return subject.map { "\(page: $0): \(text)" } ?? text
    }
}

extension Warning {
    /// A longer list would not be read.
    private static let maximumNames = 12

    /// Returns the first names, separated by commas.
    public static func list(_ names: [String]) -> Message {
        let first = names.prefix(maximumNames).commaSeparated
        return names.count > maximumNames ? "\(first), …" : first
    }

    /// Returns the warning about books in a file or folder of pages. jisui omits them; nil without books.
    ///
    /// - Parameter names: all omitted entries.
    public static func otherBooks(among names: [String]) -> Warning? {
        let books = names.filter(BookName.matches)
        guard let first = books.first else { return nil }
        return Warning(
            code: "books-skipped",
            message: books.count == 1
                ? "skipped the book \(first) in it"
                : "skipped \(books.count) books in it: \(Warning.list(books))",
            hint: "convert each of them separately")
    }

    /// Returns the warning that the output lacks files attached to a book, or to one of several; nil without such
    /// files.
    public static func lostAttachments(_ names: [String], of book: String? = nil) -> Warning? {
        guard let first = names.first else { return nil }
        return Warning(
            code: "attachments-dropped", subject: book,
            message: names.count == 1
                ? "left out the attached file \(first)"
                : "left out \(names.count) attached files: \(Warning.list(names))"
        ).shared("left out attached files")
    }

    /// Returns the note on cropped margins that the output hides, and that other programs can show again.
    ///
    /// - Parameter count: the number of pages with such margins.
    public static func hiddenMargins(code: String, onPages count: Int) -> Warning {
        Warning(
            code: code,
            message: count == 1
                ? "margins are hidden, not removed, on 1 page" : "margins are hidden, not removed, on \(count) pages",
            isNote: true
        ).shared("margins are hidden, not removed")
    }

    /// Returns the warning that a file's other images are lost; nil for one image.
    ///
    /// - Parameter count: the number of images in the file.
    public static func firstPictureOnly(of page: Page, _ count: Int) -> Warning? {
        count <= 1
            ? nil
            : Warning(code: "first-image-only", page, "only the first of its \(count) images is kept")
    }
}
