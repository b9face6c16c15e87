internal import PageModel
internal import Synchronization

/// Remembers what pages' pictures were found to be, so that each is examined once.
///
/// Transforms and the run itself ask for the same pages again and again. What is remembered is a small value a page; beyond
/// a bound, pages are simply examined again.
final class Examinations: Sendable {
    private let pictures = Mutex<[Int: Picture]>([:])
    private let most: Int

    /// - Parameter most: of how many pages the pictures are remembered, at about a kilobyte each.
    init(most: Int = 8192) {
        self.most = most
    }

    /// The pages, with their pictures remembered from the first examination on. Copies of a page share it.
    ///
    /// - Precondition: no two pages have the same `id`.
    func remembering(_ pages: [Page]) -> [Page] {
        pages.map { page in
            var copy = page
            copy.examine = { [examine = page.examine, id = page.id] in
                if let known = self.pictures.withLock({ $0[id] }) { return known }
                let picture = try await examine()
                self.pictures.withLock { if $0.count < self.most { $0[id] = picture } }
                return picture
            }
            return copy
        }
    }
}
