public import AdapterKit
internal import Conversion
internal import Imaging
public import PageModel
internal import Planning

/// A reader of pages as they are shown, for comparisons of books.
///
/// Like a conversion, it uses the least lossy representation of each page.
public struct PageReader: Sendable {
    /// The properties of a page that are known without decoding its image.
    public struct Stored: Hashable, Sendable {
        /// The size as shown, if it is known.
        public let size: PixelSize?
        /// A digest of the image file and of the part that is shown. It is equal for pages that show the same file in the same
        /// way, also in different containers. Nil if the page has no image file.
        public let digest: String?
    }

    private let renderer: Renderer

    public init(limits: Limits = Limits()) {
        renderer = Renderer(limits: limits)
    }

    /// Reads a page without decoding it. A JPEG XL that contains a JPEG counts as that JPEG.
    ///
    /// - Throws: the errors of the source.
    public func stored(_ page: Page) async throws -> Stored {
        let (picture, representation) = try await PageReader.image(of: page)
        guard case .encoded(let encoded) = representation else {
            return Stored(size: try Planner.operations(representation, page)?.size ?? picture.size, digest: nil)
        }
        var bytes = try await encoded.read().bytes
        // Some formats state their orientation only at their end.
        let orientation = PictureHeader(bytes)?.orientation ?? encoded.orientation
        let operations = try Planner.operations(representation, page)?.oriented(orientation)
        if encoded.holdsJPEG, let jpeg = try? JXLReconstruction.jpeg(of: bytes) { bytes = jpeg }
        return Stored(
            size: operations?.size ?? picture.size,
            digest: operations.map { PageReader.digest(bytes, $0.framing) } ?? SHA256.hexDigest(of: bytes))
    }

    /// Returns the digest that a page has if it holds the JPEG of this page, cropped and rotated without decoding. Nil if the page
    /// shows a file as it is, or has no such JPEG.
    ///
    /// - Throws: the errors of the source.
    public func losslessDigest(of page: Page) async throws -> String? {
        let (_, representation) = try await PageReader.image(of: page)
        guard case .encoded(let encoded) = representation,
            let operations = try Planner.operations(representation, page),
            operations.framing != Framing(operations.framing.source) || encoded.isRareJPEG,
            let plan = Planner(SinkCapabilities(formats: nil)).transformCoefficients(encoded, operations, as: .jpeg),
            let size = plan.size
        else { return nil }
        try plan.check(renderer)
        var bytes = try await encoded.read().bytes
        if let move = plan.method as? MoveCoefficients, case .encoded(let made)? = try? move.moved(bytes).content {
            bytes = made.bytes
        }
        return PageReader.digest(bytes, Framing(size))
    }

    private static func digest(_ bytes: [UInt8], _ framing: Framing) -> String {
        SHA256.hexDigest(of: Array("\(SHA256.hexDigest(of: bytes)) \(framing.orientation) \(framing.rect)".utf8))
    }

    /// Returns an estimate of the bytes of memory that decoding a page takes.
    public func memory(for page: Page) async -> Int {
        guard let representation = try? await PageReader.image(of: page).1 else { return 0 }
        return MemoryEstimate.decoding(representation).total
    }

    /// Decodes or renders a page as it is shown, in sRGB.
    ///
    /// - Throws: `AdapterError` for a page that is unreadable or too large; `CancellationError`.
    public func pixels(of page: Page) async throws -> Raster {
        do {
            let (_, representation) = try await PageReader.image(of: page)
            try renderer.check(memory: MemoryEstimate.decoding(representation).total)
            if let operations = try Planner.operations(representation, page) {
                return try await renderer.render(representation, operations, keepsProfile: false).image.raster
            }
            guard case .encoded(let encoded) = representation else { throw AdapterError.noImage(on: page) }
            let request = DecodeRequest(encoded.encoding, maximumPixels: renderer.limits.pixels)
            let raster = try PictureDecoder.decode(try await encoded.read().bytes, request).raster
            let operations = try Planner.operations(raster.size, encoded.orientation, encoded.edits(on: page), page)
            return try await operations.apply(to: raster.withoutProfile(), beside: NoOtherPages())
        } catch {
            // Failures in an interrupted run are not caused by the page.
            try Task.checkCancellation()
            throw AdapterError(rendering: error)
        }
    }

    /// Returns a digest that is equal for rasters with the same colors, regardless of their storage.
    public static func digest(of raster: Raster) -> String {
        let digest = PixelDigest(raster, isUniform: true)
        return "\(digest.samples) \(digest.size) \(digest.hex)"
    }

    private static func image(of page: Page) async throws -> (Picture, Picture.Representation) {
        let picture = try await page.examine()
        guard let representation = picture.representations.first else { throw AdapterError.noImage(on: page) }
        return (picture, representation)
    }
}
