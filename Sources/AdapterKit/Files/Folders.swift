internal import CLinux
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
        while let (name, type) = readName(stream) {
            var isFolder = type == DT_DIR
            if type == DT_LNK || type == DT_UNKNOWN {
                var status = stat()
                isFolder = stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            found.append((name, isFolder))
        }
        return found
    }
}

/// Work on folders, and on what lies below an open one. No symbolic link is followed.
public enum Folder {
    /// Makes a folder.
    ///
    /// - Throws: `.unwritable`.
    public static func make(_ path: String) throws(AdapterError) {
        guard mkdir(path, 0o777) == 0 else { throw .system(.unwritable, "the folder cannot be made", file: path) }
    }

    /// Removes a folder if nothing is in it.
    public static func removeEmpty(_ path: String) {
        rmdir(path)
    }

    /// Opens a folder that is none by way of a link; nil with `errno` set on failure.
    static func open(_ path: String, below folder: CInt = AT_FDCWD) -> Descriptor? {
        Descriptor(openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// The names in an open folder; nil when it cannot be read.
    static func names(in folder: CInt) -> [String]? {
        // The stream closes its descriptor, and reads from where an earlier one stopped: it gets one of its own.
        guard let own = Descriptor(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), let copy = own.copy(),
            let stream = fdopendir(copy)
        else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let (name, _) = readName(stream) { names.append(name) }
        return names
    }

    /// Removes a file, or a folder with all that is in it.
    ///
    /// - Returns: whether nothing is left of it.
    @discardableResult
    static func remove(_ name: String, below folder: CInt = AT_FDCWD) -> Bool {
        if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return true }
        if let inner = open(name, below: folder), let names = names(in: inner.number) {
            for name in names { remove(name, below: inner.number) }
        }
        return unlinkat(folder, name, AT_REMOVEDIR) == 0
    }

    /// Has a folder's list of names reach the disk. A file system that cannot do it keeps its own order of things.
    static func synchronise(_ path: String) {
        if let folder = Descriptor(AdapterKit.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
            _ = folder.synchronise()
        }
    }
}

/// Renaming with the promises of Linux's `renameat2`.
enum Rename {
    /// Fails when the new name is taken.
    static let noReplace = CUnsignedInt(linux_rename_noreplace)
    /// Has two names change places.
    static let exchange = CUnsignedInt(linux_rename_exchange)

    /// Renames, with a fall-back for file systems that do not know the flags; false with `errno` set on failure.
    static func rename(
        _ old: String, below oldFolder: CInt = AT_FDCWD, to new: String, below newFolder: CInt = AT_FDCWD,
        _ flags: CUnsignedInt
    ) -> Bool {
        if linux_renameat2(oldFolder, old, newFolder, new, flags) == 0 { return true }
        guard errno == EINVAL, flags == noReplace else { return false }
        if faccessat(newFolder, new, F_OK, 0) == 0 {
            errno = EEXIST
            return false
        }
        return renameat(oldFolder, old, newFolder, new) == 0
    }
}
