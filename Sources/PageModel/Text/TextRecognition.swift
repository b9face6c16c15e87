/// The recognition of a page's text from its image.
public struct TextRecognition: Sendable {
    /// The statement for reports: `.textRecognized`, or `.ownText` for a page that keeps its text.
    public var note: Note
    /// Whether the recognized text replaces the page's own invisible text.
    public var replacesInvisible = false
    /// Reads the text from the image, without the words of the page's own text that stays; nil for a page that keeps its
    /// text. See `Page.text`.
    public var read: (@Sendable () async throws -> [TextLine])?

    public init(
        _ note: Note, replacesInvisible: Bool = false, read: (@Sendable () async throws -> [TextLine])? = nil
    ) {
        (self.note, self.replacesInvisible, self.read) = (note, replacesInvisible, read)
    }
}
