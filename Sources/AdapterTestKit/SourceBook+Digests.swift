public import AdapterKit
public import PageModel

extension SourceBook {
    /// Creates a book whose pages have the given digests of their images, one for each page. It stands for the book of a
    /// run in the tests of decision files.
    ///
    /// - Parameter imageDigests: texts in place of digests; nil for a run that does not state its book.
    public init?(_ pages: [Page], imageDigests: [String]?) {
        guard let imageDigests else { return nil }
        let ids = pages.map(\.id)
        self.init(pages: pages) { page in
            ids.firstIndex(of: page.id).map { PageDigest(.image, hex: imageDigests[$0]) }
        }
    }
}
