internal import Files

/// The names that browsers, scanners and copying programs give to files until these are complete.
enum UnfinishedName {
    private static let extensions: Set = [
        "part", "partial", "crdownload", "opdownload", "download", "filepart", "tmp", "temp", "aria2", "!ut",
    ]

    /// Whether a file or folder will be renamed when it is complete. Names that begin with a dot are `JunkName`.
    static func matches(_ name: String) -> Bool {
        name.hasSuffix("~") || extensions.contains(FileName.extension(of: name))
    }

    /// Whether a program keeps the unfinished contents of a file next to it, as Firefox and aria2 do.
    static func isNext(to path: String) -> Bool {
        ["part", "aria2"].contains { FileStatus(of: "\(path).\($0)") != nil }
    }

    /// Whether a folder contains an unfinished file at any depth.
    ///
    /// - Parameter levels: the number of levels to search.
    static func isInside(_ folder: String, levels: Int = 8) -> Bool {
        guard levels > 0, let entries = try? FolderListing.entries(in: folder) else { return false }
        return entries.contains { name, isFolder in
            matches(name) || isFolder && isInside("\(folder)/\(name)", levels: levels - 1)
        }
    }
}
