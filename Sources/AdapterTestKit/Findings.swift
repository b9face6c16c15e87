internal import AdapterKit

/// The failures found so far with one adapter and one subject. Shared by all that look at them.
final class Findings {
    private let adapter: String
    private let subject: String
    private(set) var failures: [ConformanceFailure] = []

    /// A fault that shows a thousand times need not be told a thousand times.
    private static let most = 20
    /// More than a person would wait: tests that run side by side share the processors.
    private static let patience = Duration.seconds(120)

    init(_ card: AdapterCard, subject: String) {
        adapter = card.id
        self.subject = subject
    }

    func expect(_ isKept: Bool, _ message: @autoclosure () -> String) {
        if !isKept { fail(message()) }
    }

    func fail(_ message: String) {
        guard failures.count < Findings.most else { return }
        failures.append(ConformanceFailure(adapter: adapter, subject: subject, message: message))
    }

    /// Runs `body`, notes when it throws, and notes when it takes so long that a person would call it hung.
    ///
    /// - Returns: what `body` returned, or nil.
    func attempt<Result>(
        _ what: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async -> Result? {
        let start = ContinuousClock.now
        defer {
            let taken = ContinuousClock.now - start
            expect(taken < Findings.patience, "\(what) took \(taken)")
        }
        do {
            return try await body()
        } catch {
            fail("\(what) threw \(error.told)")
            return nil
        }
    }

    /// Runs `body`, which should throw an `AdapterError` with a code.
    func expectError(
        _ code: AdapterError.Code, _ what: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            fail("\(what) succeeded, and should have thrown '\(code.rawValue)'")
        } catch {
            let actual = (error as? AdapterError)?.code
            expect(actual == code, "\(what) threw \(error.told), and should have thrown '\(code.rawValue)'")
        }
    }
}

extension Error {
    /// The error for a message, with its code or its type.
    var told: String {
        if let error = self as? AdapterError { return "'\(error.code.rawValue)' (\(error))" }
        return "\(self), a \(type(of: self)) and no AdapterError,"
    }

    /// Whether an adapter may throw this.
    var isAllowed: Bool { self is AdapterError || self is CancellationError }
}
