internal import CProgram
internal import Files
internal import Synchronization

/// The book and pages in work, for the line that is printed if a fault ends the program.
///
/// In a batch, a single book may crash a library; without its name, the user would not know which.
enum CrashReport {
    /// The places of the pages in work, by name.
    private static let places = Mutex<[String: [CInt]]>([:])

    /// Must be called after standard error has been determined.
    static func watch() {
        crash_watch(Terminal.error.number, Terminal.errorIsTerminal)
    }

    /// The paths of the books in work.
    private static let books = Mutex<[String]>([])

    static func begin(book path: String) {
        books.withLock { books in
            books.append(path)
            note(books)
        }
    }

    static func end(book path: String) {
        books.withLock { books in
            if let place = books.firstIndex(of: path) { books.remove(at: place) }
            note(books)
        }
    }

    private static func note(_ books: [String]) {
        crash_set_book(books.map(Terminal.safe).joined(separator: ", "))
    }

    static func begin(page name: String) {
        let place = crash_note_page(Terminal.safe(name))
        places.withLock { $0[name, default: []].append(place) }
    }

    static func end(page name: String) {
        let place = places.withLock { places in
            let place = places[name]?.popLast()
            if places[name]?.isEmpty == true { places[name] = nil }
            return place
        }
        if let place { crash_forget_page(place) }
    }
}
