internal import CLinux
internal import Glibc

/// A folder of files that appears at its destination whole, or not at all.
///
/// It is made in a temporary folder. Where nothing stands at the destination, or a folder of pages that may be replaced,
/// the new folder appears in one step. An empty folder that is there already, be it a mount point or the folder a shell is
/// in, stays the folder it is: its files are made in a hidden folder within it and moved out one after the other when all are
/// complete.
public final class OutputFolder {
    /// How the finished folder gets to its destination.
    enum Publication {
        /// Nothing is there.
        case appears
        /// An empty folder is there and is filled.
        case fills
        /// A folder of pages is there and changes places with the new one.
        case replaces
    }

    private var path: String
    /// The path as it was given, for messages.
    private var shownPath: String
    private var publication: Publication
    private let isOurs: @Sendable (String) -> Bool
    private let held: HeldOutput?
    private let list: TemporaryFiles
    private let temporary: TemporaryFolder
    /// The folder that is being filled, within the temporary one.
    private let folder: Descriptor
    private let writer = BackgroundWriter(inOrder: false)
    /// Whether somebody else sees to the temporary folder.
    private var isHandedOver = false
    /// The folders made within it.
    private var folders: Set<String> = []
    /// What the folder is called while it is filled.
    static let temporaryName = "pages"

    /// - Parameter isOurs: whether a file found in an existing folder is one that jisui could have written: only
    ///   a folder with no other file in it is ever replaced.
    /// - Throws: `.exists` when the destination is no empty folder and may not be replaced, `.unwritable`.
    public init(at destination: Destination, isOurs: @escaping @Sendable (String) -> Bool) throws(AdapterError) {
        let path = OutputFolder.resolved(destination.path)
        self.path = path
        shownPath = destination.path
        self.isOurs = isOurs
        held = destination.held
        list = destination.temporaryFiles
        let prefix = TemporaryFolder.prefix(for: path)
        TemporaryFolder.removeRemains(in: FileName.parent(of: path), prefix: prefix, list)
        TemporaryFolder.removeRemains(in: path, prefix: OutputFolder.innerPrefix, list)
        let publication = try OutputFolder.publication(at: path, destination, isOurs: isOurs)
        self.publication = publication
        let temporary =
            publication == .fills
            ? TemporaryFolder(in: path, prefix: OutputFolder.innerPrefix, depth: OutputFolder.depth, list)
            : TemporaryFolder(in: FileName.parent(of: path), prefix: prefix, depth: OutputFolder.depth, list)
        guard let temporary else { throw .cannotBegin(destination) }
        self.temporary = temporary
        guard mkdirat(temporary.descriptor.number, OutputFolder.temporaryName, 0o777) == 0,
            let folder = Folder.open(OutputFolder.temporaryName, below: temporary.descriptor.number)
        else {
            let error = AdapterError.system(.unwritable, "cannot be written", file: destination.path)
            temporary.remove()
            throw error
        }
        self.folder = folder
    }

    /// Where the folder is while it is filled: for another program to put files there instead of `add`.
    public var temporaryPath: String { "\(temporary.path)/\(OutputFolder.temporaryName)" }

    private static let innerPrefix = ".jisui-"
    /// How deep folders lie in the temporary one: that of the output, and those that sinks make in it.
    private static let depth = 2

    deinit {
        try? writer.finish()
        if !isHandedOver { temporary.remove() }
    }

    /// Adds a file, which is written while the caller goes on; a failure shows at a later call.
    ///
    /// - Parameter name: a name, or a path of names with slashes between, whose folders are made as they are needed.
    public func add(_ name: String, _ bytes: [UInt8]) throws(AdapterError) {
        try makeFolders(for: name)
        let (number, shown) = (folder.number, shownPath)
        try writer.perform {
            let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
            guard let file = Descriptor(openat(number, name, flags, 0o666)), file.write(bytes) else {
                return .system(.unwritable, "cannot be written", file: shown)
            }
            // On its way to the disk before anyone waits for that.
            linux_start_writeback(file.number)
            return nil
        }
    }

    /// Where somebody else writes a file that appears with the folder.
    ///
    /// - Parameter name: as in `add`, without a folder.
    public func destination(for name: String) -> Destination {
        // What is left of it is removed with the folder, and it is no output of its own: the program's list need not know.
        Destination(path: "\(temporaryPath)/\(name)")
    }

