internal import AdapterKit
internal import Imaging
internal import OrderedWork
internal import PageModel
internal import Planning
internal import Synchronization

/// The digests by which decision files identify the pages of a source. Each is computed once, even for several files.
///
/// They are digests of stored data wherever a source has such data. Reading takes little time, and the same images in
/// another container have the same digests.
final class SourcePageDigests: Sendable {
    private let known = Mutex<[Int: PageDigest?]>([:])
    private let limits: Limits
    private let budget: MemoryBudget

    /// - Parameters:
    ///   - limits: the limits for an image whose pixels are hashed.
    ///   - budget: the budget for the memory of all images in work.
    init(_ limits: Limits, _ budget: MemoryBudget) {
        self.limits = limits
        self.budget = budget
    }

    /// Returns nil for an unreadable page, and if nothing identifies the page.
    ///
    /// - Throws: `CancellationError`.
    @Sendable func digest(of page: Page) async throws -> PageDigest? {
        if let known = known.withLock({ $0[page.id] }) { return known }
        let digest: PageDigest?
        do {
            digest = try await self.digest(of: page.examine())
        } catch {
            try error.throwIfCancelled()
            // The run reads the page again, and reports its defects.
            digest = nil
        }
        known.withLock { $0[page.id] = .some(digest) }
        return digest
    }

    private func digest(of picture: Picture) async throws -> PageDigest? {
        let hasContent = picture.contentDigest != nil
        switch picture.representations.first {
        // Shapes over an image depend on options, and the bytes of a repaired or joined image on the version of jisui.
        case .encoded(let encoded) where encoded.overlay == nil && !(encoded.repair != nil && hasContent):
            return PageDigest(.image, hex: SHA256.hexDigest(of: try await encoded.read().bytes))
        case .sampled(let sampled):
            if let stored = sampled.readStored {
                return PageDigest(.stream, hex: SHA256.hexDigest(of: try await stored()))
            }
            guard !hasContent, sampled.overlay == nil else { break }
            return PageDigest(.pixels, hex: try await pixels(of: sampled).hex)
        case .encoded, .drawn, .joined, nil: break
        }
        guard let content = picture.contentDigest else { return nil }
        return PageDigest(.content, hex: try await content())
    }

    /// - Throws: `.tooLarge` for an image above the limits; the errors of the source.
    private func pixels(of sampled: SampledPicture) async throws -> PixelDigest {
        let memory = MemoryEstimate.decoding(.sampled(sampled)).total
        let renderer = Renderer(limits: limits)
        try renderer.check(sampled.size)
        try renderer.check(memory: memory)
        return try await budget.withReservation(for: memory) { PixelDigest(try await sampled.read().raster) }
    }
}
