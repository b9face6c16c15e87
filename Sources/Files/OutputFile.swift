internal import CLinux
internal import Glibc
public import PageModel

/// A file that appears at its destination complete, or not at all.
///
/// Where the file system allows it, the file has no name until it is complete. Not even `kill -9` can then leave a
/// partial file. On other file systems it is written next to its destination under a hidden name. Standard output is
/// the exception: its data appears as it is written.
public final class OutputFile {
    private let destination: Destination
    /// The destination after links are resolved.
    private let path: String
    private let descriptor: Descriptor
    private let writer = BackgroundWriter(inOrder: true)
    /// The temporary folder in which the file has a name; nil for an unnamed file.
    private var folder: TemporaryFolder?
    /// The number of its descriptor, open as long as this object exists: another program may write to it instead of
    /// `write`.
    public var number: Int32 { descriptor.number }
    /// The checksum of the written bytes, if they will be compared.
    private var checksum: ByteChecksum?
    /// The number of bytes written so far.
    public private(set) var count = 0
    /// The data for the next write: many small writes would take longer.
    private var waiting: [[UInt8]] = []
    private var waitingCount = 0
    private static let writeStep = 1 << 20
    private static let chunkLimit = 64
    /// The number of bytes already submitted for writing to the disk.
    private var flushed = 0
    static let flushStep = 8 << 20
    /// The file's name in its temporary folder. A file that waits there for its inspection has its own name, because
    /// names indicate formats.
    private var temporaryName: String { waits ? FileName.last(of: path) : "file" }
    private var waits: Bool { destination.held?.waits ?? false }

