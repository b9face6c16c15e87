internal import Dispatch
package import PageModel
internal import Synchronization

/// A worker: a place for one process of a plug-in that serves one task at a time. It starts on demand and again after a
/// crash.
package final class PluginWorker: Sendable {
    /// The consequence of a crash, a timeout or a protocol violation.
    package enum FaultConsequence {
        /// Another process replaces it, because each request contains all data that it needs.
        case restarts
        /// Nothing more can be requested: the process's state and results are lost with it.
        case isLost
    }

    private struct State: ~Copyable {
        var process: PluginProcess?
        /// The error that ended a lost worker.
        var end: (any Error)?
    }

    private let queue = DispatchQueue(label: "jisui.plug-in")
    private let state = Mutex(State())
    private let faultConsequence: FaultConsequence
    private let cancelled = Flag()
    /// The program's name, for messages.
    private let name: String
    /// The hint for a process that violates the protocol.
    private let hint: Message
    private let crashes: CrashCounter
    private let start: @Sendable (@escaping @Sendable () -> Bool) throws -> sending PluginProcess

    /// - Parameters:
    ///   - name: the program's, for messages.
    ///   - hint: the hint for a protocol violation.
    ///   - crashes: the record of crashes. All workers of a book share it.
    ///   - faultConsequence: the consequence of a fault.
    ///   - start: starts a process and sends its first requests. Its parameter returns whether to give up.
    package init(
        _ name: String, hint: Message = PluginProcess.Fault.hint, _ crashes: CrashCounter,
        faultConsequence: FaultConsequence = .restarts,
        start: @escaping @Sendable (@escaping @Sendable () -> Bool) throws -> sending PluginProcess
    ) {
        self.name = name
        self.hint = hint
        self.crashes = crashes
        self.faultConsequence = faultConsequence
        self.start = start
    }

    /// Communicates with the process on a separate thread, so that none of Swift's few threads waits for it.
    ///
    /// - Throws: `AdapterError`; `CancellationError`.
    package func perform<Value: Sendable>(
        on page: Int? = nil, _ body: @escaping @Sendable (PluginProcess) throws -> Value
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try self.performNow(on: page, body) }) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Communicates with the process on the calling thread. A process that crashed after serving requests is restarted
    /// once.
    ///
    /// - Parameter page: the request's page; nil for other requests.
    /// - Throws: `AdapterError`; `CancellationError`.
    package func performNow<Value: Sendable>(
        on page: Int? = nil, _ body: (PluginProcess) throws -> Value
    ) throws -> Value {
        try state.withLock { state in
            if let end = state.end { throw end }
            try crashes.check(page)
            // After successful requests, the crash may have another cause than this request.
            let hasServed = state.process.map { $0.answered > $0.answeredAtStart } ?? false
            for mayTryAgain in [faultConsequence == .restarts && hasServed, false] {
                do {
                    if state.process == nil {
                        state.process = try start { [cancelled] in cancelled.isSet || Task.isCancelled }
                    }
                    guard let process = state.process else { preconditionFailure("it was just started") }
                    let value = try body(process)
                    crashes.forget()
                    return value
                } catch let error as AdapterError {
                    crashes.observer?.failed(error)
                    throw error
                } catch let fault as PluginProcess.Fault {
                    crashes.observer?.failed(fault)
                    state.process = nil
                    if mayTryAgain, case .crashed = fault { continue }
                    let error = adapterError(for: fault, page)
                    if faultConsequence == .isLost { state.end = error }
                    throw error
                }
            }
            preconditionFailure("the second time nothing is tried again")
        }
    }

    /// Returns the error for a fault; a crash is recorded.
    private func adapterError(for fault: PluginProcess.Fault, _ page: Int?) -> any Error {
        let error = fault.error(for: name, hint: hint)
        switch fault {
        case .crashed: crashes.add(page, error as? AdapterError)
        case .slow where crashes.includesSlowAnswers: crashes.add(page, error as? AdapterError)
        case .slow, .protocolViolation, .cancelled: break
        }
        guard faultConsequence == .isLost, var lost = error as? AdapterError else { return error }
        // The error code that ends the whole output rather than one page.
        lost.code = .unwritable
        return lost
    }

    /// Cancels the current request.
    func cancel() { cancelled.set() }

    /// Ends the process, if there is one.
    package func close() {
        state.withLock { $0.process = nil }
    }
}

