internal import CLinux
internal import Glibc

/// A file that appears at its destination whole, or not at all.
///
/// Where the file system allows it the file has no name until it is complete, so that not even `kill -9` can
/// leave a part of it behind; elsewhere it is written beside its destination under a hidden name.
public final class OutputFile {
    private let destination: Destination
    /// The destination behind any link.
    private let path: String
    private let descriptor: Descriptor
    private let writer = BackgroundWriter(inOrder: true)
    /// The hidden name it has meanwhile; nil while it has none.
    private var temporaryPath: String?
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

    /// - Throws: `.exists` when something stands at the destination and may not be replaced, `.unwritable`.
    public init(at destination: Destination) throws(AdapterError) {
        try OutputFile.refuseOccupied(destination)
        path = OutputFile.resolved(destination.path)
        self.destination = destination
        let mode: mode_t = 0o666
        if let nameless = Descriptor(
            Glibc.open(FileName.parent(of: path), linux_o_tmpfile | O_WRONLY | O_CLOEXEC, mode))
        {
            descriptor = nameless
            return
        }
        guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else { throw .cannotBegin(destination) }
        let hidden = TemporaryName.beside(path)
        guard let named = Descriptor(Glibc.open(hidden, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)) else {
            throw .cannotBegin(destination)
        }
        TemporaryFiles.add(hidden)
        temporaryPath = hidden
        descriptor = named
    }

    /// - Throws: `.exists` when something stands at the destination that may not be replaced.
    private static func refuseOccupied(_ destination: Destination) throws(AdapterError) {
        var status = stat()
        guard lstat(destination.path, &status) == 0 else { return }
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
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    deinit {
        // The descriptor must not be closed, and its number given away, while something is still written to it.
        try? writer.finish()
        if let temporaryPath {
            unlink(temporaryPath)
            TemporaryFiles.forget(temporaryPath)
        }
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
    /// - Throws: `.unwritable`.
    public func rewrite(_ beginning: [UInt8]) throws(AdapterError) {
        precondition(beginning.count <= count)
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
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish() throws(AdapterError) {
        try writeWaiting()
        try writer.finish()
        guard descriptor.synchronise() else {
            throw .system(.unwritable, "cannot be written", file: destination.path)
        }
        if temporaryPath == nil {
            let name = destination.mayReplace ? TemporaryName.beside(path) : path
            guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
                if errno == EEXIST { throw .alreadyExists(destination) }
                throw .system(.unwritable, "cannot be written", file: destination.path)
            }
            if destination.mayReplace {
                TemporaryFiles.add(name)
                temporaryPath = name
            }
        }
        if let name = temporaryPath {
            let flags: CUnsignedInt = destination.mayReplace ? 0 : Rename.noReplace
            guard Rename.rename(name, path, flags) else {
                if errno == EEXIST { throw .alreadyExists(destination) }
                throw .system(.unwritable, "cannot be written", file: destination.path)
            }
            TemporaryFiles.forget(name)
            temporaryPath = nil
        }
        synchroniseFolder(FileName.parent(of: path))
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

/// Has a folder's list of names reach the disk. A file system that cannot do it keeps its own order of things.
func synchroniseFolder(_ path: String) {
    if let folder = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) { _ = folder.synchronise() }
}
