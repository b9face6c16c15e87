internal import Synchronization

/// Works on elements side by side and hands over the results in order.
///
/// At most `width` results are alive at a time: an element is begun only when the oldest one before it has been
/// handed to `body` and let go, so that memory does not grow behind a slow page. The first error ends the work
/// and cancels what is running.
public func forEachInOrder<Element: Sendable, Result: Sendable>(
    _ elements: some Sequence<Element>, width: Int,
    work: @escaping @Sendable (Element) async throws -> Result,
    body: (Result) async throws -> Void
) async throws {
    precondition(width > 0)
    try await withThrowingTaskGroup(of: (Int, Handover<Result>).self) { group in
        var iterator = elements.makeIterator()
        var started = 0
        var next = 0
        var early: [Int: Handover<Result>] = [:]

        // Small functions, so that no variable keeps a result alive while the next one is begun.
        func start() {
            guard let element = iterator.next() else { return }
            let index = started
            started += 1
            group.addTask {
                try Task.checkCancellation()
                return (index, Handover(try await work(element)))
            }
        }
        func collect() async throws -> Bool {
            guard let (index, handover) = try await group.next() else { return false }
            early[index] = handover
            return true
        }
        func deliver() async throws -> Bool {
            guard let ready = early.removeValue(forKey: next)?.take() else { return false }
            try await body(ready)
            next += 1
            return true
        }
        for _ in 0..<width { start() }
        while try await collect() {
            while try await deliver() { start() }
        }
    }
}

/// A result on its way from a task to whoever waits for it.
///
/// A finished task keeps what it returned until its thread has let go of it, which may be after the result was
/// delivered: it keeps this, empty by then, rather than a decoded page.
private final class Handover<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func take() -> Value? {
        value.withLock { $0.take() }
    }
}
