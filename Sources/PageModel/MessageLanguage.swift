/// A language for messages in files that people read.
///
/// Lines in a terminal need none: the program that prints them translates them.
public struct MessageLanguage: Sendable {
    /// The tag of the language (BCP 47), for documents: "ja".
    public let tag: String
    private let translation: @Sendable (String) -> String

    /// The language of the messages' patterns.
    public static let english = MessageLanguage(tag: "en") { $0 }

    /// - Parameter translation: returns the translation of a pattern, or the pattern itself if it has none.
    public init(tag: String, translation: @escaping @Sendable (String) -> String) {
        (self.tag, self.translation) = (tag, translation)
    }

    /// Returns the text of a message in this language.
    public func text(_ message: Message) -> String { message.text(translation) }
}
