public import PageModel

/// The book that a run reads, before its pages are selected and changed.
public struct SourceBook: Sendable {
    /// All pages of the input; with several inputs, those of all of them.
    public let pages: [Page]
    private let digest: @Sendable (Page) async throws -> PageDigest?

    /// - Parameter digest: computes the digest of a page. It returns nil for an unreadable page, or if nothing identifies
    ///   the page, and throws only `CancellationError`.
    public init(pages: [Page], digest: @escaping @Sendable (Page) async throws -> PageDigest?) {
        self.pages = pages
        self.digest = digest
    }

    /// Returns the digests of pages by their numbers. Pages without a digest are missing.
    ///
    /// - Parameters:
    ///   - numbers: the pages, as `Page.sourceID`.
    ///   - width: the maximum number of pages read at once.
    func digests(of numbers: Set<Int>, width: Int) async throws -> [Int: PageDigest] {
        var digests: [Int: PageDigest] = [:]
        try await forEachInOrder(pages.filter { numbers.contains($0.id) }, width: width) { page in
            (page.id, try await digest(page))
        } body: { number, digest in
            digests[number] = digest
        }
        return digests
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
    let text: String

    /// - Parameter hex: the SHA-256 in hexadecimal digits.
    public init(_ cover: Cover, hex: String) {
        text = "\(cover.rawValue):\(hex)"
    }

    /// Creates the digest that a file stores. A later version may know more covers.
    init(text: String) {
        self.text = text
    }

    /// Whether the two cover the same kind of data. Otherwise they do not show whether the pages are the same: options, and
    /// the file format of the book, decide which data a source has.
    func isComparable(to other: PageDigest) -> Bool {
        func cover(_ digest: PageDigest) -> Substring { digest.text.prefix { $0 != ":" } }
        return cover(self) == cover(other)
    }
}
