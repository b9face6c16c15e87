internal import AdapterKit
internal import PageModel

/// A promise of the adapter protocols that an adapter broke.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The adapter's id, as in its descriptor.
    public var adapter: String
    /// The input of the adapter: a path, or a description of a book.
    public var subject: String
    /// The adapter's fault, as a sentence fragment.
    public var message: String

    public init(adapter: String, subject: String, message: String) {
        self.adapter = adapter
        self.subject = subject
        self.message = message
    }

    public var description: String { "\(adapter) given \(subject): \(message)" }
}

/// A collection of the failures of one adapter with one subject.
///
/// It is a class, because all parts of a check add to the same list.
final class Findings {
    private let adapter: String
    private let subject: String
    private(set) var failures: [ConformanceFailure] = []

    /// The maximum number of failures: a fault on every page need not be reported a thousand times.
    private static let maximum = 20
    /// The time after which a step counts as hung. It is long, because concurrent tests share the processors.
    private static let patience = Duration.seconds(120)

    init(_ descriptor: AdapterDescriptor, subject: String) {
        adapter = descriptor.id
        self.subject = subject
    }

    func expect(_ isKept: Bool, _ message: @autoclosure () -> String) {
        if !isKept { fail(message()) }
    }

    func fail(_ message: String) {
        guard failures.count < Findings.maximum else { return }
        failures.append(ConformanceFailure(adapter: adapter, subject: subject, message: message))
    }

    /// Runs one step of a check. Errors and timeouts are failures.
    ///
    /// - Parameter what: a subject for messages: "opening it".
    /// - Returns: the result of `body`; nil after an error.
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
            fail("\(what) threw \(error.failureText)")
            return nil
        }
    }

    /// Runs one step that must fail with an `AdapterError` of a certain code.
    func expectError(
        _ code: AdapterError.Code, _ what: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            fail("\(what) succeeded, and should have thrown '\(code.rawValue)'")
        } catch {
            let actual = (error as? AdapterError)?.code
            expect(actual == code, "\(what) threw \(error.failureText), and should have thrown '\(code.rawValue)'")
        }
    }
}

extension Error {
    /// The text of the error for a message, with its code or its type.
    var failureText: String {
        if let error = self as? AdapterError { return "'\(error.code.rawValue)' (\(error))" }
        return "\(self), which is no AdapterError but a \(type(of: self))"
    }
}
