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
