internal import AdapterKit
internal import Dispatch
internal import Synchronization

/// One place for a process of a plug-in, which serves one task at a time. It is started when it is needed, and anew when it died.
final class PluginLane: Sendable {
    /// What becomes of a place whose process died, stalled or broke its word.
    enum AfterFault {
        /// Another process takes its place, since each is asked for all that it needs.
        case startsAnew
        /// Nothing more is asked: what the process was told and what it made is lost with it.
        case isLost
    }

    private struct State: ~Copyable {
        var process: PluginProcess?
        /// What ended a place that is lost.
        var end: (any Error)?
    }

    private let queue = DispatchQueue(label: "jisui.plug-in")
    private let state = Mutex(State())
    private let afterFault: AfterFault
    private let cancelled = Flag()
    /// The program's name, for messages.
    private let name: String
    /// What to do about a process that breaks its word.
    private let advice: String
    private let deaths: DeathCount
    private let start: @Sendable (@escaping @Sendable () -> Bool) throws -> sending PluginProcess

    /// - Parameters:
    ///   - name: the program's, for messages.
    ///   - advice: what to do about a process that breaks its word.
    ///   - deaths: shared by all lanes of a book.
    ///   - afterFault: what becomes of the place then.
    ///   - start: starts a process and asks it for all that it has to know. It gets what tells whether to give up.
    init(
        _ name: String, advice: String = PluginProcess.Fault.advice, _ deaths: DeathCount,
        afterFault: AfterFault = .startsAnew,
        start: @escaping @Sendable (@escaping @Sendable () -> Bool) throws -> sending PluginProcess
    ) {
        self.name = name
        self.advice = advice
        self.deaths = deaths
        self.afterFault = afterFault
        self.start = start
    }

    /// Talks to the process on a thread of its own, so that none of Swift's few waits for it.
    ///
    /// - Throws: `AdapterError`; `CancellationError`.
    func perform<Value: Sendable>(
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

    /// Talks to the process on the calling thread. One that died after it had served is started once more for this.
    ///
    /// - Parameter page: the page that it is about, if it is about one.
    /// - Throws: `AdapterError`; `CancellationError`.
    func performNow<Value: Sendable>(on page: Int? = nil, _ body: (PluginProcess) throws -> Value) throws -> Value {
        try state.withLock { state in
            if let end = state.end { throw end }
            try deaths.check(page)
            // One that has served before may have died of something else than this.
            let hasServed = state.process.map { $0.answered > $0.answeredAtStart } ?? false
            for mayTryAgain in [afterFault == .startsAnew && hasServed, false] {
                do {
                    if state.process == nil {
                        state.process = try start { [cancelled] in cancelled.isSet || Task.isCancelled }
                    }
                    guard let process = state.process else { preconditionFailure("it was just started") }
                    let value = try body(process)
                    deaths.forget()
                    return value
                } catch let fault as PluginProcess.Fault {
                    state.process = nil
                    if mayTryAgain, case .died = fault { continue }
                    let error = told(fault, page)
                    if afterFault == .isLost { state.end = error }
                    throw error
                }
            }
            preconditionFailure("the second time nothing is tried again")
        }
    }

    /// What is said of a fault; a death is remembered.
    private func told(_ fault: PluginProcess.Fault, _ page: Int?) -> any Error {
        let error = fault.told(of: name, advice: advice)
        if case .died = fault { deaths.add(page, error as? AdapterError) }
        guard afterFault == .isLost, var lost = error as? AdapterError else { return error }
        // Of the kind that costs the output, and not one page of it.
        lost.code = .unwritable
        return lost
    }

    /// Has who waits for the process give up.
    func cancel() { cancelled.set() }

    /// Ends the process, if there is one.
    func close() {
        state.withLock { $0.process = nil }
    }
}

/// Something that is said once.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// Remembers of what a plug-in died, so that it is not started again and again for nothing.
final class DeathCount: Sendable {
    private struct State {
        /// The pages that cost a process its life, and how.
        var pages: [Int: AdapterError] = [:]
        var inARow = 0
    }

    private let state = Mutex(State())
    private let most: Int

    /// - Parameter most: how many requests in a row it may die of.
    init(most: Int = 3) {
        self.most = most
    }

    func add(_ page: Int?, _ error: AdapterError?) {
        state.withLock { state in
            state.inARow += 1
            if let page { state.pages[page] = error }
        }
    }

    /// A request was answered.
    func forget() { state.withLock { $0.inARow = 0 } }

    /// - Throws: when it died of this page, or too often.
    func check(_ page: Int?) throws(AdapterError) {
        let (known, inARow) = state.withLock { state in (page.flatMap { state.pages[$0] }, state.inARow) }
        if let known { throw known }
        guard inARow < most else {
            throw AdapterError(.damaged, "the plug-in died too often, and is not started again")
        }
    }
}

extension PluginProcess.Fault {
    static let advice = "tell those who made the plug-in"

    /// What is said of it; a `CancellationError` for what was given up.
    ///
    /// - Parameter name: the plug-in's.
    func told(of name: String, advice: String = advice) -> any Error {
        switch self {
        case .died(let how): AdapterError(.damaged, "\(name) \(how)")
        case .slow(let seconds):
            AdapterError(
                .tooLarge, "\(name) did not answer within \(seconds) second\(seconds == 1 ? "" : "s")",
                advice: "--page-timeout gives it more for a page")
        case .broke(let how): AdapterError(.damaged, "\(name) \(how)", advice: advice)
        case .cancelled: CancellationError()
        }
    }
}

/// The lanes of one book: as many as there are tasks at work, up to a number.
final class PluginLanes: Sendable {
    private struct State {
        var idle: [PluginLane] = []
        var lent = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let most: Int
    private let make: @Sendable () -> PluginLane

    init(most: Int?, _ make: @escaping @Sendable () -> PluginLane) {
        self.most = most ?? Int.max
        self.make = make
    }

    /// Lends a lane to one task.
    func perform<Value: Sendable>(
        on page: Int? = nil, _ body: @escaping @Sendable (PluginProcess) throws -> Value
    ) async throws -> Value {
        await enter()
        defer { leave() }
        let lane = state.withLock { $0.idle.popLast() } ?? make()
        let value: Value
        do {
            value = try await lane.perform(on: page, body)
        } catch let error as CancellationError {
            // It may still be in the midst of something.
            throw error
        } catch {
            state.withLock { $0.idle.append(lane) }
            throw error
        }
        state.withLock { $0.idle.append(lane) }
        return value
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.lent < most {
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
