internal import Glibc
internal import PageModel

/// The last step of publishing a complete folder.
struct FolderPublication: Sendable {
    let path: String
    /// The path as it was given, for messages.
    let shownPath: String
    let publication: OutputFolder.Publication
    let isOurs: @Sendable (String) -> Bool
    let list: TemporaryFiles
    /// The temporary folder that contains the new folder.
    let temporary: TemporaryFolder

    /// Publishes the folder and removes its temporary folder.
    ///
    /// - Throws: `.exists` when something else appeared at its destination meanwhile, `.unwritable`.
    func apply() throws(AdapterError) {
        try list.publish(shownPath) { () throws(AdapterError) in
            switch publication {
            case .appears: try appear(Rename.noReplace)
            case .fills: try fill()
            case .replaces:
                try OutputFolder.refuseForeign(in: path, destination: shownPath, isOurs: isOurs)
                try keepModeOfReplaced()
                try appear(Rename.exchange)
            }
        }
        Folder.synchronize(publication == .fills ? path : FileName.parent(of: path))
        if publication == .replaces { removeReplaced() }
        temporary.remove()
    }

    private func appear(_ flags: CUnsignedInt) throws(AdapterError) {
        guard
            Rename.rename(OutputFolder.temporaryName, below: temporary.descriptor.number, to: path, flags)
        else {
            if errno == ENOTEMPTY || errno == EEXIST { throw .alreadyExists(Destination(path: shownPath)) }
            if errno == EBUSY {
                throw AdapterError(
                    .unwritable, "cannot be replaced: it is a mount point", hint: "empty it first", file: shownPath)
            }
            throw unwritable
        }
    }

    /// Moves all files and folders out of the temporary folder; moves them back when one cannot be moved.
    private func fill() throws(AdapterError) {
        guard let folder = Folder.open(OutputFolder.temporaryName, below: temporary.descriptor.number),
            let outer = Folder.open(path) ?? Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
            let names = Folder.names(in: folder.number), let present = Folder.names(in: outer.number)
        else { throw unwritable }
        guard present == [FileName.last(of: temporary.path)] else {
            throw .alreadyExists(Destination(path: shownPath))
        }
        var moved: [String] = []
        for name in names.sorted() {
            if Rename.rename(name, below: folder.number, to: name, below: outer.number, Rename.noReplace) {
                moved.append(name)
                continue
            }
            let error = errno == EEXIST ? .alreadyExists(Destination(path: shownPath)) : unwritable
            for name in moved {
                _ = Rename.rename(name, below: outer.number, to: name, below: folder.number, Rename.noReplace)
            }
            throw error
        }
    }

    /// Gives the new folder the mode and the group of the folder that it replaces.
    private func keepModeOfReplaced() throws(AdapterError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard let folder = Folder.open(OutputFolder.temporaryName, below: temporary.descriptor.number) else {
            throw unwritable
        }
        let hasGroup = fchown(folder.number, uid_t.max, status.st_gid) == 0
        fchmod(folder.number, status.st_mode & (hasGroup ? 0o7777 : 0o7707))
    }

    /// Removes the folder that was replaced. A foreign file in it, which can only have appeared at the moment of
    /// replacing, stays, and so does the folder.
    private func removeReplaced() {
        temporary.giveBackSpares()
        let old = "\(temporary.path)/\(OutputFolder.temporaryName)"
        guard let contents = try? OutputFolder.contents(of: old) else { return }
        for name in contents.files where isOurs(name) { unlink("\(old)/\(name)") }
        for name in contents.folders.reversed() { rmdir("\(old)/\(name)") }
        if rmdir(old) == 0 || errno == ENOENT { return }
        // The next run removes those files of jisui that could not be removed here.
        if let files = try? OutputFolder.contents(of: old).files, files.allSatisfy(isOurs) { return }
        temporary.abandon()
    }

    private var unwritable: AdapterError {
        .system(.unwritable, "cannot be written", file: shownPath)
    }
}
