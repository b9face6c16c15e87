internal import CLinux
internal import Glibc
public import PageModel

/// A folder of files that appears at its destination complete, or not at all.
///
/// It is made in a temporary folder. If nothing exists at the destination, or a folder of pages that may be replaced,
/// the new folder appears in one step. An existing empty folder, such as a mount point or the current directory, is
/// kept. Its files are made in a hidden folder within it and moved out one after the other when all are complete.
public final class OutputFolder {
    /// The method that publishes the finished folder at its destination.
    enum Publication {
        /// Nothing exists there.
        case appears
        /// An empty folder exists and is filled.
        case fills
        /// A folder of pages exists and is exchanged with the new one.
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
    /// Whether another owner is responsible for the temporary folder.
    private var isHandedOver = false
    /// The folders made within it.
    private var folders: Set<String> = []
    /// The name of the folder while it is filled.
    static let temporaryName = "pages"

    /// - Parameter isOurs: whether jisui could have written an existing file. A folder with any other file is never
    ///   replaced.
    /// - Throws: `.exists` for a destination that must not be replaced, `.unwritable`. Empty folders may always be
    ///   filled.
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

    /// The path of the folder while it is filled. Another program can write files to it instead of `add`.
    public var temporaryPath: String { "\(temporary.path)/\(OutputFolder.temporaryName)" }

    private static let innerPrefix = ".jisui-"
    /// The depth of folders in the temporary one: the output's folder and the folders that sinks make in it.
    private static let depth = 2

    deinit {
        try? writer.finish()
        if !isHandedOver { temporary.remove() }
    }

    /// Adds a file in the background. A later call reports a failure.
    ///
    /// - Parameter name: a name or a relative path, whose folders are made on demand.
    public func add(_ name: String, _ bytes: [UInt8]) throws(AdapterError) {
        try makeFolders(for: name)
        if let held, held.waits {
            var checksum = ByteChecksum()
            checksum.add(bytes)
            held.expect(checksum, in: name)
        }
        let (number, shown) = (folder.number, shownPath)
        try writer.perform {
            let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
            guard let file = Descriptor(openat(number, name, flags, 0o666)), file.write(bytes) else {
                return .system(.unwritable, "cannot be written", file: shown)
            }
            // Starting the writeback of a large file early shortens the wait at the end. For a small one, the call takes
            // as long as making the file, and the kernel writes many at once in less time.
            if bytes.count >= OutputFile.flushStep { linux_start_writeback(file.number) }
            return nil
        }
    }

    /// Returns the destination for another writer of a file that appears with the folder.
    ///
    /// - Parameter name: a name as in `add`, without a folder.
    public func destination(for name: String) -> Destination {
        // An incomplete file is removed with the folder, and it is not an output of its own. The program's list can
        // ignore it.
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

    /// Publishes the folder at its destination, after all its files have reached the disk.
    ///
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish() throws(AdapterError) {
        try publish(mayWait: true)
    }

    private func publish(mayWait: Bool) throws(AdapterError) {
        try writer.finish()
        // One flush for all: separate flushes for hundreds of small files take the disk one operation each.
        guard folder.synchronizeAll() else { throw unwritable }
        let appearance = FolderPublication(
            path: path, shownPath: shownPath, publication: publication, isOurs: isOurs, list: list,
            temporary: temporary)
        if mayWait, let held, held.waits {
            isHandedOver = true
            return held.hold(temporaryPath, in: temporary, appear: appearance.apply)
        }
        try appearance.apply()
        held?.note(path)
    }

    /// Publishes the folder next to its destination, under a name that was not known before. It does not wait for an
    /// inspection.
    ///
    /// - Throws: the errors of `publish()`, and `.exists` as in `init`.
    public func publish(as name: String, mayReplace: Bool) throws(AdapterError) {
        precondition(publication != .fills, "a folder that is filled has its name")
        let place = Destination(
            path: "\(FileName.parent(of: shownPath))/\(name)", mayReplace: mayReplace, temporaryFiles: list)
        shownPath = place.path
        path = OutputFolder.resolved(place.path)
        publication = try OutputFolder.publication(at: path, place, isOurs: isOurs)
        // An empty folder is replaced; if it is no longer empty, the system call fails.
        if publication == .fills {
            rmdir(path)
            publication = .appears
        }
        try publish(mayWait: false)
    }

    private var unwritable: AdapterError {
        .system(.unwritable, "cannot be written", file: shownPath)
    }

    // MARK: The existing destination

    /// Returns the path without trailing slashes; that of an existing folder without links and dots.
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
                .exists, "is a file, and the pages need a folder", hint: "give another name with a slash at its end",
                file: destination.path)
        }
        if try FolderListing.names(in: path).isEmpty { return .fills }
        // Before --force is recommended, which would be refused then.
        try refuseForeign(in: path, destination: destination.path, isOurs: isOurs)
        guard destination.mayReplace else {
            throw AdapterError(
                .exists, "the folder is not empty", hint: "use --force to replace the pages in it",
                file: destination.path)
        }
        // A new folder replaces it, and the shell would remain in a deleted one.
        if let here = realpath("."), let real = realpath(path), here == real || here.hasPrefix(real + "/") {
            throw AdapterError(
                .exists, "is the current folder, which --force does not replace",
                hint: "run jisui from another folder", file: destination.path)
        }
        return .replaces
    }

    /// - Throws: `.exists` when the folder has any file that jisui could not have written.
    static func refuseForeign(
        in path: String, destination: String, isOurs: (String) -> Bool
    ) throws(AdapterError) {
        let files = try contents(of: path).files
        guard let foreign = files.first(where: { !isOurs($0) }) else { return }
        throw AdapterError(
            .exists, "the folder holds '\(foreign)', which is not a page that jisui wrote",
            hint: "move it away, or give another folder: --force replaces only folders of pages", file: destination)
    }

    /// Returns the paths of all files and folders below a folder, outer ones first.
    ///
    /// An empty folder, which jisui never writes, counts as a file.
    static func contents(
        of path: String, _ prefix: String = "", depth: Int = 0
    ) throws(AdapterError) -> (files: [String], folders: [String]) {
        var (files, folders): ([String], [String]) = ([], [])
        for entry in try FolderListing.entries(in: path) {
            let name = prefix + entry.name
            // jisui's own folders are not nested deeper, and it must never remove the target of a link.
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
