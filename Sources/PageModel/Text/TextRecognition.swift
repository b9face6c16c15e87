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

extension TextRecognition {
    /// Returns the recognition for parts of the page: the text of the whole page is recognized once.
    ///
    /// - Parameter count: the number of parts.
    public func shared(by count: Int) -> TextRecognition {
        guard let read else { return self }
        let reading = SharedReading(read, by: count)
        var shared = self
        shared.read = { try await reading.lines() }
        return shared
    }
}

/// The text that is recognized on a page which becomes several: it is recognized once for all of them.
private actor SharedReading {
    private let read: @Sendable () async throws -> [TextLine]
    /// The number of parts that have not requested it yet; then it is released.
    private var askers: Int
    private var task: Task<[TextLine], any Error>?

    init(_ read: @escaping @Sendable () async throws -> [TextLine], by askers: Int) {
        (self.read, self.askers) = (read, askers)
    }

    func lines() async throws -> [TextLine] {
        let reading = task ?? Task { [read] in try await read() }
        askers -= 1
        task = askers > 0 ? reading : nil
        return try await withTaskCancellationHandler {
            try await reading.value
        } onCancel: {
            reading.cancel()
        }
    }
}
