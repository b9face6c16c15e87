internal import AdapterKit
public import PageModel

/// An option that was given and had no effect in a run.
public struct IdleOption: Hashable, Sendable {
    /// The name without the dashes.
    public var name: String
    /// The reason that it had no effect, as a sentence fragment.
    public var message: Message
    /// A hint on giving it an effect.
    public var advice: Message?

    public init(_ name: String, _ message: Message, advice: Message? = nil) {
        self.name = name
        self.message = message
        self.advice = advice
    }

    /// The message in one line.
    public var text: Message { 
        advice.map { "--\(name) did not apply: \(message); \($0)" } ?? "--\(name) did not apply: \(message)"
    }

    var json: JSON { ["option": .string(name), "message": JSON(message), "advice": JSON(advice)] }
}
