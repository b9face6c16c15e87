internal import Files
internal import PageModel

/// A folder for the files of one check.
extension WorkFolder {
    convenience init() throws(AdapterError) { try self.init(TemporaryFiles()) }

    /// Returns the path of an item in the folder, whether it exists or not.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ name: String, _ bytes: [UInt8] = []) throws(AdapterError) -> String {
        try GrowingFile(path: self(name), of: "the copy", mayReplace: true).write(bytes)
        return self(name)
    }

    func names() -> [String] { WorkFolder.names(in: path) }

    private static func names(in path: String) -> [String] {
        ((try? FolderListing.names(in: path)) ?? []).filter { $0 != mark }.sorted()
    }

    /// Returns the bytes of a file, or those of all files below a folder by their relative paths.
    static func contents(of path: String, named name: String = "") throws(AdapterError) -> [String: [UInt8]] {
        guard FileStatus.isFolder(path) else {
            let file = try ReadableFile(path: path)
            return [name: try file.read(at: 0, exactly: file.size)]
        }
        var contents: [String: [UInt8]] = [:]
        for inner in names(in: path) {
            contents.merge(try WorkFolder.contents(of: "\(path)/\(inner)", named: "\(name)/\(inner)")) { $1 }
        }
        return contents
    }
}
