internal import CLinux
internal import Glibc

/// A file that appears at its destination whole, or not at all.
///
/// Where the file system allows it the file has no name until it is complete, so that not even `kill -9` can
/// leave a part of it behind; elsewhere it is written beside its destination under a hidden name.
public final class OutputFile {
    private let destination: Destination
    private let descriptor: Descriptor
    /// The hidden name it has meanwhile; nil while it has none.
    private var temporaryPath: String?
    /// The number of bytes written so far.
    public private(set) var count = 0

    /// - Throws: `.exists` when something stands at the destination and may not be replaced, `.unwritable`.
    public init(at destination: Destination) throws(AdapterError) {
        var status = stat()
        if lstat(destination.path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR {
                throw AdapterError(
                    .exists, "is a folder", advice: "give the name of a file, or --to with its format",
                    file: destination.path)
            }
            if !destination.mayReplace { throw .alreadyExists(destination) }
        }
        self.destination = destination
        let folder = FileName.parent(of: destination.path)
        let mode: mode_t = 0o666
        if let nameless = Descriptor(Glibc.open(folder, linux_o_tmpfile | O_WRONLY | O_CLOEXEC, mode)) {
            descriptor = nameless
            return
        }
        guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
            throw .system(.unwritable, "cannot be written", file: destination.path)
        }
        let path = TemporaryName.beside(destination.path)
        guard let named = Descriptor(Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)) else {
            throw .system(.unwritable, "cannot be written", file: destination.path)
        }
        LeftBehind.add(path)
        temporaryPath = path
        descriptor = named
    }

    deinit {
        if let temporaryPath {
            unlink(temporaryPath)
            LeftBehind.forget(temporaryPath)
        }
    }

    /// Appends bytes.
    public func write(_ bytes: [UInt8]) throws(AdapterError) {
        let complete = bytes.withUnsafeBytes { descriptor.write($0) }
        guard complete else { throw .system(.unwritable, "cannot be written", file: destination.path) }
        count += bytes.count
    }

    /// Calls `body` with the descriptor, for a C library that writes by itself.
    public func withDescriptor<Result, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(descriptor.number)
    }

    /// Makes the file appear at its destination, after its bytes have reached the disk.
    ///
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish() throws(AdapterError) {
        guard descriptor.synchronise() else {
            throw .system(.unwritable, "cannot be written", file: destination.path)
        }
        if temporaryPath == nil {
            let name = destination.mayReplace ? TemporaryName.beside(destination.path) : destination.path
            guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
                if errno == EEXIST { throw .alreadyExists(destination) }
                throw .system(.unwritable, "cannot be written", file: destination.path)
            }
            if destination.mayReplace {
                LeftBehind.add(name)
                temporaryPath = name
            }
        }
        if let name = temporaryPath {
            let flags: CUnsignedInt = destination.mayReplace ? 0 : Rename.noReplace
            guard Rename.rename(name, destination.path, flags) else {
                if errno == EEXIST { throw .alreadyExists(destination) }
                throw .system(.unwritable, "cannot be written", file: destination.path)
            }
            LeftBehind.forget(name)
            temporaryPath = nil
        }
        synchroniseFolder(FileName.parent(of: destination.path))
    }
}

extension AdapterError {
    static func alreadyExists(_ destination: Destination) -> AdapterError {
        AdapterError(.exists, "exists already", advice: "--force replaces it", file: destination.path)
    }
}

/// Has a folder's list of names reach the disk. A file system that cannot do it keeps its own order of things.
func synchroniseFolder(_ path: String) {
    if let folder = Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) { _ = folder.synchronise() }
}
