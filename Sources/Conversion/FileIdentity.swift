internal import Glibc

/// What makes a file the same file under another name.
public struct FileIdentity: Hashable {
    private let device: UInt
    private let inode: UInt

    /// Whether two paths lead to one file that is there.
    public static func areSame(_ one: String, _ other: String) -> Bool {
        guard let identity = FileIdentity(one) else { return false }
        return identity == FileIdentity(other)
    }

    /// - Returns: nil when nothing is at `path`.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
