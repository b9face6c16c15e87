internal import AdapterKit

/// An option that was given, and had no effect in a run.
public struct IdleOption: Hashable, Sendable {
    /// Without the dashes.
    public var name: String
    /// Why it did nothing, as half a sentence.
    public var message: String
    /// What would make it do something.
    public var advice: String?

    public init(_ name: String, _ message: String, advice: String? = nil) {
        self.name = name
        self.message = message
        self.advice = advice
    }

    /// One line for a person.
    public var text: String { "--\(name) did not apply: \(message)" + (advice.map { "; \($0)" } ?? "") }

    var json: JSON { ["option": .string(name), "message": .string(message), "advice": JSON(advice)] }
}
