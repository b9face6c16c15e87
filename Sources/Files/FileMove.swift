internal import Glibc
public import PageModel

/// The move of a file or folder to another folder, where it never replaces anything.
public enum FileMove {
    /// The files and folders below a folder, by their paths below it; outer folders first.
    private struct Tree {
        var files: [String] = []
        var folders: [String] = []
    }

    private static let step = 1 << 20

    /// Moves a file or folder.
    ///
    /// To another file system, it is copied and flushed to the disk, and appears complete. The original is removed
    /// afterwards. Files that were added to it in the meantime stay.
    ///
    /// - Parameter list: the list of the program's temporary files.
    /// - Returns: false if something exists at the new path.
    /// - Throws: `.unreadable`, `.unwritable`; `.unsupported` for links and devices on the way to another file system.
    public static func move(_ old: String, to new: String, _ list: TemporaryFiles) throws(AdapterError) -> Bool {
        if Rename.rename(old, to: new, Rename.noReplace) {
            for path in [new, old] { Folder.synchronize(FileName.parent(of: path)) }
            return true
        }
        switch errno {
        case EEXIST, ENOTEMPTY: return false
        case EXDEV: return try copy(old, to: new, list)
        default: throw .system(.unwritable, "cannot be moved to \(FileName.parent(of: new))", file: old)
        }
    }

    /// Copies a file or folder and removes the original.
    static func copy(_ old: String, to new: String, _ list: TemporaryFiles) throws(AdapterError) -> Bool {
        guard FileStatus(of: new, followsLinks: false) == nil else { return false }
        guard let stamp = FileStamp(of: old), let status = FileStatus(of: old, followsLinks: false) else {
            throw .system(.unreadable, "cannot be read", file: old)
        }
        let destination = Destination(path: new, temporaryFiles: list)
        var tree = Tree()
        do throws(AdapterError) {
            switch status.kind {
            case .file: try copyFile(old, to: destination)
            case .folder:
                tree = try contents(of: old)
                try copyFolder(old, tree, to: destination)
            case .link, .other: throw notCopied(old)
            }
        } catch {
            guard error.code == .exists else { throw error }
            return false
        }
        guard FileStamp(of: old) == stamp else {
            Folder.remove(new)
            var error = AdapterError(.unreadable, "changed while it was moved", file: old)
            error.isTemporary = true
            throw error
        }
        for name in tree.files { keepTime(of: "\(old)/\(name)", in: "\(new)/\(name)") }
        keepTime(of: old, in: new)
        for name in tree.files { unlink("\(old)/\(name)") }
        for name in tree.folders.reversed() { rmdir("\(old)/\(name)") }
        guard (status.kind == .folder ? rmdir(old) : unlink(old)) == 0 else {
            throw .system(.unwritable, "was copied to \(new), but cannot be removed", file: old)
        }
        return true
    }

    private static func copyFile(_ old: String, to destination: Destination) throws(AdapterError) {
        let input = try ReadableFile(path: old)
        let output = try OutputFile(at: destination)
        var offset = 0
        while offset < input.size {
            let bytes = try input.read(at: offset, exactly: min(step, input.size - offset))
            try output.write(bytes)
            offset += bytes.count
        }
        try output.publish()
    }

    private static func copyFolder(_ old: String, _ tree: Tree, to destination: Destination) throws(AdapterError) {
        let output = try OutputFolder(at: destination) { _ in false }
        for name in tree.files {
            let input = try ReadableFile(path: "\(old)/\(name)")
            try output.add(name, try input.read(at: 0, exactly: input.size))
        }
        try output.publish()
    }

    private static func contents(of folder: String, below prefix: String = "") throws(AdapterError) -> Tree {
        var tree = Tree()
        for name in try FolderListing.names(in: "\(folder)/\(prefix)") {
            let path = "\(folder)/\(prefix)\(name)"
            switch FileStatus(of: path, followsLinks: false)?.kind {
            case .file: tree.files.append(prefix + name)
            case .folder:
                let inner = try contents(of: folder, below: "\(prefix)\(name)/")
                tree.files += inner.files
                tree.folders += [prefix + name] + inner.folders
            case .link, .other, nil: throw notCopied(path)
            }
        }
        return tree
    }

    private static func notCopied(_ path: String) -> AdapterError {
        AdapterError(
            .unsupported, "cannot be moved to another file system: it is neither a file nor a folder", file: path)
    }

    private static func keepTime(of old: String, in new: String) {
        var status = stat()
        guard stat(old, &status) == 0 else { return }
        let times = [status.st_atim, status.st_mtim]
        utimensat(AT_FDCWD, new, times, 0)
    }
}