    private func makeFolders(for name: String) throws(AdapterError) {
        var parents = FileName.components(of: name).dropLast()[...]
        guard !parents.isEmpty, !folders.contains(parents.joined(separator: "/")) else { return }
        var path = ""
        while let next = parents.popFirst() {
            path += path.isEmpty ? next : "/\(next)"
            guard folders.insert(path).inserted else { continue }
            guard mkdirat(folder.number, path, 0o777) == 0 else { throw unwritable }
        }
    }

    /// Makes the folder appear at its destination, after all its files have reached the disk.
    ///
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish() throws(AdapterError) {
        try publish(mayWait: true)
    }

    private func publish(mayWait: Bool) throws(AdapterError) {
        try writer.finish()
        // One flush for all: asking for each of hundreds of small files takes the disk as many turns.
        guard folder.synchroniseAll() else { throw unwritable }
        let appearance = FolderAppearance(
            path: path, shownPath: shownPath, publication: publication, isOurs: isOurs, list: list,
            temporary: temporary)
        if mayWait, let held, held.waits {
            isHandedOver = true
            return held.hold(temporaryPath, in: temporary, appear: appearance.happen)
        }
        try appearance.happen()
        held?.note(path)
    }

    /// Makes the folder appear beside its destination, under a name that was not known before. It does not wait to be
    /// looked at.
    ///
    /// - Throws: as `publish()` does, and `.exists` as `init` does.
    public func publish(as name: String, mayReplace: Bool) throws(AdapterError) {
        precondition(publication != .fills, "a folder that is filled has its name")
        let place = Destination(
            path: "\(FileName.parent(of: shownPath))/\(name)", mayReplace: mayReplace, temporaryFiles: list)
        shownPath = place.path
        path = OutputFolder.resolved(place.path)
        publication = try OutputFolder.publication(at: path, place, isOurs: isOurs)
        // An empty folder makes way; one that is in use by then is told of by the system.
        if publication == .fills {
            rmdir(path)
            publication = .appears
        }
        try publish(mayWait: false)
    }

    private var unwritable: AdapterError {
        .system(.unwritable, "cannot be written", file: shownPath)
    }

    // MARK: What stands at the destination

    /// The path without trailing slashes; that of an existing folder without links and dots.
    private static func resolved(_ path: String) -> String {
        realpath(path) ?? "\(FileName.parent(of: path))/\(FileName.last(of: path))"
    }

    private static func publication(
        at path: String, _ destination: Destination, isOurs: (String) -> Bool
    ) throws(AdapterError) -> Publication {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return .appears }
            throw .cannotBegin(destination)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw AdapterError(
                .exists, "is a file, and the pages need a folder", advice: "give another name with a slash at its end",
                file: destination.path)
        }
        if try FolderListing.names(in: path).isEmpty { return .fills }
        guard destination.mayReplace else {
            throw AdapterError(
                .exists, "the folder is not empty", advice: "--force replaces the pages in it", file: destination.path)
        }
        try refuseForeign(in: path, destination: destination.path, isOurs: isOurs)
        // It is exchanged for a new one, and whoever stands in the old one would stand nowhere.
        if let here = realpath("."), let real = realpath(path), here == real || here.hasPrefix(real + "/") {
            throw AdapterError(
                .exists, "is the folder that you are in, which --force would exchange for another",
                advice: "go to another folder before", file: destination.path)
        }
        return .replaces
    }

    /// - Throws: `.exists` when the folder holds anything but files that jisui could have written.
    static func refuseForeign(
        in path: String, destination: String, isOurs: (String) -> Bool
    ) throws(AdapterError) {
        let files = try contents(of: path).files
        guard let foreign = files.first(where: { !isOurs($0) }) else { return }
        throw AdapterError(
            .exists, "the folder holds '\(foreign)', which is no page of jisui's",
            advice: "move it away, or give another folder: --force replaces only folders of pages", file: destination)
    }

    /// The paths of all files in a folder and in its folders, and of those folders, outer ones first.
    ///
    /// An empty folder, which jisui never writes, counts as a file.
    static func contents(
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
}
