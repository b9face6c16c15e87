internal import CProgram
internal import Synchronization

/// What is being worked on, for the one line that is printed if a fault ends the program.
///
/// A book of a batch may be the one that no library can stand; without its name a person would not know which.
enum CrashReport {
    /// The places of the pages in work, by name.
    private static let places = Mutex<[String: [CInt]]>([:])

    /// To be called once standard error is known.
    static func watch() {
        crash_watch(Terminal.errorDescriptor, Terminal.errorIsTerminal)
    }

    /// - Parameter path: the book's path; nil when it is done.
    static func setBook(_ path: String?) {
        crash_set_book(path.map(Terminal.safe) ?? "")
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
