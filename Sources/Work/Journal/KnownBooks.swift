internal import Files

/// The inputs of a journal. jisui recognizes an unchanged one without opening it.
public final class KnownBooks {
    private let inputs: [String: BookFile]
    /// The folder of the last path, and its absolute path. Most paths follow others of the same folder.
    private var folder = (given: "", absolute: "")

    /// - Parameter journal: nil for no books.
    public init(_ journal: Journal?) {
        inputs = journal?.inputs ?? [:]
    }

    /// Returns whether a file is an unchanged input.
    public func contains(_ path: String) -> Bool {
        if inputs.isEmpty { return false }
        let parent = FileName.parent(of: path)
        if folder.given != parent { folder = (parent, BookFile.absolute("\(parent)/.")) }
        let absolute = folder.absolute == "/" ? path : "\(folder.absolute)/\(FileName.last(of: path))"
        return inputs[absolute].map { $0.isSame(as: FileStamp(of: path)) } ?? false
    }
}
