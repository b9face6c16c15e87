internal import Glibc

/// What stands at a path.
public struct FileStatus: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case file
        case folder
        /// A symbolic link, of which one was asked for itself.
        case link
        /// A pipe, a device, a socket.
        case other
    }

    public let kind: Kind
    public let identity: FileIdentity
    /// The number of the user whom it belongs to.
    public let owner: UInt32
    /// Who may do what with it, as `chmod` counts: 0o755, with 0o1000 for a folder that is sticky.
    public let mode: UInt32

    /// The bytes of a file; of others it means nothing.
    public let byteCount: Int

    /// - Parameter followsLinks: whether it is what a link leads to, and not the link, that is asked for.
    /// - Returns: nil, with `errno` set, when nothing is there or it cannot be seen.
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

    /// Whether a path leads to a folder.
    public static func isFolder(_ path: String) -> Bool {
        FileStatus(of: path)?.kind == .folder
    }
}

/// What makes a file the same file under another name.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt

    init(device: UInt, inode: UInt) {
        self.device = device
        self.inode = inode
    }

    /// Of what a path leads to; nil when nothing is there.
    public init?(_ path: String) {
        guard let status = FileStatus(of: path) else { return nil }
        self = status.identity
    }

    /// Whether two paths lead to one file that is there.
    public static func areSame(_ one: String, _ other: String) -> Bool {
        guard let identity = FileIdentity(one) else { return false }
        return identity == FileIdentity(other)
    }

    /// The identities of what a path leads to, if it is there, and of all the folders that this is in, inner ones first.
    ///
    /// Links are followed, and ".." is what the file system says it is. Of a path at which nothing stands only the folders
    /// are told.
    public static func lineage(of path: String) -> [FileIdentity] {
        var path = FileName.withoutSlashAtEnd(path)
        while FileIdentity(path) == nil {
            let parent = FileName.parent(of: path)
            guard parent != path, !path.isEmpty else { return [] }
            path = parent
        }
        guard var name = realpath(path) else { return [] }
        var lineage: [FileIdentity] = []
        while let identity = FileIdentity(name) {
            lineage.append(identity)
            if name == "/" { break }
            name = FileName.parent(of: name)
        }
        return lineage
    }
}
