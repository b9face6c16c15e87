public import PageModel

/// The book that a run reads, before its pages are selected and changed.
public struct SourceBook: Sendable {
    /// All pages of the input; with several inputs, those of all of them.
    public let pages: [Page]
    /// Computes the digest of a page. It returns nil for an unreadable page, or if nothing identifies the page, and throws
    /// only `CancellationError`.
    public let digest: @Sendable (Page) async throws -> PageDigest?

    public init(pages: [Page], digest: @escaping @Sendable (Page) async throws -> PageDigest?) {
        self.pages = pages
        self.digest = digest
    }
}

/// A digest that identifies a page of a source, as decision files store it.
public struct PageDigest: Hashable, Sendable {
    /// The data that a digest covers.
    public enum Cover: String, Sendable {
        /// The file of the page's image.
        case image
        /// The compressed bytes of the page's image, as its document contains them.
        case stream
        /// The pixels of an image that the source stores in another way.
        case pixels
        /// The content that the page paints.
        case content
    }

    /// The cover, a colon and the digest: "image:9f86d0…".
    public let text: String

    /// - Parameter hex: the SHA-256 in hexadecimal digits.
    public init(_ cover: Cover, hex: String) {
        text = "\(cover.rawValue):\(hex)"
    }

    /// Creates the digest that a file stores. A later version may know more covers.
    public init(text: String) {
        self.text = text
    }
}
