public import Files
public import PageModel

/// A sink that can put several books into one output, each added by itself.
public protocol CollectingSink: SinkAdapter {
    /// The flag that requests it. With it the output's form is `collection`.
    var collectionFlag: Setting { get }

    /// Opens an output of several books; nil if the settings make each book an output.
    ///
    /// - Parameter settings: the settings of the output as a whole.
    /// - Throws: `.usage` for invalid settings.
    func collection(
        at destination: Destination, _ settings: Settings
    ) throws(AdapterError) -> (any BookCollection)?
}

/// A sink whose output has a place for the same book in other formats. Its sessions are `AccompaniedSession`s.
public protocol AccompaniedSink: SinkAdapter {
    /// Returns the ids of the sinks whose output of the same book is part of this one's. Their files are in its folder.
    ///
    /// - Throws: `.usage` for invalid settings.
    func formatsAlongside(_ settings: Settings) throws(AdapterError) -> [String]
}

/// A session of an `AccompaniedSink`.
public protocol AccompaniedSession: SinkSession {
    /// Returns the destination for the output of an accompanying sink. It exists before `finish` is called.
    func destination(alongside sink: AdapterDescriptor) -> Destination?
}

/// A sink that stores data of its own with a page, such as a thumbnail.
public protocol AttachingSink: SinkAdapter {
    /// Whether the output has the attachment of a page in place of its image.
    var attachmentReplacesImage: Bool { get }

    /// Makes data that accompanies a page and needs no other page; nil for no data.
    ///
    /// It is called for several pages at once, on any task, before they are added in their order. Slow work should
    /// therefore be done here. The result becomes the page's `attachment`.
    func attachment(for page: FinishedPage.Content, _ request: SinkRequest) -> [UInt8]?

    /// Returns the bytes of memory needed to make an image's attachment. The value is an estimate.
    ///
    /// - Parameter picture: the image as it comes to the sink. Its bytes are not yet available.
    func attachmentMemory(_ picture: EncodedPicture, _ request: SinkRequest) -> Int
}

extension AttachingSink {
    public var attachmentReplacesImage: Bool { false }
}

/// A sink that copies pages of documents whole, with losses of its own.
public protocol CopyingSink: SinkAdapter {
    /// Returns the losses of planned copies of document pages, for a dry run, which begins no session; a session
    /// reports them itself.
    func warnings(forCopying planned: PlannedCopies, _ request: SinkRequest) -> [Warning]
}

/// The document pages that an output would copy, as a dry run finds them.
public struct PlannedCopies: Sendable {
    /// The pages in their order, each with the part that is shown. The run reports a page that cannot be copied.
    public var pages: [(page: DocumentPage, framing: Framing)] = []
    /// The document pages that the output shows as images.
    public var images: [DocumentPage] = []
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
