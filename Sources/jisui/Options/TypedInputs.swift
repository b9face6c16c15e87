internal import AdapterKit
internal import ArgumentParser

/// The inputs that were typed, of which "-" is standard input: it is read to its end before anything else is done.
struct TypedInputs {
    let inputs: [Input]
    /// The paths of what is read, which no output may touch.
    let protected: [String]
    /// Holds what was read, for as long as the inputs are in use.
    private let spool: SpoolFile?

    /// - Throws: `AdapterError` when standard input cannot be read; `CancellationError`.
    init(_ typed: [String], password: String?) throws {
        let spool = typed.contains("-") ? try StandardStreams.spooledInput(most: Limits().totalBytes) : nil
        self.spool = spool
        inputs = try typed.map { path in
            if path == "-", let spool { return try Input(standardInput: spool, password: password) }
            return Input(path: path, password: password)
        }
        protected = typed.map { $0 == "-" ? StandardStreams.inputPath : $0 }
    }

    /// - Throws: `ValidationError` where standard input cannot be what is asked of it.
    static func validate(_ typed: [String]) throws {
        let count = typed.count { $0 == "-" }
        if count > 1 { throw ValidationError("standard input can be read once, and there are \(count) '-'") }
        if count == 1, StandardStreams.inputIsTerminal {
            throw ValidationError(
                "'-' is standard input, and that is a terminal; put < book.pdf behind, or a pipe before")
        }
    }
}
