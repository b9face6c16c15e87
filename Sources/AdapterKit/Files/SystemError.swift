internal import Glibc

extension AdapterError {
    /// An error for a failed system call: `message`, then what `errno` means in plain words.
    public static func system(
        _ code: Code, _ message: String, advice: String? = nil, file: String? = nil
    ) -> AdapterError {
        let number = errno
        let why =
            switch number {
            case ENOSPC, EDQUOT: "the disk is full"
            case EFBIG: "the file would be larger than allowed here"
            case ENOENT: "there is no such file or folder"
            case EACCES, EPERM: "permission denied"
            case EROFS: "the file system is read-only"
            default: String(cString: strerror(number)).lowercased()
            }
        return AdapterError(code, "\(message): \(why)", advice: advice, file: file)
    }
}
