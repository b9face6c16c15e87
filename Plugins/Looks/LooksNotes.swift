internal import PageModel

/// The notes on pages whose tones change.
extension Note.Code {
    static let leveled = Note.Code("leveled", "leveled")
    static let dithered = Note.Code("dithered") { note in
        note.values["shades"].map { "dithered to \($0) gray levels" } ?? "dithered to few shades"
    }
}
