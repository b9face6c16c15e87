internal import Dispatch
internal import Synchronization

/// Writes beside the work that makes what is written.
///
/// Copying its bytes to the kernel takes longer than anything else that happens to an untouched page.
final class BackgroundWriter: Sendable {
    private let queue: DispatchQueue
    /// What waits to be written is in memory: no more than a few pages may.
    private let room: DispatchSemaphore
    private let group = DispatchGroup()
    private let failure = Mutex<AdapterError?>(nil)

    /// - Parameter inOrder: whether one write follows the other; otherwise two go on at once.
    init(inOrder: Bool) {
        queue = DispatchQueue(label: "jisui.writer", attributes: inOrder ? [] : .concurrent)
        room = DispatchSemaphore(value: 2)
    }

    /// Begins a write; waits while there are too many in the making.
    ///
    /// - Parameter body: writes, and returns what went wrong.
    /// - Throws: what went wrong with an earlier write.
    func perform(_ body: @escaping @Sendable () -> AdapterError?) throws(AdapterError) {
        try check()
        room.wait()
        queue.async(group: group) {
            // After a failure nothing is of use any more.
            if self.failure.withLock({ $0 }) == nil, let error = body() {
                self.failure.withLock { $0 = $0 ?? error }
            }
            self.room.signal()
        }
    }

    /// Waits until everything is written.
    ///
    /// - Throws: what went wrong with a write.
    func finish() throws(AdapterError) {
        group.wait()
        try check()
    }

    private func check() throws(AdapterError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
