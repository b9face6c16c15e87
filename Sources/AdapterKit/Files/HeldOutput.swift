internal import Synchronization

/// An output that is complete, and waits for somebody to look at it before it appears.
///
/// `OutputFile` and `OutputFolder` put themselves into the one of their destination instead of appearing. A holder that is
/// released before it lets the output appear leaves nothing behind.
public final class HeldOutput: Sendable {
    private struct State {
        var path: String?
        var folder: TemporaryFolder?
        var appear: (@Sendable () throws(AdapterError) -> Void)?
    }

    private let state = Mutex(State())
    /// Whether the output waits. Otherwise it appears at once, and only its place is noted.
    let waits: Bool

    /// - Parameter waits: whether the output is kept back; false to learn no more than where it is.
    public init(waits: Bool) {
        self.waits = waits
    }

    deinit { discard() }

    /// Where the output lies at this moment; nil before it is complete.
    public var path: String? { state.withLock { $0.path } }

    /// Whether the output waits at this moment. A sink whose books get their place at the end lets them appear at once.
    public var isWaiting: Bool { state.withLock { $0.appear != nil } }

    /// Makes the output appear at its destination, if it waits.
    ///
    /// - Throws: `.exists` when something else appeared there meanwhile, `.unwritable`.
    public func publish() throws(AdapterError) {
        let appear = state.withLock { state in
            let appear = state.appear
            state.appear = nil
            return appear
        }
        try appear?()
        state.withLock { $0.folder = nil }
    }

    /// Removes the output, if it waits.
    public func discard() {
        let folder = state.withLock { state in
            let folder = state.folder
            (state.folder, state.appear) = (nil, nil)
            return folder
        }
        folder?.remove()
    }

    /// Keeps an output back.
    ///
    /// - Parameters:
    ///   - path: where it lies.
    ///   - folder: what holds it.
    ///   - appear: makes it appear and removes the folder. It must not hold on to this holder.
    func hold(
        _ path: String, in folder: TemporaryFolder, appear: @escaping @Sendable () throws(AdapterError) -> Void
    ) {
        state.withLock { $0 = State(path: path, folder: folder, appear: appear) }
    }

    /// Notes where an output has appeared.
    func note(_ path: String) {
        state.withLock { $0.path = path }
    }
}
