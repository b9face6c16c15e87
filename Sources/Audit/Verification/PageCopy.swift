internal import Imaging
internal import PageModel
internal import Planning

/// A copied page of a document, which must show the image of its source.
struct PageCopy: Sendable {
    /// The result of a comparison.
    struct Result {
        /// The digest of the copy's stored image, if it has one.
        var digest: String?
        var likeness: Verification.Likeness?
        /// The difference, in words that follow the page's name.
        var difference: Message?
        /// Whether the stored bytes differ, and not only the pixels.
        var isOfBytes = false
    }

    private let source: Picture
    private let copy: Picture
    private let renderer: Renderer

    init(of source: Picture, _ copy: Picture, _ renderer: Renderer) {
        (self.source, self.copy, self.renderer) = (source, copy, renderer)
    }

    /// Compares both pages. An equal image need not be decoded: it is as good or as damaged as the source's.
    ///
    /// - Returns: nil if the pages are read in different ways, so that their images are not comparable.
    func compared() async throws -> Result? {
        // Source options may leave an overlay out that the copied page has.
        guard source.removed == nil || source.document?.removed != nil else { return nil }
        // On other paper, the page is read in another way.
        let result = isOnOtherPaper ? nil : try await comparison()
        if result?.likeness == .identical { return try await imagesDiffer() ?? result }
        guard isOnOtherPaper || result?.difference != nil && hasCutOverlay else { return result }
        guard copy.imageDigest != nil, source.imageDigest != nil else { return nil }
        return try await imagesDiffer() ?? Result(digest: result?.digest, likeness: .decodes)
    }

    /// Whether the copy was laid on paper of another size than its source.
    private var isOnOtherPaper: Bool {
        guard let own = copy.paper, let other = source.paper else { return false }
        return own.mediaBox != other.mediaBox
    }

    /// Compares the images on both pages, with the data that give their samples a meaning.
    ///
    /// - Returns: nil if they are alike, or unknown.
    private func imagesDiffer() async throws -> Result? {
        guard let own = copy.imageDigest, let other = source.imageDigest,
            let (images, expected) = try await both(own, other), images != expected
        else { return nil }
        return Result(difference: "its images are not those of the source's page", isOfBytes: true)
    }

    private func comparison() async throws -> Result? {
        switch (copy.representations.first, source.representations.first) {
        case (.encoded(let own)?, .encoded(let other)?):
            guard let (file, original) = try await both(own.read, other.read) else {
                return Result(likeness: .asWritten)
            }
            let digest = SHA256.hexDigest(of: file.bytes)
            return file.bytes == original.bytes
                ? Result(digest: digest, likeness: .identical)
                : Result(digest: digest, difference: "its image is not that of the source's page", isOfBytes: true)
        case (.sampled(let own)?, .sampled(let other)?):
            return try await compared(own, other)
        case (.drawn(let own)?, .drawn(let other)?) where own.size == other.size:
            return try await compared(own, other)
        default:
            return nil
        }
    }

    /// Whether the copy shows less of an image with an overlay than its source. Only the visible part of an overlay is merged, if
    /// any is left, so that other pixels and blocks change.
    private var hasCutOverlay: Bool {
        guard let own = visible(copy), let other = visible(source) else { return false }
        return (own.isPatched || other.isPatched) && own.area < other.area
    }

    /// Returns the number of visible pixels of a page's image, and whether an overlay is merged into it.
    private func visible(_ picture: Picture) -> (area: Int, isPatched: Bool)? {
        switch picture.representations.first {
        case .encoded(let image)?: image.size.map { (image.pending.applied(to: $0).area, image.overlay != nil) }
        case .sampled(let image)?: (image.pending.applied(to: image.size).area, image.overlay != nil)
        default: nil
        }
    }

    private func compared(_ own: SampledPicture, _ other: SampledPicture) async throws -> Result {
        var digest: String?
        if let stored = own.readStored {
            let bytes = try await stored()
            digest = SHA256.hexDigest(of: bytes)
            if own.overlay == nil, let expected = other.readStored, try await expected() == bytes {
                return Result(digest: digest, likeness: .identical)
            }
        }
        try renderer.check(own.size)
        guard let (image, expected) = try await both(own.read, other.read) else {
            return Result(digest: digest, likeness: .asWritten)
        }
        return image.raster == expected.raster
            ? Result(digest: digest, likeness: .samePixels)
            : Result(digest: digest, difference: "its pixels differ from those of the source's page")
    }

    private func compared(_ own: DrawnPicture, _ other: DrawnPicture) async throws -> Result {
        guard
            let (drawing, expected) = try await both({ try await rendered(own) }, { try await rendered(other) })
        else { return Result(likeness: .asWritten) }
        return drawing.raster == expected.raster
            ? Result(likeness: .samePixels) : Result(difference: "does not look like the source's page")
    }

    /// The resolution of renderings that are compared, in pixels per inch. A smaller difference changes shades at the
    /// edges, and rendering both pages at their own resolution takes several times as long as converting them.
    private static let comparedResolution = 72.0

    private func rendered(_ picture: DrawnPicture) async throws -> DecodedImage {
        if let drawAt = picture.drawAt, picture.resolution > PageCopy.comparedResolution {
            return try await drawAt(PageCopy.comparedResolution)
        }
        try renderer.check(picture.size, isDrawn: true)
        return try await picture.draw()
    }

    /// Returns the content of the copy and of its source; nil if even the source's cannot be read.
    private func both<Content>(
        _ own: () async throws -> Content, _ other: () async throws -> Content
    ) async throws -> (Content, Content)? {
        let expected: Content
        do {
            expected = try await other()
        } catch {
            // Failures in an interrupted run are not caused by the page.
            try Task.checkCancellation()
            return nil
        }
        return (try await own(), expected)
    }
}
