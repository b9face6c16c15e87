internal import AdapterKit
internal import Imaging
package import PageModel
internal import Synchronization

/// Images that several pages of an output show parts of, so that each is decoded once.
///
/// Such pages follow each other. So the last images are kept, as far as the memory allows, until their last page is converted.
package final class SharedImages: Sendable {
    private struct Kept {
        let file: [UInt8]
        let request: DecodeRequest
        let image: Task<DecodedImage, any Error>
        /// The source pages of the pages that asked for the image.
        var sources: Set<Int>
    }

    private struct State {
        /// The number of pages of each shared source page that are not converted yet.
        var left: [Int: Int]
        var kept: [Kept] = []
    }

    /// The images that one page shares with others.
    package struct OfPage: Sendable {
        fileprivate let all: SharedImages
        fileprivate let sources: Set<Int>

        /// Returns the image in a file. Pages that need it at the same time wait for one decoder. After a failure, the next page
        /// tries again.
        ///
        /// - Throws: `PictureFault`.
        func image(in file: [UInt8], _ request: DecodeRequest) async throws -> DecodedImage {
            let image = all.image(in: file, request, sources)
            do {
                return try await image.value
            } catch {
                all.state.withLock { $0.kept.removeAll { $0.image == image } }
                throw error
            }
        }
    }

    /// Pages are converted several at a time: the next image is requested before the last page of an image is done.
    private static let count = 2
    /// The divisor of the memory for one page that gives the bytes of one kept image. With the default, that is a strip of
    /// 800 × 52,000 pixels in color.
    private static let memoryShare = 8

    private let shared: Set<Int>
    private let state: Mutex<State>

    /// - Parameter pages: the pages of the output; the images of merged pages are those of their parts.
    package init(_ pages: [Page]) {
        let sources = pages.flatMap(SharedImages.sources)
        let counts = Dictionary(sources.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }
        shared = Set(counts.keys)
        state = Mutex(State(left: counts))
    }

    /// Returns the images that a page shares with other pages; nil if no other page shows parts of its images.
    package func images(of page: Page) -> OfPage? {
        let sources = shared.intersection(SharedImages.sources(of: page))
        return sources.isEmpty ? nil : OfPage(all: self, sources: sources)
    }

    /// Drops the images that no other page needs after a page is converted.
    package func finish(_ page: Page) {
        state.withLock { state in
            for source in SharedImages.sources(of: page) { state.left[source]? -= 1 }
            let left = state.left
            state.kept.removeAll { $0.sources.allSatisfy { left[$0, default: 0] <= 0 } }
        }
    }

    /// Whether an image of so many bytes may be kept.
    static func mayKeep(bytes: Int, _ limits: Limits) -> Bool { bytes <= limits.memory / memoryShare }

    private func image(
        in file: [UInt8], _ request: DecodeRequest, _ sources: Set<Int>
    ) -> Task<DecodedImage, any Error> {
        state.withLock { state in
            if let known = state.kept.firstIndex(where: { $0.request == request && $0.file == file }) {
                state.kept[known].sources.formUnion(sources)
                return state.kept[known].image
            }
            let image = Task { try PictureDecoder.decode(file, request) }
            state.kept =
                state.kept.suffix(SharedImages.count - 1)
                + [Kept(file: file, request: request, image: image, sources: sources)]
            return image
        }
    }

    private static func sources(of page: Page) -> [Int] {
        (page.parts.isEmpty ? [page] : page.parts).compactMap(\.sourceID)
    }
}
