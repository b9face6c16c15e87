public import AdapterKit
internal import Files
internal import Metadata
internal import PageModel
internal import PageNames

/// The folders among the inputs of a run.
public struct InputFolders: Sendable {
    private let folders: Set<FileIdentity>

    /// - Parameter inputs: the inputs of all books.
    public init(_ inputs: some Sequence<Input>) {
        folders = Set(inputs.compactMap { FileStatus(of: $0.path) }.filter { $0.kind == .folder }.map(\.identity))
    }

    /// Returns whether a path names an existing file inside one of them.
    func hold(_ path: String) -> Bool {
        guard !folders.isEmpty, let file = FileName.resolved(path) else { return false }
        return FileIdentity.ancestors(of: file).dropFirst().contains(where: folders.contains)
    }

    /// - Throws: `.usage` if an output would replace a page or metadata file of a book in one of them.
    func refusePage(_ destination: Destination) throws(AdapterError) {
        guard holdPage(destination.path) else { return }
        throw AdapterError(
            .usage, "the output would replace a page of the book", hint: "give another name with -o",
            file: destination.path)
    }

    /// Returns whether a path names an existing page or metadata file of a book in one of them.
    func holdPage(_ path: String) -> Bool {
        guard !folders.isEmpty, let file = FileName.resolved(path) else { return false }
        return (PictureName.matches(file) || BookDocument.matches(file)) && hold(file)
    }
}

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
