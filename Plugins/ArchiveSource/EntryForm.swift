internal import Glibc

/// What kind of thing an entry of an archive is.
enum EntryForm: Hashable, Sendable {
    case file
    case folder
    /// A link, a device, a pipe: nothing that a book is made of.
    case other

    /// Reads the file type out of a Unix mode; a mode without one is a file.
    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG, 0: self = .file
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }
}
