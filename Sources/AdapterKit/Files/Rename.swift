internal import CLinux
internal import Glibc

/// Renaming with the promises of Linux's `renameat2`.
enum Rename {
    static let noReplace = CUnsignedInt(linux_rename_noreplace)
    static let exchange = CUnsignedInt(linux_rename_exchange)

    /// Renames, with a fall-back for file systems that do not know the flags; false with `errno` set on failure.
    static func rename(_ old: String, _ new: String, _ flags: CUnsignedInt) -> Bool {
        if linux_renameat2(old, new, flags) == 0 { return true }
        guard errno == EINVAL, flags == noReplace else { return false }
        if access(new, F_OK) == 0 {
            errno = EEXIST
            return false
        }
        return Glibc.rename(old, new) == 0
    }
}
