internal import AdapterKit
internal import PageModel

extension ActiveContent {
    /// What is said of it in the run that makes a copy.
    ///
    /// - Parameter isRemoved: whether it is left out, as was asked for.
    func notes(_ isRemoved: Bool) -> [Warning] {
        func note(_ message: String, _ advice: String? = nil) -> [Warning] {
            [Warning(code: "active-content", message: message, advice: advice, isNote: true)]
        }
        if isRemoved {
            return note(isEmpty ? "--no-active found nothing to leave out" : "--no-active left out \(english)")
        }
        return isEmpty ? [] : note("the copy carries \(english)", "use --no-active to leave it out")
    }

    /// That a document does not do as a part of others what it did as a whole; nil where that is nothing.
    func loss(of name: String) -> Warning? {
        isEmpty
            ? nil
            : Warning(
                code: "active-content-dropped", message: "\(name): what it did as a whole was left out: \(english)",
                advice: "put it first to keep that")
    }
}
