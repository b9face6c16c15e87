internal import AdapterKit
internal import Files
internal import PageModel
internal import Planning
internal import Synchronization

/// Pages that were converted before their volume was known. Their image files and attachments are in an unnamed temporary
/// file.
final class StoredPages: Sendable {
    /// The pages that were made of one page, without their bytes.
    private struct Stored: Sendable {
        var pages: [ConvertedPage] = []
        /// The places of the image file and of the attachment of each; nil for a page without them.
        var images: [Range<Int>?] = []
        var attachments: [Range<Int>?] = []
        var memory: Int { (images + attachments).reduce(0) { $0 + ($1?.count ?? 0) } }
    }

    private let file: SpoolFile
    /// Whether the output has an attachment in place of the image.
    private let replacesImages: Bool
    private let stored = Mutex<[Int: Stored]>([:])
    /// The bytes of pages in the output.
    private let sizes = Mutex<[Int: Int]>([:])

    init(beside destination: Destination, replacesImages: Bool) throws(AdapterError) {
        file = try SpoolFile(beside: destination)
        self.replacesImages = replacesImages
    }

    /// Stores the pages that were made of one page. Pages that are not image files are converted again, so they are not stored.
    func add(_ converted: [ConvertedPage], of page: Int) throws(AdapterError) {
        let all = converted.map(byteCount)
        if !all.contains(nil) { sizes.withLock { $0[page] = all.reduce(0) { $0 + ($1 ?? 0) } } }
        var own = Stored()
        for var page in converted {
            switch page.result?.content {
            case .encoded(var encoded):
                own.images.append(try place(of: encoded.bytes))
                encoded.bytes = []
                page.result?.content = .encoded(encoded)
            case nil: own.images.append(nil)
            case .raster, .document, .spread, .layered: return
            }
            own.attachments.append(try page.attachment.map { bytes throws(AdapterError) in try place(of: bytes) })
            page.attachment = nil
            own.pages.append(page)
        }
        stored.withLock { $0[page] = own }
    }

    /// Returns the bytes of a page in the output; nil if they are unknown.
    private func byteCount(_ page: ConvertedPage) -> Int? {
        guard let content = page.result?.content else { return 0 }
        guard let attachment = page.attachment?.count else { return content.byteCount }
        return replacesImages ? attachment : content.byteCount.map { $0 + attachment }
    }

    private func place(of bytes: [UInt8]) throws(AdapterError) -> Range<Int> {
        let start = try file.append(bytes)
        return start..<start + bytes.count
    }

    private func bytes(at place: Range<Int>) throws(AdapterError) -> [UInt8] {
        try file.read(at: place.lowerBound, count: place.count)
    }

    /// Returns the bytes in the output of the pages that were made of a page; nil if they are unknown.
    func byteCount(of page: Int) -> Int? { sizes.withLock { $0[page] } }

    /// Returns the bytes of memory that the pages made of a page take; nil if they are not stored.
    func memory(of page: Int) -> Int? { stored.withLock { $0[page]?.memory } }

    /// Returns the pages that were made of a page; nil if they are not stored.
    func pages(of page: Int) throws(AdapterError) -> [ConvertedPage]? {
        guard let own = stored.withLock({ $0[page] }) else { return nil }
        var pages = own.pages
        for index in pages.indices {
            if let place = own.images[index], case .encoded(var encoded)? = pages[index].result?.content {
                encoded.bytes = try bytes(at: place)
                pages[index].result?.content = .encoded(encoded)
            }
            if let place = own.attachments[index] { pages[index].attachment = try bytes(at: place) }
        }
        return pages
    }
}
