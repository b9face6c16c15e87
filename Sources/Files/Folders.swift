internal import CLinux
internal import Glibc
public import PageModel

/// The names in a folder.
public enum FolderListing {
    /// Returns every name except "." and "..", in no particular order.
    ///
    /// - Throws: `.unreadable`.
    public static func names(in folder: String) throws(AdapterError) -> [String] {
        try entries(in: folder).map(\.name)
    }

    /// Returns every entry except "." and "..", and whether it is a folder itself; symbolic links are followed.
    ///
    /// - Throws: `.unreadable`.
    public static func entries(in folder: String) throws(AdapterError) -> [(name: String, isFolder: Bool)] {
        // Tried again: a disk error may be temporary.
        guard let listed = list(folder) ?? list(folder) else {
            throw .system(.unreadable, "the folder cannot be read", file: folder)
        }
        return listed.map { name, type in
            guard type == DT_LNK || type == DT_UNKNOWN else { return (name, type == DT_DIR) }
            var status = stat()
            return (name, stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
        }
    }

    /// Returns nil with `errno` set on failure.
    private static func list(_ folder: String) -> [(name: String, type: Int)]? {
        guard let descriptor = Descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return nil }
        return listEntries(descriptor.number)
    }
}

/// Operations on folders, and on the contents of an open one. They follow no symbolic links.
public enum Folder {
    /// Makes a folder.
    ///
    /// - Parameter mode: the maximum permissions, as in `chmod`.
    /// - Throws: `.unwritable`.
    public static func make(_ path: String, mode: UInt32 = 0o777) throws(AdapterError) {
        if mkdir(path, mode) == 0 { return }
        let hint: Message? = errno == ENOENT ? "make the folder \(FileName.parent(of: path)) first" : nil
        throw .system(.unwritable, "the folder cannot be created", hint: hint, file: path)
    }

    /// Makes an empty file; an existing file stays as it is.
    ///
    /// - Throws: `.unwritable`.
    public static func makeEmptyFile(_ path: String) throws(AdapterError) {
        guard Descriptor(Files.open(path, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o666)) != nil else {
            throw .system(.unwritable, "cannot be written", file: path)
        }
    }

    /// Removes a file, or a link; a missing one is not an error.
    ///
    /// - Throws: `.unwritable`.
    public static func removeFile(_ path: String) throws(AdapterError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(.unwritable, "cannot be removed", file: path) }
    }

    /// Removes a folder if it is empty.
    public static func removeEmpty(_ path: String) {
        rmdir(path)
    }

    /// Opens a folder that is not a symbolic link; nil with `errno` set on failure.
    static func open(_ path: String, below folder: CInt = AT_FDCWD) -> Descriptor? {
        Descriptor(openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// Returns the names in an open folder; nil with `errno` set when it cannot be read.
    static func names(in folder: CInt) -> [String]? {
        listEntries(folder)?.map(\.name)
    }

    /// Removes a file, or a folder with its contents.
    ///
    /// - Parameter last: a file to remove last.
    /// - Returns: whether everything was removed.
    @discardableResult
    static func remove(_ name: String, below folder: CInt = AT_FDCWD, last: String? = nil) -> Bool {
        if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return true }
        if let inner = open(name, below: folder) { empty(inner.number, last: last) }
        // Another process may have removed it at the same time.
        return unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT
    }

    /// Removes the contents of an open folder.
    ///
    /// - Parameter last: the name of a file in it that is removed last.
    static func empty(_ folder: CInt, last: String?) {
        guard let names = names(in: folder) else { return }
        let areGone = names.filter { $0 != last }.map { remove($0, below: folder) }.allSatisfy { $0 }
        if let last, areGone { unlinkat(folder, last, 0) }
    }

    /// Flushes a folder's list of names to the disk. File systems without this feature keep their own order.
    static func synchronize(_ path: String) {
        if let folder = Descriptor(Files.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
            _ = folder.synchronize()
        }
    }
}

/// The flags of Linux's `renameat2`.
enum Rename {
    /// Fails when the new name exists.
    static let noReplace = CUnsignedInt(linux_rename_noreplace)
    /// Exchanges two names.
    static let exchange = CUnsignedInt(linux_rename_exchange)

    /// Renames, with a fallback for file systems that do not know the flags; false with `errno` set on failure.
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
