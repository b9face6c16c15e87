internal import AdapterKit
internal import Files
internal import PageModel
internal import Planning
internal import Synchronization

/// Pages that were converted before their volume was known. Their image files are in an unnamed temporary file.
final class StoredPages: Sendable {
    /// A page with the place of its image file; nil for a page that is converted again.
    private struct Stored: Sendable {
        var pages: [ConvertedPage]
        var places: [Range<Int>?]
        var byteCount: Int { places.reduce(0) { $0 + ($1?.count ?? 0) } }
    }

    private let file: SpoolFile
    private let stored = Mutex<[Int: Stored]>([:])

    init(beside destination: Destination) throws(AdapterError) {
        file = try SpoolFile(beside: destination)
    }

    /// Stores the pages that were made of one page. Pages that are not image files are not stored.
    func add(_ converted: [ConvertedPage], of page: Int) throws(AdapterError) {
        var own = Stored(pages: converted, places: [])
        for index in converted.indices {
            switch converted[index].result?.content {
            case .encoded(var encoded):
                let start = try file.append(encoded.bytes)
                own.places.append(start..<start + encoded.bytes.count)
                encoded.bytes = []
                own.pages[index].result?.content = .encoded(encoded)
            case nil: own.places.append(nil)
            case .raster, .document, .spread, .layered: return
            }
        }
        stored.withLock { $0[page] = own }
    }

    /// Returns the bytes of the images that were made of a page; nil if it is not stored.
    func byteCount(of page: Int) -> Int? { stored.withLock { $0[page]?.byteCount } }

    /// Returns the pages that were made of a page; nil if they are not stored.
    func pages(of page: Int) throws(AdapterError) -> [ConvertedPage]? {
        guard let own = stored.withLock({ $0[page] }) else { return nil }
        var pages = own.pages
        for (index, place) in own.places.enumerated() {
            guard let place, case .encoded(var encoded)? = pages[index].result?.content else { continue }
            encoded.bytes = try file.read(at: place.lowerBound, count: place.count)
            pages[index].result?.content = .encoded(encoded)
        }
        return pages
    }
}
