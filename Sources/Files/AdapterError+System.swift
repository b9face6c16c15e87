internal import Glibc
public import PageModel

extension AdapterError {
    /// Returns an error for a failed system call of a library, by its error number.
    public static func system(
        _ number: Int32, _ code: Code, _ message: Message, file: String? = nil
    ) -> AdapterError {
        errno = number
        return system(code, message, file: file)
    }

    /// Returns an error for a failed system call: `message`, then the meaning of `errno` in plain words.
    public static func system(
        _ code: Code, _ message: Message, hint: Message? = nil, file: String? = nil
    ) -> AdapterError {
        let number = errno
        let why: Message =
            switch number {
            case ENOSPC, EDQUOT: "the disk is full"
            case EFBIG: "the file would be larger than allowed here"
            case ENOENT: "no such file or folder"
            case EACCES, EPERM: "permission denied"
            case EROFS: "the file system is read-only"
            case EPIPE: "the process that reads it has exited"
            case EBADF: "it is closed"
            case ENAMETOOLONG: "the name is longer than the file system allows"
            case EIO: "disk input/output error"
            default: Message(verbatim: String(cString: strerror(number)).lowercased())
            }
        var error = AdapterError(code, "\(message): \(why)", hint: hint, file: file)
        error.isTemporary = temporaryNumbers.contains(number)
        return error
    }

    /// The errors that may not occur again: no room, no memory or descriptors, a disk or network that fails, a lock.
    private static let temporaryNumbers: Set<Int32> = [
        ENOSPC, EDQUOT, EIO, ENOMEM, ENOBUFS, EMFILE, ENFILE, EAGAIN, EBUSY, ENOLCK, ESTALE, ETIMEDOUT, EHOSTDOWN,
        EREMOTEIO, ENOTCONN,
    ]
}
