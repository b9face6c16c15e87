internal import AdapterKit

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
