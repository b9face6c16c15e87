internal import Glibc

/// A span of processor time that a task of one thread may take: a machine that is busy with something else does not
/// shorten it.
public struct ThreadTime: Sendable {
    private let end: UInt64

    /// - Parameter seconds: from now.
    public init(seconds: Int) {
        let (length, isTooLong) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (end, isTooLate) = ThreadTime.now.addingReportingOverflow(length)
        self.end = isTooLong || isTooLate ? .max : end
    }

    /// Whether the thread that began it has worked for longer; asked on that thread.
    public var isOver: Bool { ThreadTime.now > end }

    /// The nanoseconds that this thread has worked so far.
    private static var now: UInt64 {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_nsec)
    }
}
