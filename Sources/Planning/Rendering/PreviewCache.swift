package import AdapterKit
internal import PageModel
internal import Synchronization

/// An image that is reduced before any edits.
typealias ReducedImage = (image: DecodedImage, reduction: Int, size: PixelSize, orientation: Orientation)

/// A cache of reduced images, so that several analyses of one book decode each image once.
///
/// Each analysis requests all pages in their order. A full cache that removed its oldest image would remove each one
/// shortly before the next analysis requests it. Therefore this cache keeps its first images, and stores no others when
/// it is full.
package final class PreviewCache: Sendable {
    /// An image, and everything that decides about its reduced pixels.
    struct Key: Hashable {
        private let image: Int
        private let representation: Int
        private let reduction: Int
        /// Nil for a grayscale JPEG, in which brightness and ink are the same samples.
        private let meaning: SampleMeaning?

        /// - Parameters:
        ///   - place: the index of the representation in the image.
        ///   - pixels: the minimum of the shorter side.
        /// - Returns: nil if the image cannot be recognized again.
        init?(_ picture: Picture, at place: Int, pixels: Int, as meaning: SampleMeaning) {
            let representation = picture.representations[place]
            guard let image = picture.imageID, let reduction = Renderer.reduction(of: representation, pixels) else {
                return nil
            }
            (self.image, self.representation, self.reduction) = (image, place, reduction)
            if case .encoded(let file) = representation, file.encoding == .jpeg, file.isGray {
                self.meaning = nil
            } else {
                self.meaning = meaning
            }
        }
    }

    private let state: Mutex<(images: [Key: ReducedImage], freeBytes: Int)>

    /// - Parameter bytes: the maximum number of bytes of all samples.
    init(bytes: Int) {
        state = Mutex(([:], bytes))
    }

    /// Creates a cache for a run that looks at pages several times; nil for a run that does not.
    ///
    /// - Parameters:
    ///   - passes: the passes of the run. Passes that add edits without an analysis do not count.
    ///   - otherAnalyses: the number of other analyses.
    package convenience init?(for passes: [Pass], otherAnalyses: Int, _ limits: Limits) {
        guard passes.count(where: \.edits.isEmpty) + otherAnalyses > 1 else { return nil }
        self.init(bytes: min(PreviewCacheLimits.bytes, limits.memory / PreviewCacheLimits.memoryShare))
    }

    /// Returns a cached image, or decodes and stores it.
    func image(_ key: Key?, _ decode: () async throws -> ReducedImage) async rethrows -> ReducedImage {
        guard let key else { return try await decode() }
        if let known = state.withLock({ $0.images[key] }) { return known }
        let image = try await decode()
        state.withLock { state in
            let bytes = image.image.raster.samples.count
            guard state.images[key] == nil, bytes <= state.freeBytes else { return }
            state.images[key] = image
            state.freeBytes -= bytes
        }
        return image
    }
}

/// The limits of the cache of previews.
enum PreviewCacheLimits {
    /// The maximum number of bytes: about 120 pages of 600 × 900 pixels.
    static let bytes = 64 << 20
    /// The divisor of the memory that the work on one page may take. The default for that allows 64 MB.
    static let memoryShare = 15
}
