internal import Glibc

/// What makes a file the same file under another name.
struct FileIdentity: Hashable {
    private let device: UInt
    private let inode: UInt

    /// - Returns: nil when nothing is at `path`.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
