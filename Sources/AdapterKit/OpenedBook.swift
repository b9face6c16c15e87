public import PageModel

/// A book as its source lists it.
public struct OpenedBook: Sendable {
    public var sequence: PageSequence
    /// What is wrong with the input although its pages can be read.
    public var warnings: [Warning]
    /// The names of files and entries that are no pages: junk, texts, thumbnails.
    public var skipped: [String]

    public init(sequence: PageSequence, warnings: [Warning] = [], skipped: [String] = []) {
        self.sequence = sequence
        self.warnings = warnings
        self.skipped = skipped
    }
}
