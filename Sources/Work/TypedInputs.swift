public import AdapterKit
internal import Files
internal import PageModel

/// The inputs that a user typed. "-" is standard input, which is read to its end first.
///
/// Standard input is kept in a file without a name as long as this value exists.
public struct TypedInputs: Sendable {
    public let inputs: [Input]
    /// The paths of the inputs, which no output may replace.
    public let protected: [String]
    /// The spooled standard input, kept while the inputs are in use.
    private let spool: SpoolFile?

    /// - Parameters:
    ///   - typed: paths, and at most once "-".
    ///   - password: the password of all inputs, if one was given.
    /// - Throws: `AdapterError` when standard input cannot be read; `CancellationError`.
    public init(_ typed: [String], password: String?) throws {
        let spool = typed.contains("-") ? try StandardStreams.spooledInput(maximumBytes: Limits().totalBytes) : nil
        self.spool = spool
        inputs = try typed.map { path in
            if path == "-", let spool { return try Input(standardInput: spool, password: password) }
            return Input(path: path, password: password)
        }
        protected = typed.map { $0 == "-" ? StandardStreams.inputPath : $0 }
    }
}
