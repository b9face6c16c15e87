internal import Glibc

/// The signals that other processes and the system send to this one.
package enum Signals {
    /// Makes writing to a closed pipe an ordinary error.
    package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Makes writing beyond the size limit of files an ordinary error.
    package static func ignoreLargeFiles() { signal(SIGXFSZ, SIG_IGN) }

    /// Kills another process.
    package static func kill(_ process: Int32) { _ = Glibc.kill(process, SIGKILL) }

    private static var interruptions: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
        return set
    }

    /// Blocks SIGINT, SIGTERM and SIGHUP, for `waitForInterruption`. Must be called before the process has a second
    /// thread.
    package static func blockInterruptions() {
        var set = interruptions
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of the blocked signals.
    ///
    /// - Returns: whether it is SIGINT, by which a person ends a program.
    package static func waitForInterruption() -> Bool {
        var set = interruptions
        var number: CInt = 0
        while sigwait(&set, &number) != 0 {}
        return number == SIGINT
    }

    /// Waits for one of the blocked signals, for a limited time.
    package static func waitForInterruption(seconds: Int) {
        var set = interruptions
        let end = ContinuousClock.now + .seconds(seconds)
        // The end of a worker process interrupts the call.
        while true {
            let (left, fraction) = max(.zero, end - .now).components
            var limit = timespec(tv_sec: Int(left), tv_nsec: Int(fraction / 1_000_000_000))
            if sigtimedwait(&set, nil, &limit) >= 0 || errno != EINTR { return }
        }
    }
}
