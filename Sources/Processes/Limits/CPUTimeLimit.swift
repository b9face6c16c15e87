internal import Glibc

/// A limit on the processor time of a task on one thread: other load on the machine does not shorten it.
package struct CPUTimeLimit: Sendable {
    private let end: UInt64

    /// - Parameter seconds: the processor time from now on.
    package init(seconds: Int) {
        let (length, isTooLong) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (end, isTooLate) = CPUTimeLimit.now.addingReportingOverflow(length)
        self.end = isTooLong || isTooLate ? .max : end
    }

    /// Whether the limit is exceeded; to be called on the thread that began the task.
    package var isOver: Bool { CPUTimeLimit.now > end }

    /// The processor time of this thread so far, in nanoseconds.
    private static var now: UInt64 {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return UInt64(clamping: time.tv_sec) * 1_000_000_000 + UInt64(clamping: time.tv_nsec)
    }
}