/// A flag that can be set once.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// A record of a plug-in's crashes, so that it is not restarted repeatedly for nothing.
package final class CrashCounter: Sendable {
    private struct State {
        /// The pages that crashed a process, with their errors.
        var pages: [Int: AdapterError] = [:]
        var inARow = 0
    }

    private let state = Mutex(State())
    private let maximum: Int
    /// Whether a request without an answer in time counts as a crash.
    let includesSlowAnswers: Bool
    let observer: (any ProcessObserver)?

    /// - Parameter maximum: the maximum number of consecutive requests that may crash.
    package init(maximum: Int = 3, includesSlowAnswers: Bool = false, observer: (any ProcessObserver)? = nil) {
        self.maximum = maximum
        self.observer = observer
        self.includesSlowAnswers = includesSlowAnswers
    }

    func add(_ page: Int?, _ error: AdapterError?) {
        state.withLock { state in
            state.inARow += 1
            if let page { state.pages[page] = error }
        }
    }

    /// Resets the count after a successful request.
    func forget() { state.withLock { $0.inARow = 0 } }

    /// - Throws: the earlier error of this page, or the error for too many crashes.
    func check(_ page: Int?) throws(AdapterError) {
        let (known, inARow) = state.withLock { state in (page.flatMap { state.pages[$0] }, state.inARow) }
        if let known { throw known }
        guard inARow < maximum else {
            throw AdapterError(
                .damaged,
                includesSlowAnswers
                    ? "the plug-in crashed or was too slow too often and is not restarted"
                    : "the plug-in crashed too often and is not restarted")
        }
    }
}

extension PluginProcess.Fault {
    package static let hint: Message = "report it to the authors of the plug-in"

    /// Returns the error for the fault; a `CancellationError` for a canceled request.
    ///
    /// - Parameter name: the plug-in's name.
    package func error(for name: String, hint: Message = hint) -> any Error {
        switch self {
        case .crashed(let how): AdapterError(.damaged, "\(name) \(how)")
        case .slow(let seconds, let isFixed):
            AdapterError(
                .tooLarge,
                seconds == 1
                    ? "\(name) did not answer within 1 second" : "\(name) did not answer within \(seconds) seconds",
                hint: isFixed ? nil : "use --page-timeout to allow more time for a page")
        case .protocolViolation(let how): AdapterError(.damaged, "\(name) \(how)", hint: hint)
        case .cancelled: CancellationError()
        }
    }
}

/// The workers of one book: one for each concurrent task, up to a limit.
package final class PluginWorkerPool: Sendable {
    private struct State {
        var idle: [PluginWorker] = []
        var lent = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let make: @Sendable () -> PluginWorker

    package init(maximum: Int?, _ make: @escaping @Sendable () -> PluginWorker) {
        self.maximum = maximum ?? Int.max
        self.make = make
    }

    /// Lends a worker to one task.
    package func perform<Value: Sendable>(
        on page: Int? = nil, _ body: @escaping @Sendable (PluginProcess) throws -> Value
    ) async throws -> Value {
        await enter()
        defer { leave() }
        let worker = state.withLock { $0.idle.popLast() } ?? make()
        let value: Value
        do {
            value = try await worker.perform(on: page, body)
        } catch let error as CancellationError {
            // It may still be busy.
            throw error
        } catch {
            state.withLock { $0.idle.append(worker) }
            throw error
        }
        state.withLock { $0.idle.append(worker) }
        return value
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.lent < maximum {
                    state.lent += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.lent -= 1
            return nil
        }
        next?.resume()
    }
}
