internal import CLinux
internal import Glibc

/// A file that appears at its destination whole, or not at all.
///
/// Where the file system allows it the file has no name until it is complete, so that not even `kill -9` can
/// leave a part of it behind; elsewhere it is written beside its destination under a hidden name. What goes to standard
/// output is the exception: it is there as it is written.
public final class OutputFile {
    private let destination: Destination
    /// The destination behind any link.
    private let path: String
    private let descriptor: Descriptor
    private let writer = BackgroundWriter(inOrder: true)
    /// Where the file has a name meanwhile; nil while it has none.
    private var folder: TemporaryFolder?
    /// The number of its descriptor, open as long as this is there: for another program to write to instead of `write`.
    public var number: Int32 { descriptor.number }
    /// The number of bytes written so far.
    public private(set) var count = 0
    /// What is to be written with the next write: many small ones would take longer.
    private var waiting: [[UInt8]] = []
    private var waitingCount = 0
    private static let writeStep = 1 << 20
    private static let chunkLimit = 64
    /// How many bytes are on their way to the disk.
    private var flushed = 0
    private static let flushStep = 8 << 20
    /// The file's name in its temporary folder. One that waits there to be looked at bears its own: names tell formats.
    private var temporaryName: String { waits ? FileName.last(of: path) : "file" }
    private var waits: Bool { destination.held?.waits ?? false }

    /// - Throws: `.exists` when something stands at the destination and may not be replaced, `.unwritable`.
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
            if let nameless = Descriptor(open(parent, linux_o_tmpfile | O_WRONLY | O_CLOEXEC, mode)) {
                descriptor = nameless
                return
            }
            guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else { throw .cannotBegin(destination) }
        }
        let folder = try OutputFile.temporaryFolder(for: path, destination)
        let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
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

    /// Whether a file without a name can get one: only by way of /proc, which is not mounted everywhere.
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

    /// - Throws: `.exists` when something stands at the destination that may not be replaced.
    private static func refuseOccupied(_ destination: Destination) throws(AdapterError) {
        var status = stat()
        guard lstat(destination.path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .cannotBegin(destination)
        }
        // A link may lead to something; if it does, that is what would be replaced.
        if status.st_mode & S_IFMT == S_IFLNK { _ = stat(destination.path, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            throw AdapterError(
                .exists, "is a folder", advice: "give the name of a file, or --to with its format",
                file: destination.path)
        case S_IFREG, S_IFLNK:
            if !destination.mayReplace { throw .alreadyExists(destination) }
        default:
            // Even --force must not put a file in the place of /dev/null or of a pipe that somebody reads.
            throw AdapterError(
                .exists, "is no plain file, and only such are replaced", advice: "give another name with -o",
                file: destination.path)
        }
    }

    /// Where a link leads, so that the link stays and what it leads to is replaced; any other path as it is.
    private static func resolved(_ path: String) -> String {
        realpath(path) ?? path
    }

    deinit {
        // The descriptor must not be closed, and its number given away, while something is still written to it.
        try? writer.finish()
        folder?.remove()
    }

    /// Appends bytes, which are written while the caller goes on; a failure shows at a later call.
    public func write(_ bytes: [UInt8]) throws(AdapterError) {
        count += bytes.count
        waiting.append(bytes)
        waitingCount += bytes.count
        if waitingCount >= OutputFile.writeStep || waiting.count >= OutputFile.chunkLimit { try writeWaiting() }
    }

    /// Writes bytes over those at the beginning of the file, as many as there are at least.
    ///
    /// - Throws: `.unwritable`, also for standard output.
    public func rewrite(_ beginning: [UInt8]) throws(AdapterError) {
        precondition(beginning.count <= count)
        if destination.isStandardOutput { throw AdapterError(.unwritable, "cannot be written over", file: path) }
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
            // On its way to the disk while the rest is made: the end has less to wait for.
            if isFlushed { linux_start_writeback(number) }
            return nil
        }
    }

    /// Makes the file appear at its destination, after its bytes have reached the disk.
    ///
    /// - Parameter mode: who may do what with the file, as `chmod` counts; nil for what a new file, or the one whose place it
    ///   takes, has.
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish(mode: UInt32? = nil) throws(AdapterError) {
        try writeWaiting()
        try writer.finish()
        if destination.isStandardOutput { return }
        if let mode { fchmod(descriptor.number, mode) } else { keepModeOfReplaced() }
        guard descriptor.synchronise() else { throw unwritable }
        if folder == nil && destination.mayReplace {
            // A file without a name cannot take another's place: it gets one first.
            let folder = try OutputFile.temporaryFolder(for: path, destination)
            self.folder = folder
            try link(to: folder.descriptor.number, temporaryName)
        }
        if let folder {
            let appearance = Appearance(destination, path, temporaryName, folder)
            if let held = destination.held, held.waits {
                self.folder = nil
                held.hold("\(folder.path)/\(temporaryName)", in: folder, appear: appearance.happen)
                return
            }
            try appearance.happen()
            self.folder = nil
        } else {
            try destination.temporaryFiles.publish(destination.path) { () throws(AdapterError) in
                try link(to: AT_FDCWD, path)
            }
            Folder.synchronise(FileName.parent(of: path))
        }
        destination.held?.note(path)
    }

    /// The last step of a file that has a name already.
    private struct Appearance: Sendable {
        private let destination: Destination
        private let path: String
        private let temporaryName: String
        private let folder: TemporaryFolder

        init(_ destination: Destination, _ path: String, _ temporaryName: String, _ folder: TemporaryFolder) {
            var destination = destination
            // What it holds would hold it.
            destination.held = nil
            (self.destination, self.path, self.temporaryName) = (destination, path, temporaryName)
            self.folder = folder
        }

        func happen() throws(AdapterError) {
            try destination.temporaryFiles.publish(destination.path) { () throws(AdapterError) in
                let flags: CUnsignedInt = destination.mayReplace ? 0 : Rename.noReplace
                guard Rename.rename(temporaryName, below: folder.descriptor.number, to: path, flags) else {
                    if errno == EEXIST { throw .alreadyExists(destination) }
                    throw .system(.unwritable, "cannot be written", file: destination.path)
                }
            }
            folder.remove()
            Folder.synchronise(FileName.parent(of: path))
        }
    }

    /// Gives the file without a name one.
    private func link(to folder: CInt, _ name: String) throws(AdapterError) {
        guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", folder, name, AT_SYMLINK_FOLLOW) == 0 else {
            if errno == EEXIST { throw .alreadyExists(destination) }
            throw unwritable
        }
    }

    /// Gives the file the mode and the group of the one whose place it takes.
    private func keepModeOfReplaced() {
        var status = stat()
        guard destination.mayReplace, stat(path, &status) == 0 else { return }
        // Where the group cannot be kept, its rights are not given to another one.
        let hasGroup = fchown(descriptor.number, uid_t.max, status.st_gid) == 0
        fchmod(descriptor.number, status.st_mode & (hasGroup ? 0o7777 : 0o7707))
    }

    private var unwritable: AdapterError {
        .system(.unwritable, "cannot be written", file: destination.path)
    }
}

extension AdapterError {
    /// An output that cannot even be begun, by `errno`.
    static func cannotBegin(_ destination: Destination) -> AdapterError {
        let advice = errno == ENOENT ? "make the folder \(FileName.parent(of: destination.path)) first" : nil
        return .system(.unwritable, "cannot be written", advice: advice, file: destination.path)
    }

    static func alreadyExists(_ destination: Destination) -> AdapterError {
        AdapterError(.exists, "exists already", advice: "--force replaces it", file: destination.path)
    }
}
