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
    private let watch: (any AdapterWatch)?
    private(set) var failures: [ConformanceFailure] = []
    /// Whether further steps are useless.
    private(set) var isOver = false
    private var known: Set<String> = []

    /// The maximum number of failures: a fault on every page need not be reported a thousand times.
    private static let maximum = 20
    /// The time after which a step counts as hung. It is long, because concurrent tests share the processors.
    private static let patience = Duration.seconds(120)

    init(_ descriptor: AdapterDescriptor, subject: String, _ watch: (any AdapterWatch)? = nil) {
        adapter = descriptor.id
        self.subject = subject
        self.watch = watch
    }

    func expect(_ isKept: Bool, _ message: @autoclosure () -> String) {
        if !isKept { fail(message()) }
    }

    func fail(_ message: String) {
        guard !isOver, failures.count < Findings.maximum else { return }
        failures.append(ConformanceFailure(adapter: adapter, subject: subject, message: message))
    }

    /// Adds the faults that were observed during a step.
    ///
    /// - Parameter isDamaged: whether the input is damaged.
    /// - Returns: whether there are any.
    @discardableResult
    func addFaults(_ what: String, isDamaged: Bool = false) -> Bool {
        let faults = (watch?.newFaults() ?? []).filter { !isDamaged || $0.severity != .excusedByDamage }
        // The same fault of every process is reported once.
        for fault in faults where known.insert(fault.message).inserted { fail("\(what): \(fault.message)") }
        if faults.contains(where: { $0.severity == .final }) { isOver = true }
        return !faults.isEmpty
    }

    /// Runs one step of a check. Errors and timeouts are failures.
    ///
    /// - Parameters:
    ///   - what: a subject for messages: "opening it".
    ///   - isDamaged: whether the input is damaged.
    /// - Returns: the result of `body`; nil after an error.
    func attempt<Result>(
        _ what: String, isDamaged: Bool = false, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async -> Result? {
        guard !isOver else { return nil }
        let start = ContinuousClock.now
        defer {
            let taken = ContinuousClock.now - start
            expect(taken < Findings.patience, "\(what) took \(taken)")
        }
        do {
            let result = try await body()
            addFaults(what, isDamaged: isDamaged)
            return result
        } catch {
            // An observed fault is the cause of the error.
            if !addFaults(what, isDamaged: isDamaged) { fail("\(what) threw \(error.failureText)") }
            return nil
        }
    }

    /// Runs one step that must fail with an `AdapterError` of a certain code.
    func expectError(
        _ code: AdapterError.Code, _ what: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async {
        guard !isOver else { return }
        do {
            try await body()
            if !addFaults(what) { fail("\(what) succeeded, and should have thrown '\(code.rawValue)'") }
        } catch {
            addFaults(what)
            let actual = (error as? AdapterError)?.code
            expect(actual == code, "\(what) threw \(error.failureText), and should have thrown '\(code.rawValue)'")
        }
    }
}

extension Error {
    /// The text of the error for a message, with its code or its type.
    var failureText: String {
        if let error = self as? AdapterError { return "'\(error.code.rawValue)' (\(error.explanation))" }
        return "\(self), which is no AdapterError but a \(type(of: self))"
    }
}
