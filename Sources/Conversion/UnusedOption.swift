public import PageModel

/// An option that was given and had no effect in a run.
public struct UnusedOption: Hashable, Sendable {
    /// The code of the note on such an option.
    public static let code = "unused-option"
    /// A password for inputs that open without one.
    public static let passwordFile = UnusedOption("password-file", "the input opens without a password")

    /// The name without the dashes.
    public var name: String
    /// The reason that it had no effect, as a sentence fragment.
    public var message: Message
    /// A hint on giving it an effect.
    public var hint: Message?

    public init(_ name: String, _ message: Message, hint: Message? = nil) {
        (self.name, self.message, self.hint) = (name, message, hint)
    }

    /// The message in one line.
    public var text: Message {
        hint.map { "--\(name) did not apply: \(message); \($0)" } ?? "--\(name) did not apply: \(message)"
    }
}
