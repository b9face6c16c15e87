internal import Files
internal import PageModel

/// A folder for the files of one check, deleted with everything in it with the last reference.
final class TemporaryFolder: Sendable {
    private let folder: WorkFolder

    /// Makes a new, empty folder in `TMPDIR`, or in `/var/tmp` if that is not set.
    init() throws(AdapterError) { folder = try WorkFolder(TemporaryFiles()) }

    /// Returns the path of an item in the folder, whether it exists or not.
    func callAsFunction(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8] = []) throws(AdapterError) -> String {
        try GrowingFile(path: self(name), of: "the copy", mayReplace: true).write(bytes)
        return self(name)
    }

    /// Returns all bytes of a file.
    static func read(_ path: String) throws(AdapterError) -> [UInt8] {
        let file = try ReadableFile(path: path)
        return try file.read(at: 0, exactly: file.size)
    }

    /// Returns the names in the folder, including hidden ones, sorted.
    func names() -> [String] { TemporaryFolder.names(in: folder.path) }

    private static func names(in path: String) -> [String] {
        let names = (try? FolderListing.names(in: path)) ?? []
        return names.filter { $0 != WorkFolder.mark }.sorted()
    }

    /// Returns the relative paths of all files below a folder.
    static func files(in path: String) -> [String] {
        names(in: path).flatMap { name in
            let inner = files(in: "\(path)/\(name)")
            return inner.isEmpty ? [name] : inner.map { "\(name)/\($0)" }
        }
    }
}
