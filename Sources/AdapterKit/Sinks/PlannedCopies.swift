public import PageModel

/// What a dry run finds that an output would copy of documents.
public struct PlannedCopies: Sendable {
    /// The pages in their order, with what is shown of each. One that cannot be copied is told of in the run.
    public var pages: [(page: DocumentPage, framing: Framing)] = []
    /// Whether each of them is a page of the output by itself.
    public var staysPages = true
    /// Whether the output shows something besides them.
    public var showsOthers = false
    /// Whether text is read off pages, and written into the output.
    public var hasNewText = false

    public init() {}
}
