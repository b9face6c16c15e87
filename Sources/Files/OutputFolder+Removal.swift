internal import Glibc
public import PageModel

extension OutputFolder {
    /// Removes a folder of the kind that this type makes. Other processes see it disappear in one step, even if the
    /// removal takes long.
    ///
    /// - Parameters:
    ///   - path: the folder's path. A missing folder counts as removed.
    ///   - later: the path of a future folder next to it. A later run that makes it removes the remains of this one.
    ///   - isOurs: whether jisui could have written a file with this path. The path is relative to the folder.
    /// - Throws: `.exists` for a folder with any other file; `.unwritable`.
    public static func remove(
        _ path: String, before later: String, _ list: TemporaryFiles, isOurs: (String) -> Bool
    ) throws(AdapterError) {
        guard FileStatus(of: path, followsLinks: false) != nil else { return }
        try refuseForeign(in: path, destination: path, isOurs: isOurs)
        let (parent, prefix) = (FileName.parent(of: path), TemporaryFolder.prefix(for: later))
        TemporaryFolder.removeRemains(in: parent, prefix: prefix, list)
        let failure: Message = "cannot be removed"
        guard let temporary = TemporaryFolder(in: parent, prefix: prefix, list) else {
            throw .system(.unwritable, failure, file: path)
        }
        defer { temporary.remove() }
        guard
            Rename.rename(
                path, below: AT_FDCWD, to: "removed", below: temporary.descriptor.number, Rename.noReplace)
        else {
            throw .system(.unwritable, failure, file: path)
        }
        Folder.synchronize(parent)
    }

    /// Removes the files of killed runs that have temporary names in a folder, for any output.
    public static func removeRemains(in folder: String, _ list: TemporaryFiles) {
        TemporaryFolder.removeRemains(in: folder, prefix: ".", list)
    }

    /// - Throws: `.exists` for a folder that has any file that jisui could not have written.
    public static func refuseForeignFiles(in path: String, isOurs: (String) -> Bool) throws(AdapterError) {
        guard FileStatus(of: path, followsLinks: false) != nil else { return }
        try refuseForeign(in: path, destination: path, isOurs: isOurs)
    }
}
