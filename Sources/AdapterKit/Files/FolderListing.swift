internal import Glibc

/// The names in a folder.
public enum FolderListing {
    /// Every name except "." and "..", in no particular order.
    ///
    /// - Throws: `.unreadable`.
    public static func names(in folder: String) throws(AdapterError) -> [String] {
        try entries(in: folder).map(\.name)
    }

    /// Every entry except "." and "..", with whether it is a folder itself; symbolic links are followed.
    ///
    /// - Throws: `.unreadable`.
    public static func entries(in folder: String) throws(AdapterError) -> [(name: String, isFolder: Bool)] {
        guard let stream = opendir(folder) else {
            throw .system(.unreadable, "the folder cannot be read", file: folder)
        }
        defer { closedir(stream) }
        var found: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            var isFolder = entry.pointee.d_type == DT_DIR
            if entry.pointee.d_type == DT_LNK || entry.pointee.d_type == DT_UNKNOWN {
                var status = stat()
                isFolder = stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            found.append((name, isFolder))
        }
        return found
    }
}
