internal import Synchronization

/// Processes elements concurrently and delivers the results in order.
///
/// At most `width` results exist at a time, because no budget limits their memory. The next element begins only when `body` has
/// received and released the oldest result. An error ends the work when its turn has come, so the same error is always reported. It
/// cancels the running work.
package func forEachInOrder<Element: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, width: Int,
    work: @escaping @Sendable (Element) async throws -> Result,
    body: (Result) async throws -> Void
) async throws {
    try await forEachInOrder(
        elements, width: width, begun: width, within: MemoryBudget(bytes: .max), prepare: { ($0, bytes: 0) },
        work: work,
        body: body)
}

/// Processes elements concurrently, at most `width` at a time, and returns the results in order.
package func mapInOrder<Element: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, width: Int, work: @escaping @Sendable (Element) async throws -> Result
) async throws -> [Result] {
    var results: [Result] = []
    try await forEachInOrder(elements, width: width, work: work) { results.append($0) }
    return results
}

/// Processes elements concurrently, as many at a time as memory allows, and delivers the results in order.
///
/// At most `width` elements are in work at a time. While the oldest of them is slow, later ones begin, so that no processor waits
/// for it. At most twice as many elements are begun and not yet received and released by `body`. With a width of 1, an element
/// begins only when `body` has released the result before it.
///
/// - Parameters:
///   - budget: the memory limit. No other work may use it meanwhile.
///   - prepare: converts an element into the input of the work. It also returns the number of bytes that the work needs
///     until its result is released. It takes little memory itself, and it runs before more memory is free.
package func forEachInOrder<Element: Sendable, Prepared: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, width: Int, within budget: MemoryBudget,
    prepare: @escaping @Sendable (Element) async throws -> (Prepared, bytes: Int),
    work: @escaping @Sendable (Prepared) async throws -> Result,
    body: (Result) async throws -> Void
) async throws {
    try await forEachInOrder(
        elements, width: width, begun: width == 1 ? 1 : 2 * width, within: budget, prepare: prepare, work: work,
        body: body)
}

/// - Parameter maximumBegun: the largest number of elements that are begun and not yet released by `body`.
private func forEachInOrder<Element: Sendable, Prepared: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, width: Int, begun maximumBegun: Int, within budget: MemoryBudget,
    prepare: @escaping @Sendable (Element) async throws -> (Prepared, bytes: Int),
    work: @escaping @Sendable (Prepared) async throws -> Result,
    body: (Result) async throws -> Void
) async throws {
    precondition(width > 0)
    try await withThrowingTaskGroup(of: Done<Result>.self) { group in
        var iterator = elements.makeIterator()
        var (started, running, next) = (0, 0, 0)
        var early: [Int: Done<Result>] = [:]

        // Small functions, so that no variable retains a result while the next element begins.
        func start() {
            guard running < width, started - next < maximumBegun, let element = iterator.next() else { return }
            let index = started
            started += 1
            running += 1
            group.addTask {
                do {
                    try Task.checkCancellation()
                    let (prepared, bytes) = try await prepare(element)
                    // Memory is granted in the order of the elements: the next result to be delivered never waits for
                    // one that comes after it.
                    try await budget.enter(index, bytes)
                    return Done(index: index, bytes: bytes, box: OneShotBox(.success(try await work(prepared))))
                } catch {
                    return Done(index: index, bytes: 0, box: OneShotBox(.failure(error)))
                }
            }
        }
        func collect() async throws -> Bool {
            guard let done = try await group.next() else { return false }
            early[done.index] = done
            running -= 1
            return true
        }
        func deliver() async throws -> Int? {
            guard let done = early.removeValue(forKey: next), let ready = done.box.take() else { return nil }
            try await body(try ready.get())
            next += 1
            return done.bytes
        }
        for _ in 0..<width { start() }
        do {
            while try await collect() {
                start()
                while let bytes = try await deliver() {
                    budget.leave(bytes)
                    start()
                }
            }
        } catch {
            // The results of later elements are released before the caller gets the error.
            group.cancelAll()
            for done in early.values { _ = done.box.take() }
            while let done = try? await group.next() { _ = done.box.take() }
            throw error
        }
    }
}

/// The state of an element when its work is done.
private struct Done<Result: Sendable>: Sendable {
    let index: Int
    let bytes: Int
    let box: OneShotBox<Result>
}

/// A box that carries the result of an element from its task to the caller.
///
/// A finished task retains its return value until its thread has released it. That may be after the delivery of the
/// result. The task then retains this empty box rather than a decoded page.
private final class OneShotBox<Value: Sendable>: Sendable {
    private let value: Mutex<Result<Value, any Error>?>

    init(_ value: Result<Value, any Error>) {
        self.value = Mutex(value)
    }

    func take() -> Result<Value, any Error>? {
        value.withLock { $0.take() }
    }
}
