internal import Glibc

extension OutputFolder {
    /// Removes a folder that was made as this type makes them. To others it is gone in one step, however long it takes.
    ///
    /// - Parameters:
    ///   - path: of the folder; one that is not there is removed already.
    ///   - later: a folder that is going to be made beside it some day: then goes what a killed run leaves of this one.
    ///   - isOurs: whether jisui could have written a file of this path within the folder.
    /// - Throws: `.exists` for a folder that holds anything else; `.unwritable`.
    public static func remove(
        _ path: String, before later: String, _ list: TemporaryFiles, isOurs: (String) -> Bool
    ) throws(AdapterError) {
        guard FileStatus(of: path, followsLinks: false) != nil else { return }
        try refuseForeign(in: path, destination: path, isOurs: isOurs)
        let (parent, prefix) = (FileName.parent(of: path), TemporaryFolder.prefix(for: later))
        TemporaryFolder.removeRemains(in: parent, prefix: prefix, list)
        let failure = "cannot be removed"
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
        Folder.synchronise(parent)
    }

    /// Removes what killed runs of jisui left under temporary names in a folder, of whatever output.
    public static func removeRemains(in folder: String, _ list: TemporaryFiles) {
        TemporaryFolder.removeRemains(in: folder, prefix: ".", list)
    }

    /// - Throws: `.exists` for a folder that holds anything but files that jisui could have written.
    public static func refuseForeignFiles(in path: String, isOurs: (String) -> Bool) throws(AdapterError) {
        guard FileStatus(of: path, followsLinks: false) != nil else { return }
        try refuseForeign(in: path, destination: path, isOurs: isOurs)
    }
}