    /// - Throws: `.exists` when the destination exists and must not be replaced, `.unwritable`.
    public init(at destination: Destination) throws(AdapterError) {
        if destination.isStandardOutput {
            guard let copy = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) else {
                throw .cannotBegin(destination)
            }
            path = destination.path
            self.destination = destination
            descriptor = copy
            return
        }
        try OutputFile.refuseOccupied(destination)
        path = OutputFile.resolved(destination.path)
        self.destination = destination
        let parent = FileName.parent(of: path)
        let mode: mode_t = 0o666
        TemporaryFolder.removeRemains(in: parent, prefix: TemporaryFolder.prefix(for: path), destination.temporaryFiles)
        let waits = destination.held?.waits ?? false
        if OutputFile.canBeNamedLater && !waits {
            if let nameless = Descriptor(open(parent, linux_o_tmpfile | O_RDWR | O_CLOEXEC, mode)) {
                descriptor = nameless
                return
            }
            guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else { throw .cannotBegin(destination) }
        }
        let folder = try OutputFile.temporaryFolder(for: path, destination)
        let flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC
        let name = waits ? FileName.last(of: path) : "file"
        guard
            let named = Descriptor(openat(folder.descriptor.number, name, flags, mode))
        else {
            let error = AdapterError.cannotBegin(destination)
            folder.remove()
            throw error
        }
        self.folder = folder
        descriptor = named
    }

    /// Whether an unnamed file can get a name later. This needs /proc, which is not mounted everywhere.
    private static var canBeNamedLater: Bool { FileStatus.isFolder("/proc/self/fd") }

    private static func temporaryFolder(
        for path: String, _ destination: Destination
    ) throws(AdapterError) -> TemporaryFolder {
        guard
            let folder = TemporaryFolder(
                in: FileName.parent(of: path), prefix: TemporaryFolder.prefix(for: path), destination.temporaryFiles)
        else { throw .cannotBegin(destination) }
        return folder
    }

    /// - Throws: `.exists` when the destination exists and must not be replaced.
    private static func refuseOccupied(_ destination: Destination) throws(AdapterError) {
        var status = stat()
        guard lstat(destination.path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .cannotBegin(destination)
        }
        // If a link has a target, the output would replace that target.
        if status.st_mode & S_IFMT == S_IFLNK { _ = stat(destination.path, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            throw AdapterError(
                .exists, "is a folder", hint: "give the name of a file, or --to with its format",
                file: destination.path)
        case S_IFREG, S_IFLNK:
            if !destination.mayReplace { throw .alreadyExists(destination) }
        default:
            // Not even --force may replace /dev/null, or a pipe that another process reads, by a file.
            throw AdapterError(
                .exists, "not a regular file, and jisui replaces only those", hint: "give another name with -o",
                file: destination.path)
        }
    }

    /// Returns the target of a link, so that the link stays and its target is replaced; any other path unchanged.
    private static func resolved(_ path: String) -> String {
        realpath(path) ?? path
    }

    deinit {
        // The descriptor must stay open, and its number reserved, while a write is in progress.
        try? writer.finish()
        folder?.remove()
    }

    /// Appends bytes in the background; a failure is reported by a later call.
    public func write(_ bytes: [UInt8]) throws(AdapterError) {
        if count == 0, waits { checksum = ByteChecksum() }
        checksum?.add(bytes)
        count += bytes.count
        if destination.isStandardOutput { destination.observer?(bytes) }
        waiting.append(bytes)
        waitingCount += bytes.count
        if waitingCount >= OutputFile.writeStep || waiting.count >= OutputFile.chunkLimit { try writeWaiting() }
    }

    /// Overwrites the beginning of the file, which must be at least as long as the new bytes.
    ///
    /// - Throws: `.unwritable`, also for standard output.
    public func rewrite(_ beginning: [UInt8]) throws(AdapterError) {
        precondition(beginning.count <= count)
        checksum = nil
        if destination.isStandardOutput { throw AdapterError(.unwritable, "cannot be overwritten", file: path) }
        try writeWaiting()
        try writer.finish()
        guard beginning.withUnsafeBytes({ descriptor.write($0, at: 0) }) else {
            throw .system(.unwritable, "cannot be written", file: destination.path)
        }
    }

    private func writeWaiting() throws(AdapterError) {
        let isFlushed = count - flushed >= OutputFile.flushStep
        if isFlushed { flushed = count }
        let (number, path, chunks) = (descriptor.number, destination.path, waiting)
        waiting = []
        waitingCount = 0
        try writer.perform {
            guard Descriptor.write(chunks[...], to: number) else {
                return .system(.unwritable, "cannot be written", file: path)
            }
            // Starting the writeback early shortens the wait at the end.
            if isFlushed { linux_start_writeback(number) }
            return nil
        }
    }

    /// Returns the bytes written so far as a file that can be read; nil for standard output.
    ///
    /// - Throws: `.unwritable`, `.unreadable`.
    public func written() throws(AdapterError) -> ReadableFile? {
        try writeWaiting()
        try writer.finish()
        if destination.isStandardOutput { return nil }
        let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .system(.unreadable, "cannot be read", file: destination.path) }
        return try ReadableFile(adopting: copy, path: destination.path)
    }

    /// Publishes the file at its destination, after its bytes have reached the disk.
    ///
    /// - Parameter mode: the permissions, as in `chmod`. The default is that of a new file, or of the file that it
    ///   replaces.
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish(mode: UInt32? = nil) throws(AdapterError) {
        try writeWaiting()
        try writer.finish()
        if destination.isStandardOutput { return }
        if let mode { fchmod(descriptor.number, mode) } else { keepModeOfReplaced() }
        guard descriptor.synchronize() else { throw unwritable }
        if folder == nil && destination.mayReplace {
            // An unnamed file cannot replace another one, so it gets a name first.
            let folder = try OutputFile.temporaryFolder(for: path, destination)
            self.folder = folder
            try link(to: folder.descriptor.number, temporaryName)
        }
        if let folder {
            let appearance = Appearance(destination, path, temporaryName, folder)
            if let held = destination.held, held.waits {
                self.folder = nil
                if let checksum { held.expect(checksum, in: "") }
                held.hold("\(folder.path)/\(temporaryName)", in: folder, appear: appearance.apply)
                return
            }
            try appearance.apply()
            self.folder = nil
        } else {
            try destination.temporaryFiles.publish(destination.path) { () throws(AdapterError) in
                try link(to: AT_FDCWD, path)
            }
            Folder.synchronize(FileName.parent(of: path))
        }
        destination.held?.note(path)
    }

    /// The last step of publishing a file that already has a name.
    private struct Appearance: Sendable {
        private let destination: Destination
        private let path: String
        private let temporaryName: String
        private let folder: TemporaryFolder

        init(_ destination: Destination, _ path: String, _ temporaryName: String, _ folder: TemporaryFolder) {
            var destination = destination
            // Otherwise the holder would retain itself.
            destination.held = nil
            (self.destination, self.path, self.temporaryName) = (destination, path, temporaryName)
            self.folder = folder
        }

        func apply() throws(AdapterError) {
            try destination.temporaryFiles.publish(destination.path) { () throws(AdapterError) in
                let flags: CUnsignedInt = destination.mayReplace ? 0 : Rename.noReplace
                guard Rename.rename(temporaryName, below: folder.descriptor.number, to: path, flags) else {
                    if errno == EEXIST { throw .alreadyExists(destination) }
                    throw .system(.unwritable, "cannot be written", file: destination.path)
                }
            }
            folder.remove()
            Folder.synchronize(FileName.parent(of: path))
        }
    }

    /// Gives the unnamed file a name.
    private func link(to folder: CInt, _ name: String) throws(AdapterError) {
        guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", folder, name, AT_SYMLINK_FOLLOW) == 0 else {
            if errno == EEXIST { throw .alreadyExists(destination) }
            throw unwritable
        }
    }

    /// Gives the file the mode and the group of the file that it replaces.
    private func keepModeOfReplaced() {
        var status = stat()
        guard destination.mayReplace, stat(path, &status) == 0 else { return }
        // If the group cannot be kept, another group does not get its permissions.
        let hasGroup = fchown(descriptor.number, uid_t.max, status.st_gid) == 0
        fchmod(descriptor.number, status.st_mode & (hasGroup ? 0o7777 : 0o7707))
    }

    private var unwritable: AdapterError {
        .system(.unwritable, "cannot be written", file: destination.path)
    }
}

extension AdapterError {
    /// Returns the error for an output that cannot be created, by `errno`.
    static func cannotBegin(_ destination: Destination) -> AdapterError {
        let hint: Message? = errno == ENOENT ? "make the folder \(FileName.parent(of: destination.path)) first" : nil
        return .system(.unwritable, "cannot be written", hint: hint, file: destination.path)
    }

    static func alreadyExists(_ destination: Destination) -> AdapterError {
        AdapterError(.exists, "already exists", hint: "use --force to replace it", file: destination.path)
    }
}
