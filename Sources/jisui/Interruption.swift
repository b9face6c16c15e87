internal import AdapterKit
internal import Glibc
internal import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the work is cancelled and removes what it began. When it cannot, because a C library
/// does not return, the program removes it and ends itself.
enum Interruption {
    private static let cancel = Mutex<(@Sendable () -> Void)?>(nil)
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

    /// Calls `cancel` at the first signal, and ends the program at the second or after a while.
    static func watch(_ cancel: @escaping @Sendable () -> Void) {
        self.cancel.withLock { $0 = cancel }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                Interruption.wait()
                return nil
            }, nil)
    }

    private static func wait() {
        var set = signals
        var number: CInt = 0
        guard sigwait(&set, &number) == 0 else { return }
        cancel.withLock { $0 }?()
        var limit = timespec(tv_sec: secondsToStop, tv_nsec: 0)
        sigtimedwait(&set, nil, &limit)
        LeftBehind.removeAll()
        _exit(ExitStatus.interrupted.rawValue)
    }
}
