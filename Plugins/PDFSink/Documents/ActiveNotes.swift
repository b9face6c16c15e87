internal import AdapterKit
internal import PageModel

extension ActiveContent {
    /// Returns the warnings of the run that makes a copy.
    ///
    /// - Parameters:
    ///   - isRemoved: whether the active content is removed on request.
    ///   - names: the documents with active content, if the book came from several inputs; otherwise empty.
    func notes(_ isRemoved: Bool, of names: [String]) -> [Warning] {
        func note(_ text: Message, _ shared: Message, _ hint: Message? = nil) -> [Warning] {
            let subject = names.isEmpty ? nil : Warning.list(names).english
            let note = Warning(code: "active-content", subject: subject, message: text, hint: hint, isNote: true)
            return [note.shared(shared)]
        }
        switch (isRemoved, isEmpty) {
        case (true, true):
            let text: Message = "--no-active found nothing to leave out"
            return note(text, text)
        case (true, false): return note("--no-active left out \(message)", "--no-active left out active content")
        case (false, true): return []
        case (false, false):
            return note(
                "the copy contains \(message)", "copies contain active content, such as scripts",
                "use --no-active to leave it out")
        }
    }

    /// Returns a warning about actions of the whole document that are lost in a part; nil without such actions.
    func loss(of name: String) -> Warning? {
        isEmpty
            ? nil
            : Warning(
                code: "active-content-dropped", subject: name,
                message: "left out actions of the whole document: \(message)",
                hint: "put it first to keep that")
    }
}
