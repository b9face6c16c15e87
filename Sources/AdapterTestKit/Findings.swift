package import AdapterKit
internal import PageModel

/// A promise of the adapter protocols that an adapter broke.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The adapter's id, as in its descriptor.
    public var adapter: String
    /// The input of the adapter: a path, or a description of a book.
    public var subject: String
    /// The adapter's fault, as a sentence fragment.
    public var message: String

    public var description: String { "\(adapter) given \(subject): \(message)" }
}

/// An observer of an adapter that works in other processes.
///
/// It reports faults that the adapter's results do not show, such as the crash of a process that was replaced.
public protocol AdapterWatch: Sendable {
    /// Returns the faults since the last call.
    func newFaults() -> [AdapterFault]

    /// The memory in bytes and the open files of the adapter's newest process; nil without a process.
    var usage: (memory: Int, files: Int)? { get }
}

/// A fault of an adapter that its results do not show.
public struct AdapterFault: Hashable, Sendable {
    /// The consequence of a fault for a check.
    public enum Severity: Hashable, Sendable {
        /// It counts only if the input is intact.
        case excusedByDamage
        case ordinary
        /// It would repeat, or take long, with each further step.
        case final
    }

    public var severity: Severity
    /// The fault, as a sentence fragment: "it was ended by signal 11".
    public var message: String

    public init(_ severity: Severity = .ordinary, _ message: String) {
        self.severity = severity
        self.message = message
    }
}

/// An adapter under judgment: how its steps are run, and the promises that it broke with one subject.
///
/// It is a class, because all parts of a check add to the same list.
package final class Findings {
    private let adapter: String
    private let subject: String
    /// The observer of an adapter that works in other processes; nil for one in this process.
    let watch: (any AdapterWatch)?
    package private(set) var failures: [ConformanceFailure] = []
    /// Whether further steps are useless.
    private(set) var isOver = false
    private var known: Set<String> = []

    /// The maximum number of failures: a fault on every page need not be reported a thousand times.
    private static let maximum = 20
    /// The time after which a step counts as hung. It is long, because concurrent tests share the processors.
    private static let patience = Duration.seconds(120)

    package init(_ descriptor: AdapterDescriptor, subject: String, _ watch: (any AdapterWatch)? = nil) {
        adapter = descriptor.id
        self.subject = subject
        self.watch = watch
    }

    /// Whether a fault was found that each further process would repeat.
    var mayStop: Bool { isOver || watch != nil && !failures.isEmpty }

    package func expect(_ isKept: Bool, _ message: @autoclosure () -> String) {
        guard !isKept, !isOver, failures.count < Findings.maximum else { return }
        failures.append(ConformanceFailure(adapter: adapter, subject: subject, message: message()))
    }

    /// Adds the faults that were observed during a step.
    ///
    /// - Parameter isDamaged: whether the input is damaged.
    /// - Returns: whether there are any.
    @discardableResult
    package func addFaults(_ what: String, isDamaged: Bool = false) -> Bool {
        let faults = (watch?.newFaults() ?? []).filter { !isDamaged || $0.severity != .excusedByDamage }
        // The same fault of every process is reported once.
        for fault in faults where known.insert(fault.message).inserted { expect(false, "\(what): \(fault.message)") }
        if faults.contains(where: { $0.severity == .final }) { isOver = true }
        return !faults.isEmpty
    }

    /// Runs one step of a check. Errors and timeouts are failures.
    ///
    /// - Parameters:
    ///   - what: a subject for messages: "opening it".
    ///   - isDamaged: whether the input is damaged.
    /// - Returns: the result of `body`; nil after an error.
    @discardableResult
    package func attempt<Result>(
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
            if !addFaults(what, isDamaged: isDamaged) { expect(false, "\(what) threw \(error.failureText)") }
            return nil
        }
    }

    /// Runs one step that may fail with an `AdapterError` of a certain code.
    ///
    /// - Returns: whether it failed so; nil after another error.
    func isRefused(
        _ code: AdapterError.Code = .tooLarge, _ what: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async -> Bool? {
        await attempt(what) {
            do {
                try await body()
                return false
            } catch let error as AdapterError where error.code == code {
                return true
            }
        }
    }

    /// Runs one step that must fail with an `AdapterError` of a certain code.
    func expectError(
        _ code: AdapterError.Code, _ what: String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async {
        let isKept = await isRefused(code, what, body)
        expect(isKept != false, "\(what) succeeded, and should have thrown '\(code.rawValue)'")
    }
}

extension Error {
    /// The text of the error for a message, with its code or its type.
    var failureText: String {
        if let error = self as? AdapterError { return "'\(error.code.rawValue)' (\(error.explanation))" }
        return "\(self), which is no AdapterError but a \(type(of: self))"
    }
}
