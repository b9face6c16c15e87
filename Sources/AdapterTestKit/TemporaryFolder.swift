internal import Files
internal import PageModel

/// A folder for the files of one check in the folder of temporary files. It is deleted with the last reference.
final class TemporaryFolder: Sendable {
    private let folder: WorkFolder

    init() throws(AdapterError) { folder = try WorkFolder(TemporaryFiles()) }

    /// Returns the path of an item in the folder, whether it exists or not.
    func callAsFunction(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Writes a file, and returns its path.
    func write(_ name: String, _ bytes: [UInt8] = []) throws(AdapterError) -> String {
        try GrowingFile(path: self(name), of: "the copy", mayReplace: true).write(bytes)
        return self(name)
    }

    /// Returns the names in the folder, including hidden ones, sorted.
    func names() -> [String] { TemporaryFolder.names(in: folder.path) }

    private static func names(in path: String) -> [String] {
        ((try? FolderListing.names(in: path)) ?? []).filter { $0 != WorkFolder.mark }.sorted()
    }

    /// Returns the bytes of a file, or those of all files below a folder by their relative paths.
    static func contents(of path: String, named name: String = "") throws(AdapterError) -> [String: [UInt8]] {
        guard FileStatus.isFolder(path) else {
            let file = try ReadableFile(path: path)
            return [name: try file.read(at: 0, exactly: file.size)]
        }
        var contents: [String: [UInt8]] = [:]
        for inner in names(in: path) {
            contents.merge(try TemporaryFolder.contents(of: "\(path)/\(inner)", named: "\(name)/\(inner)")) { $1 }
        }
        return contents
    }
}
