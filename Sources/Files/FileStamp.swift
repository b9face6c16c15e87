internal import Glibc

/// The size of a file or folder and the time of its last change, which together show that it was changed.
public struct FileStamp: Hashable, Sendable {
    /// The bytes of the file, or of all files in the folder.
    public let byteCount: Int
    /// The time of the last change, in nanoseconds since 1970. For a folder, it is the latest time of anything in it.
    public let modified: Int

    /// The maximum depth of folders. No book has as many levels, and links may form circles.
    private static let maximumLevels = 8

    public init(byteCount: Int, modified: Int) {
        self.byteCount = byteCount
        self.modified = modified
    }

    /// - Returns: nil if nothing exists at the path.
    public init?(of path: String) {
        guard let found = FileStamp.measured(path, level: 0) else { return nil }
        self = found
    }

    private static func measured(_ path: String, level: Int) -> FileStamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let time = status.st_mtim
        let (seconds, hasOverflowed) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        let own = hasOverflowed ? 0 : seconds + time.tv_nsec
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return FileStamp(byteCount: Int(status.st_size), modified: own)
        }
        var (bytes, latest) = (0, own)
        guard level < maximumLevels else { return FileStamp(byteCount: bytes, modified: latest) }
        for name in (try? FolderListing.names(in: path)) ?? [] {
            guard let inner = measured("\(path)/\(name)", level: level + 1) else { continue }
            bytes += inner.byteCount
            latest = max(latest, inner.modified)
        }
        return FileStamp(byteCount: bytes, modified: latest)
    }
}

/// The clocks of the system.
public enum SystemClock {
    /// The seconds since 1970. A user may set this clock back.
    public static var secondsSince1970: Int { time(nil) }

    /// The seconds of processor time that this process and its finished child processes have used.
    public static var processorSeconds: Double {
        [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue].reduce(0) { sum, whose in
            var usage = rusage()
            guard getrusage(whose, &usage) == 0 else { return sum }
            let micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
            return sum + Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(micros) / 1_000_000
        }
    }
}

/// The file system that contains a path.
public enum Volume {
    /// Returns the bytes that this user may still write below a folder; nil if they are unknown.
    public static func freeBytes(in folder: String) -> Int? {
        guard let descriptor = Descriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return nil }
        var status = statvfs()
        guard fstatvfs(descriptor.number, &status) == 0 else { return nil }
        let (bytes, hasOverflowed) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return hasOverflowed ? nil : bytes
    }
}
