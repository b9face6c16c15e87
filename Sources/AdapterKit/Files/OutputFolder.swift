internal import CLinux
internal import Glibc

/// A folder of files that appears at its destination whole, or not at all.
///
/// It is written under a hidden name beside its destination, and locked meanwhile: what a killed run left
/// there is known by its free lock, and removed by the next run.
public final class OutputFolder {
    private let path: String
    /// The path as it was given, for messages.
    private let shownPath: String
    private let temporaryPath: String
    private let replaces: Bool
    private let isOurs: (String) -> Bool
    /// Open for its lock, and to have the names in it reach the disk.
    private let folder: Descriptor
    private let writer = BackgroundWriter(inOrder: false)
    private var names: [String] = []
    /// The folders made within it, outer ones first.
    private var folders: [String] = []
    private var published = false

    /// - Parameter isOurs: whether a file found in an existing folder is one that jisui could have written: only
    ///   a folder with no other file in it is ever replaced.
    /// - Throws: `.exists` when the destination is no empty folder and may not be replaced, `.unwritable`.
    public init(at destination: Destination, isOurs: @escaping (String) -> Bool) throws(AdapterError) {
        let path = OutputFolder.resolved(destination.path)
        self.path = path
        shownPath = destination.path
        self.isOurs = isOurs
        replaces = try OutputFolder.isOccupied(path, destination, isOurs: isOurs)
        OutputFolder.removeRemains(of: path, isOurs: isOurs)
        temporaryPath = TemporaryName.beside(path)
        guard mkdir(temporaryPath, 0o777) == 0 else {
            throw .cannotBegin(destination)
        }
        guard let folder = Descriptor(open(temporaryPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
            let error = AdapterError.system(.unwritable, "cannot be written", file: destination.path)
            rmdir(temporaryPath)
            throw error
        }
        _ = flock(folder.number, LOCK_EX | LOCK_NB)
        self.folder = folder
        TemporaryFiles.add(temporaryPath)
    }

    deinit {
        guard !published else { return }
        try? writer.finish()
        for name in names { unlinkat(folder.number, name, 0) }
        for name in folders.reversed() { unlinkat(folder.number, name, AT_REMOVEDIR) }
        rmdir(temporaryPath)
        TemporaryFiles.forget(temporaryPath)
    }

    /// Adds a file, which is written while the caller goes on; a failure shows at a later call.
    ///
    /// - Parameter name: a name, or a path of names with slashes between, whose folders are made as they are needed.
    public func add(_ name: String, _ bytes: [UInt8]) throws(AdapterError) {
        try makeFolders(for: name)
        names.append(name)
        let (temporary, shown) = ("\(temporaryPath)/\(name)", shownPath)
        try writer.perform {
            let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
            guard let file = Descriptor(open(temporary, flags, 0o666)), file.write(bytes) else {
                return .system(.unwritable, "cannot be written", file: shown)
            }
            // On its way to the disk before anyone waits for that.
            linux_start_writeback(file.number)
            return nil
        }
    }

    private func makeFolders(for name: String) throws(AdapterError) {
        var parents = name.split(separator: "/").dropLast()[...]
        guard !parents.isEmpty, !folders.contains(parents.joined(separator: "/")) else { return }
        var path = ""
        while let next = parents.popFirst() {
            path += path.isEmpty ? String(next) : "/\(next)"
            if folders.contains(path) { continue }
            guard mkdirat(folder.number, path, 0o777) == 0 else {
                throw .system(.unwritable, "cannot be written", file: shownPath)
            }
            folders.append(path)
        }
    }

    /// Makes the folder appear at its destination, after all its files have reached the disk.
    ///
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish() throws(AdapterError) {
        try writer.finish()
        // One flush for all: asking for each of hundreds of small files takes the disk as many turns.
        guard linux_syncfs(folder.number) == 0 else {
            throw .system(.unwritable, "cannot be written", file: shownPath)
        }
        if replaces { try OutputFolder.refuseForeign(in: path, destination: shownPath, isOurs: isOurs) }
        // An empty folder gives way to a plain rename; a full one changes places with its successor.
        guard Rename.rename(temporaryPath, path, replaces ? Rename.exchange : 0) else {
            if errno == ENOTEMPTY || errno == EEXIST { throw .alreadyExists(Destination(path: shownPath)) }
            throw .system(.unwritable, "cannot be written", file: shownPath)
        }
        published = true
        synchroniseFolder(FileName.parent(of: path))
        if replaces { OutputFolder.remove(temporaryPath, isOurs: isOurs) }
        TemporaryFiles.forget(temporaryPath)
    }

    /// The path without trailing slashes; that of an existing folder without links and dots.
    private static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        return "\(FileName.parent(of: path))/\(FileName.last(of: path))"
    }

