internal import Glibc

/// The properties of the file, folder or link at a path.
public struct FileStatus: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case file
        case folder
        /// A symbolic link itself, not its target.
        case link
        /// A pipe, a device or a socket.
        case other
    }

    public let kind: Kind
    public let identity: FileIdentity
    /// The user id of the owner.
    public let owner: UInt32
    /// The permissions in the notation of `chmod`: 0o755, with 0o1000 for a sticky folder.
    public let mode: UInt32

    /// The size of a file in bytes; meaningless for anything else.
    public let byteCount: Int

    /// - Parameter followsLinks: whether the path's target is examined rather than a link.
    /// - Returns: nil, with `errno` set, for a missing or inaccessible path.
    public init?(of path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        byteCount = Int(status.st_size)
        owner = status.st_uid
        mode = status.st_mode & 0o7777
        identity = FileIdentity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    }

    /// The id of the user as whom this process accesses files.
    public static var currentUser: UInt32 { geteuid() }

    /// Whether nothing exists at the target of a path. Other errors do not count.
    public static func isMissing(_ path: String) -> Bool {
        FileStatus(of: path) == nil && errno == ENOENT
    }

    /// Whether a path resolves to a folder.
    public static func isFolder(_ path: String) -> Bool {
        FileStatus(of: path)?.kind == .folder
    }
}

/// The place of a file, which is the same for all spellings of its path, whether it exists or not.
public struct FilePlace: Hashable, Sendable {
    /// The file itself, or without it the folder that it would be in.
    private let identity: FileIdentity?
    /// The rest of the path below that folder.
    private let name: [UInt8]

    public init(_ path: String) {
        if let own = FileIdentity(path) {
            (identity, name) = (own, [])
        } else if let parent = FileIdentity(FileName.parent(of: path)) {
            (identity, name) = (parent, FileName.bytes(of: FileName.last(of: path)))
        } else {
            (identity, name) = (nil, FileName.bytes(of: path))
        }
    }
}

/// The identity of a file, which is the same under all its names.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt

    init(device: UInt, inode: UInt) {
        self.device = device
        self.inode = inode
    }

    /// Determines the identity of the file to which a path resolves; nil if nothing exists there.
    public init?(_ path: String) {
        guard let status = FileStatus(of: path) else { return nil }
        self = status.identity
    }

    /// Whether two paths resolve to one existing file.
    public static func areSame(_ one: String, _ other: String) -> Bool {
        guard let identity = FileIdentity(one) else { return false }
        return identity == FileIdentity(other)
    }

    /// Returns the identities of the file to which a path resolves, if it exists, and of all its parent folders, inner
    /// ones first.
    ///
    /// Links are followed, and ".." has the file system's meaning. For a path at which nothing exists, the result
    /// contains only the folders.
    public static func ancestors(of path: String) -> [FileIdentity] {
        var path = FileName.withoutSlashAtEnd(path)
        while FileIdentity(path) == nil {
            let parent = FileName.parent(of: path)
            guard parent != path, !path.isEmpty else { return [] }
            path = parent
        }
        guard var name = realpath(path) else { return [] }
        var ancestors: [FileIdentity] = []
        while let identity = FileIdentity(name) {
            ancestors.append(identity)
            if name == "/" { break }
            name = FileName.parent(of: name)
        }
        return ancestors
    }
}
