/// The recognition of a page's text from its image.
public struct TextRecognition: Sendable {
    /// The statement for reports: `.textRecognized`, or `.ownText` for a page that keeps its text.
    public var note: Note
    /// Whether the recognized text replaces the page's own invisible text.
    public var replacesInvisible = false
    /// Reads the text from the image, without the words of the page's own text that stays; nil for a page that keeps its
    /// text. See `Page.text`.
    ///
    /// It gets the page with all its edits, because text is recognized from the image that `Page.legible` shows. The lines
    /// still refer to the page before its edits.
    public var read: (@Sendable (_ page: Page) async throws -> [TextLine])?

    public init(
        _ note: Note, replacesInvisible: Bool = false,
        read: (@Sendable (_ page: Page) async throws -> [TextLine])? = nil
    ) {
        (self.note, self.replacesInvisible, self.read) = (note, replacesInvisible, read)
    }
}

extension TextRecognition {
    /// Returns the recognition for parts of the page: the text of the whole page is recognized once. Parts that are made legible
    /// have an image of their own.
    ///
    /// - Parameter count: the number of parts.
    public func shared(by count: Int) -> TextRecognition {
        guard let read else { return self }
        let reading = SharedReading(read, by: count)
        var shared = self
        shared.read = { try await $0.legible == nil ? reading.lines(of: $0) : read($0) }
        return shared
    }
}

extension Page {
    /// The page up to the last operation that makes it legible; nil without one. The edits after it are for looks.
    public var legible: Page? {
        guard let last = edits.lastIndex(where: { $0.operation?.makesLegible == true }) else { return nil }
        var page = self
        page.edits = Array(edits[...last])
        return page
    }
}

/// The text that is recognized on a page which becomes several: it is recognized once for all of them.
private actor SharedReading {
    private let read: @Sendable (_ page: Page) async throws -> [TextLine]
    /// The number of parts that have not requested it yet; then it is released.
    private var askers: Int
    private var task: Task<[TextLine], any Error>?

    init(_ read: @escaping @Sendable (_ page: Page) async throws -> [TextLine], by askers: Int) {
        (self.read, self.askers) = (read, askers)
    }

    /// - Parameter part: any part of the page.
    func lines(of part: Page) async throws -> [TextLine] {
        let reading = task ?? Task { [read] in try await read(part) }
        askers -= 1
        task = askers > 0 ? reading : nil
        return try await withTaskCancellationHandler {
            try await reading.value
        } onCancel: {
            reading.cancel()
        }
    }
}
