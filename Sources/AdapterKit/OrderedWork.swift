internal import Synchronization

/// Works on elements side by side and hands over the results in order.
///
/// At most `width` results are alive at a time: an element is begun only when the oldest one before it has been
/// handed to `body` and let go, so that memory does not grow behind a slow page. An error ends the work when its turn has
/// come, so that it is always the same one, and cancels what is running.
public func forEachInOrder<Element: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, width: Int,
    work: @escaping @Sendable (Element) async throws -> Result,
    body: (Result) async throws -> Void
) async throws {
    try await forEachInOrder(
        elements, width: width, within: MemoryBudget(bytes: .max), prepare: { ($0, bytes: 0) }, work: work, body: body)
}

/// Works on elements side by side, as many at a time as there is memory for, and hands over the results in order.
///
/// - Parameters:
///   - budget: of memory; nothing else may take from it meanwhile.
///   - prepare: makes of an element what is worked on, and tells the bytes that this will take until its result is handed
///     over and let go. It takes little memory itself, and runs before there is room for more.
public func forEachInOrder<Element: Sendable, Prepared: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, width: Int, within budget: MemoryBudget,
    prepare: @escaping @Sendable (Element) async throws -> (Prepared, bytes: Int),
    work: @escaping @Sendable (Prepared) async throws -> Result,
    body: (Result) async throws -> Void
) async throws {
    precondition(width > 0)
    try await withThrowingTaskGroup(of: Done<Result>.self) { group in
        var iterator = elements.makeIterator()
        var started = 0
        var next = 0
        var early: [Int: Done<Result>] = [:]

        // Small functions, so that no variable keeps a result alive while the next one is begun.
        func start() {
            guard let element = iterator.next() else { return }
            let index = started
            started += 1
            group.addTask {
                do {
                    try Task.checkCancellation()
                    let (prepared, bytes) = try await prepare(element)
                    // Memory is given in the order of the elements: the next result to be handed over never waits for one
                    // that comes after it.
                    try await budget.enter(index, bytes)
                    return Done(index: index, bytes: bytes, handover: Handover(.success(try await work(prepared))))
                } catch {
                    return Done(index: index, bytes: 0, handover: Handover(.failure(error)))
                }
            }
        }
        func collect() async throws -> Bool {
            guard let done = try await group.next() else { return false }
            early[done.index] = done
            return true
        }
        func deliver() async throws -> Int? {
            guard let done = early.removeValue(forKey: next), let ready = done.handover.take() else { return nil }
            try await body(try ready.get())
            next += 1
            return done.bytes
        }
        for _ in 0..<width { start() }
        do {
            while try await collect() {
                while let bytes = try await deliver() {
                    budget.leave(bytes)
                    start()
                }
            }
        } catch {
            // What came of later elements is let go before the caller hears of it.
            group.cancelAll()
            for done in early.values { _ = done.handover.take() }
            while let done = try? await group.next() { _ = done.handover.take() }
            throw error
        }
    }
}

/// What is known of an element when work on it is done.
private struct Done<Result: Sendable>: Sendable {
    let index: Int
    let bytes: Int
    let handover: Handover<Result>
}

/// What came of an element, on its way from a task to whoever waits for it.
///
/// A finished task keeps what it returned until its thread has let go of it, which may be after the result was
/// delivered: it keeps this, empty by then, rather than a decoded page.
private final class Handover<Value: Sendable>: Sendable {
    private let value: Mutex<Result<Value, any Error>?>

    init(_ value: Result<Value, any Error>) {
        self.value = Mutex(value)
    }

    func take() -> Result<Value, any Error>? {
        value.withLock { $0.take() }
    }
}
