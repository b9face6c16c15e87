internal import AdapterKit
internal import Imaging
package import PageModel
internal import Synchronization

/// Images that several pages of an output show parts of, so that each is decoded once.
///
/// Such pages follow each other. So the last images are kept, as far as the memory allows.
package final class SharedImages: Sendable {
    private struct Kept {
        let file: [UInt8]
        let request: DecodeRequest
        let image: Task<DecodedImage, any Error>
    }

    /// Pages are converted several at a time: the next image is requested before the last page of an image is done.
    private static let count = 2
    /// The divisor of the memory for one page that gives the bytes of one kept image. With the default, that is a strip of
    /// 800 × 52,000 pixels in color.
    private static let memoryShare = 8

    private let shared: Set<Int>
    private let kept = Mutex<[Kept]>([])

    /// - Parameter pages: the pages of the output; the images of merged pages are those of their parts.
    package init(_ pages: [Page]) {
        let sources = pages.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }.compactMap(\.sourceID)
        let counts = Dictionary(sources.map { ($0, 1) }, uniquingKeysWith: +)
        shared = Set(counts.filter { $0.value > 1 }.map(\.key))
    }

    /// Whether other pages show parts of a page's images too.
    package func holdsImages(of page: Page) -> Bool {
        (page.parts.isEmpty ? [page] : page.parts).contains { $0.sourceID.map(shared.contains) ?? false }
    }

    /// Whether an image of so many bytes may be kept.
    static func mayKeep(bytes: Int, _ limits: Limits) -> Bool { bytes <= limits.memory / memoryShare }

    /// Returns the image in a file. Pages that need it at the same time wait for one decoder.
    ///
    /// - Throws: `PictureFault`.
    func image(in file: [UInt8], _ request: DecodeRequest) async throws -> DecodedImage {
        let image = kept.withLock { kept in
            if let known = kept.first(where: { $0.request == request && $0.file == file }) { return known.image }
            let image = Task { try PictureDecoder.decode(file, request) }
            kept = kept.suffix(SharedImages.count - 1) + [Kept(file: file, request: request, image: image)]
            return image
        }
        return try await image.value
    }
}
