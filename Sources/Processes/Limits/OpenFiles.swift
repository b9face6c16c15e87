internal import Glibc
package import PageModel

/// The limit on files that the process may have open at once.
package enum OpenFiles {
    /// libdispatch may open files under /proc at any time to count its threads, and ends the program if it cannot.
    /// Conversions of one book on two cores had up to 17 files open; 21 PDFs, combined, had 52.
    private static let minimumFiles: rlim_t = 32
    /// No run needs more, and some programs that jisui starts close every number up to the limit.
    private static let maximumFiles: rlim_t = 65_536

    /// Raises the limit as far as the system allows.
    ///
    /// - Returns: the error that ends the program if the limit is too low; nil otherwise.
    package static func raise() -> Message? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let wanted = min(limit.rlim_max, maximumFiles)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard limit.rlim_cur < minimumFiles else { return nil }
        return "at most \(limit.rlim_cur) files can be open at once, but jisui needs \(minimumFiles); "
            + "use 'ulimit -n' to raise the limit"
    }
}
