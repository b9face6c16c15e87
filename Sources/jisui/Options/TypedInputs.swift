internal import AdapterKit
internal import ArgumentParser
internal import Files
internal import PageModel

/// The inputs that were typed. "-" is standard input, which is read to its end first.
struct TypedInputs {
    let inputs: [Input]
    /// The paths of the inputs, which no output may replace.
    let protected: [String]
    /// The spooled standard input, kept while the inputs are in use.
    private let spool: SpoolFile?

    /// - Throws: `AdapterError` when standard input cannot be read; `CancellationError`.
    init(_ typed: [String], password: String?) throws {
        let spool = typed.contains("-") ? try StandardStreams.spooledInput(maximumBytes: Limits().totalBytes) : nil
        self.spool = spool
        inputs = try typed.map { path in
            if path == "-", let spool { return try Input(standardInput: spool, password: password) }
            return Input(path: path, password: password)
        }
        protected = typed.map { $0 == "-" ? StandardStreams.inputPath : $0 }
    }

    /// - Throws: `ValidationError` if the arguments use standard input in an unsupported way.
    static func validate(_ typed: [String]) throws {
        let count = typed.count { $0 == "-" }
        if count > 1 {
            throw ValidationError(message: "standard input can be read only once, but '-' is given \(count) times")
        }
        if count == 1, StandardStreams.inputIsTerminal {
            throw ValidationError(
                message:
                    "standard input is a terminal; redirect a file or a pipe to '-'")
        }
    }
}
