internal import PageModel
internal import Synchronization

/// A cache of examined page images, so that each is examined once.
///
/// Transforms and the run itself examine the same pages repeatedly. The cached value is small; beyond a limit, pages are examined
/// again.
final class ExaminationCache: Sendable {
    private let pictures = Mutex<[Int: Picture]>([:])
    /// The maximum number of cached pages.
    let capacity: Int

    /// - Parameter capacity: the maximum number of cached pages, at about a kilobyte each.
    init(capacity: Int = 8192) {
        self.capacity = capacity
    }

    /// Returns the pages, which cache their images from the first examination on. Copies of a page share the cache.
    ///
    /// - Precondition: no two pages have the same `id`.
    func remembering(_ pages: [Page]) -> [Page] {
        pages.map { page in
            var copy = page
            copy.examine = { [examine = page.examine, id = page.id] in
                if let known = self.pictures.withLock({ $0[id] }) { return known }
                var picture = try await examine()
                picture.imageID = id
                self.pictures.withLock { if $0.count < self.capacity { $0[id] = picture } }
                return picture
            }
            return copy
        }
    }
}
