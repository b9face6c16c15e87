internal import AdapterKit
public import PageModel

/// The notes of the books of a batch, one line for each kind of note.
///
/// Forty books with the same choice are one line with their number, not forty lines.
public struct BatchNotes: Sendable {
    /// The messages that become one line: those that differ only in facts of their book.
    private struct Kind: Hashable {
        let code: String
        let pattern: String
        let hint: Message?

        init(_ note: Warning) {
            code = note.code
            pattern = (note.sharedMessage ?? note.message).pattern
            hint = note.hint
        }
    }

    fileprivate struct Entry {
        let note: Warning
        /// The name of the first book.
        let book: String
        var books = 1
        /// Whether the note is the same in all these books.
        var isSame = true
    }

    private var entries: [Kind: Entry] = [:]
    private var order: [Kind] = []

    public init() {}

    /// Adds the notes of a book.
    mutating func add(_ notes: [Warning], of book: String) {
        var added: Set<Kind> = []
        for note in notes {
            let kind = Kind(note)
            guard added.insert(kind).inserted else { continue }
            guard let entry = entries[kind] else {
                order.append(kind)
                entries[kind] = Entry(note: note, book: book)
                continue
            }
            entries[kind]?.books = entry.books + 1
            entries[kind]?.isSame = entry.isSame && entry.note.explanation == note.explanation
        }
    }

    /// Adds the notes of a later batch of the same run; returns the lines about kinds that no earlier batch had.
    public mutating func newLines(of later: BatchNotes) -> [Message] {
        var lines: [Message] = []
        for kind in later.order where entries[kind] == nil {
            guard let entry = later.entries[kind] else { continue }
            order.append(kind)
            entries[kind] = entry
            lines.append(entry.line)
        }
        return lines
    }

    /// The lines, in the order in which their kinds appeared.
    public var lines: [Message] { order.compactMap { entries[$0]?.line } }
}

extension BatchNotes.Entry {
    fileprivate var line: Message { note.hint.map { "\(text); \($0)" } ?? text }

    private var text: Message {
        if books == 1 { return "\(book): \(note.explanation)" }
        if let shared = note.sharedMessage ?? (isSame ? note.explanation : nil) { return "\(shared) (\(books) books)" }
        return books == 2
            ? "\(book): \(note.explanation), and the like in another book"
            : "\(book): \(note.explanation), and the like in \(books - 1) other books"
    }
}
