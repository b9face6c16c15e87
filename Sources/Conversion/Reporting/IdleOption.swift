internal import AdapterKit

/// An option that was given and had no effect in a run.
public struct IdleOption: Hashable, Sendable {
    /// The name without the dashes.
    public var name: String
    /// The reason that it had no effect, as a sentence fragment.
    public var message: String
    /// A hint on giving it an effect.
    public var advice: String?

    public init(_ name: String, _ message: String, advice: String? = nil) {
        self.name = name
        self.message = message
        self.advice = advice
    }

    /// The message in one line.
    public var text: String { "--\(name) did not apply: \(message)" + (advice.map { "; \($0)" } ?? "") }

    var json: JSON { ["option": .string(name), "message": .string(message), "advice": JSON(advice)] }
}
