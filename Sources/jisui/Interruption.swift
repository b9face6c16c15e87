internal import AdapterKit
internal import Glibc

/// SIGINT, SIGTERM and SIGHUP: the work is cancelled and removes what it began. When it cannot, because a C library
/// does not return, the program removes it and ends itself.
enum Interruption {
    private static let secondsToStop = 2

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
        return set
    }

    /// Keeps the signals for `watch`. To be called before there is a second thread.
    static func blockSignals() {
        var set = signals
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for signals, for as long as the program runs: calls `cancel` at the first, and ends the program at the
    /// second or after a while.
    static func watch(_ cancel: () -> Void) -> Never {
        var set = signals
        var number: CInt = 0
        while sigwait(&set, &number) != 0 {}
        cancel()
        var limit = timespec(tv_sec: secondsToStop, tv_nsec: 0)
        sigtimedwait(&set, nil, &limit)
        TemporaryFiles.removeAll()
        Messages.error("interrupted; nothing was written")
        _exit(ExitStatus.interrupted.rawValue)
    }
}
