internal import AdapterKit
internal import Glibc

/// How many files the process may have open at once.
enum OpenFiles {
    /// With fewer the threads of Swift's tasks cannot be counted: libdispatch opens files under /proc for that, at any time, and ends
    /// the program where it cannot. A conversion with two workers was seen to have 21 open.
    static let least: rlim_t = 32
    /// More are of no use.
    private static let most: rlim_t = 65_536

    /// Raises the limit as far as the system allows.
    ///
    /// - Returns: the error that ends the program where that is not enough; nil otherwise.
    static func raise() -> String? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let wanted = min(limit.rlim_max, most)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        guard limit.rlim_cur < least else { return nil }
        return "no more than \(limit.rlim_cur) files may be open at once, and jisui needs \(least); "
            + "raise the limit with 'ulimit -n'"
    }
}
