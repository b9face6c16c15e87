public import PageModel

/// The document pages that an output would copy, as a dry run finds them.
public struct PlannedCopies: Sendable {
    /// The pages in their order, each with the part that is shown. The run reports a page that cannot be copied.
    public var pages: [(page: DocumentPage, framing: Framing)] = []
    /// Whether each of them is a page of the output by itself.
    public var staysPages = true
    /// Whether the output also shows other content.
    public var showsOthers = false
    /// The books of all pages of the output, as `Page.book`.
    public var books: Set<Int> = []
    /// Whether recognized text of pages is written into the output.
    public var hasNewText = false

    public init() {}
}
