package import AdapterKit
internal import PageModel

/// A promise of the adapter protocols that an adapter broke. A check of a conforming adapter returns none.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The adapter's id, as in its descriptor.
    public var adapter: String
    /// The input of the adapter: a path, or a description of a book.
    public var subject: String
    /// The adapter's fault, as a sentence fragment.
    public var message: String

    public var description: String { "\(adapter) given \(subject): \(message)" }
}

/// An observer of an adapter that works in other processes, whose crashes no result shows.
public protocol AdapterWatch: Sendable {
    /// Receives the error of a step.
    func failed(_ error: any Error)

    /// Returns the faults since the last call.
    func newFaults() -> [AdapterFault]

    /// The memory in bytes and the open files of the adapter's newest process; nil without a process.
    var usage: (memory: Int, files: Int)? { get }
}

/// A fault of an adapter that an observer saw.
public struct AdapterFault: Hashable, Sendable {
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
        (self.severity, self.message) = (severity, message)
    }
}

/// An adapter under judgment: how its steps are run, and the promises that it broke with one subject.
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
    /// The time after which a step counts as hung. It is long, because tests share slow processors with other work.
    private static let patience = Duration.seconds(600)

    package init(_ descriptor: AdapterDescriptor, subject: String, _ watch: (any AdapterWatch)? = nil) {
        (adapter, self.subject, self.watch) = (descriptor.id, subject, watch)
    }

    /// Whether a fault was found that each further process would repeat.
    var mayStop: Bool { isOver || watch != nil && !failures.isEmpty }

    package func expect(_ isKept: Bool, _ message: @autoclosure () -> String) {
        guard !isKept, !isOver, failures.count < Findings.maximum else { return }
        failures.append(ConformanceFailure(adapter: adapter, subject: subject, message: message()))
    }

    /// Adds the faults that were observed during a step; returns whether there are any.
    @discardableResult
    package func addFaults(_ what: String, isDamaged: Bool = false) -> Bool {
        let faults = (watch?.newFaults() ?? []).filter { !isDamaged || $0.severity != .excusedByDamage }
        // The same fault of every process is reported once.
        for fault in faults where known.insert(fault.message).inserted { expect(false, "\(what): \(fault.message)") }
        if faults.contains(where: { $0.severity == .final }) { isOver = true }
        return !faults.isEmpty
    }

    /// Runs one step of a check. Errors and timeouts are failures. `what` is a subject for messages: "opening it".
    @discardableResult
    package func attempt<Result>(
        _ what: String, isDamaged: Bool = false, _ body: () async throws -> Result
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
            watch?.failed(error)
            // An observed fault is the cause of the error.
            if !addFaults(what, isDamaged: isDamaged) { expect(false, "\(what) threw \(error.failureText)") }
            return nil
        }
    }

    /// Runs one step that may fail with a certain code, or must. Returns whether it did; nil after another error.
    @discardableResult
    func isRefused<Result>(
        _ what: String, as code: AdapterError.Code = .tooLarge, must: Bool = false, _ body: () async throws -> Result
    ) async -> Bool? {
        await attempt(what) {
            do {
                _ = try await body()
                expect(!must, "\(what) succeeded, and should have thrown '\(code.rawValue)'")
                return false
            } catch let error as AdapterError where error.code == code {
                return true
            }
        }
    }
}

extension Error {
    var failureText: String {
        if let error = self as? AdapterError { return "'\(error.code.rawValue)' (\(error.explanation))" }
        return "\(self), which is no AdapterError but a \(type(of: self))"
    }
}