    /// Whether a folder with files in it stands at the destination and will be replaced.
    private static func isOccupied(
        _ path: String, _ destination: Destination, isOurs: (String) -> Bool
    ) throws(AdapterError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw AdapterError(
                .exists, "is a file, and the pages need a folder", advice: "give another name with a slash at its end",
                file: destination.path)
        }
        let names = try FolderListing.names(in: path)
        if names.isEmpty { return false }
        guard destination.mayReplace else {
            throw AdapterError(
                .exists, "the folder is not empty", advice: "--force replaces the pages in it", file: destination.path)
        }
        try refuseForeign(in: path, destination: destination.path, isOurs: isOurs)
        return true
    }

    /// - Throws: `.exists` when the folder holds anything but files that jisui could have written.
    private static func refuseForeign(
        in path: String, destination: String, isOurs: (String) -> Bool
    ) throws(AdapterError) {
        let files = try contents(of: path).files
        guard let foreign = files.first(where: { !isOurs($0) }) else { return }
        throw AdapterError(
            .exists, "the folder holds '\(foreign)', which is no page of jisui's",
            advice: "move it away, or give another folder: --force replaces only folders of pages", file: destination)
    }

    /// Removes a folder that was replaced or left behind. A foreign file in it, which can only have come there in the
    /// moment of replacing, stays, and the folder with it.
    private static func remove(_ path: String, isOurs: (String) -> Bool) {
        guard let contents = try? contents(of: path) else { return }
        for name in contents.files where isOurs(name) { unlink("\(path)/\(name)") }
        for name in contents.folders.reversed() { rmdir("\(path)/\(name)") }
        rmdir(path)
    }

    /// The paths of all files in a folder and in its folders, and of those folders, outer ones first.
    ///
    /// An empty folder, which jisui never writes, counts as a file.
    private static func contents(
        of path: String, _ prefix: String = "", depth: Int = 0
    ) throws(AdapterError) -> (files: [String], folders: [String]) {
        var (files, folders): ([String], [String]) = ([], [])
        for entry in try FolderListing.entries(in: path) {
            let name = prefix + entry.name
            // Nothing of jisui's is nested deeper, and what a link leads to is never jisui's to remove.
            var status = stat()
            let isLink =
                lstat("\(path)/\(entry.name)", &status) != 0 || status.st_mode & S_IFMT == S_IFLNK
            guard entry.isFolder, !isLink, depth < 3 else {
                files.append(name)
                continue
            }
            let inner = try contents(of: "\(path)/\(entry.name)", name + "/", depth: depth + 1)
            files += inner.files.isEmpty ? [name] : inner.files
            folders += [name] + inner.folders
        }
        return (files, folders)
    }

    /// Removes what runs that were killed left beside `path`.
    private static func removeRemains(of path: String, isOurs: (String) -> Bool) {
        let parent = FileName.parent(of: path)
        let prefix = TemporaryName.prefix(for: path)
        guard let names = try? FolderListing.names(in: parent) else { return }
        for name in names where name.hasPrefix(prefix) {
            let remains = "\(parent)/\(name)"
            guard let folder = Descriptor(open(remains, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else { continue }
            if flock(folder.number, LOCK_EX | LOCK_NB) == 0 {
                remove(remains, isOurs: isOurs)
            }
        }
    }
}
