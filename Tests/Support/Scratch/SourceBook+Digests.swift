public import AdapterKit
public import PageModel

extension SourceBook {
    /// Creates the book of a run in the tests of decision files, from texts in place of the digests of its pages' images.
    /// Returns nil without them, as for a run that does not state its book.
    public init?(_ pages: [Page], imageDigests: [String]?) {
        guard let imageDigests else { return nil }
        let digests = Dictionary(zip(pages.map(\.id), imageDigests)) { first, _ in first }
        self.init(pages: pages) { page in digests[page.id].map { PageDigest(.image, hex: $0) } }
    }
}
