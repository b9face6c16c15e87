/// A promise that an adapter did not keep.
public struct ConformanceFailure: Error, Hashable, Sendable {
    /// The adapter's id.
    public var adapter: String
    /// What it was given: the path of an input, or what kind of book.
    public var subject: String
    /// What it did, and what it should have done.
    public var message: String

    public init(adapter: String, subject: String, message: String) {
        self.adapter = adapter
        self.subject = subject
        self.message = message
    }
}

extension ConformanceFailure: CustomStringConvertible {
    public var description: String { "\(adapter) given \(subject): \(message)" }
}
