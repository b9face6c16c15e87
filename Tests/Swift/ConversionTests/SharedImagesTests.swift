import AdapterKit
import Imaging
import PageModel
import Synchronization
import Testing

@testable import Planning

/// Images of which several pages show parts.
@Suite struct SharedImagesTests {
    private final class Decoder: DecodingHost {
        let count = Atomic(0)
        /// The number of calls that fail first.
        let failures: Int

        init(failures: Int = 0) { self.failures = failures }

        func takes(_ encoding: ImageEncoding) -> Bool { true }

        func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
            guard count.add(1, ordering: .relaxed).newValue > failures else { throw PictureFault("there is no memory") }
            return DecodedImage(raster: SharedImagesTests.raster)
        }
    }

    private static let size = PixelSize(width: 8, height: 12)
    private static let raster = Raster(size: size, format: .gray(bits: 8), samples: (0..<96).map { UInt8($0) })
    private static let picture = Picture.Representation.encoded(
        EncodedPicture(encoding: .png, size: size, bitsPerPixel: 8) { [1, 2, 3] })

    /// Returns a page of four rows of the image; the whole image without a place.
    private static func page(_ id: Int, sourceID: Int = 1, at place: Int? = nil) -> Page {
        let edits = place.map { [PageEdit.crop(PixelRect(x: 0, y: 4 * $0, width: 8, height: 4))] } ?? []
        var page = Sample.page(id, edits: edits, Picture(size: size, representations: [picture]))
        page.sourceID = sourceID
        return page
    }

    /// Returns the number of decoders that run for pages.
    private static func decodings(_ pages: [Page], _ limits: Limits = Limits()) async throws -> Int {
        let decoder = Decoder()
        try await PictureDecoder.$host.withValue(decoder) {
            let images = SharedImages(pages)
            for page in pages {
                let renderer = Renderer(limits: limits, sharedImages: images.images(of: page))
                let operations = try #require(PixelOperations(size, .upright, page.edits))
                let result = try await renderer.render(picture, operations, keepsProfile: true).image.raster
                #expect(result == raster.framed(operations.framing))
            }
        }
        return decoder.count.load(ordering: .relaxed)
    }

    @Test func anImageIsDecodedOnceForItsParts() async throws {
        #expect(try await Self.decodings((0..<3).map { Self.page($0 + 1, at: $0) }) == 1)
    }

    /// A page of the whole image may change its pixels in place.
    @Test func aWholeImageIsNotKept() async throws {
        #expect(try await Self.decodings([Self.page(1), Self.page(2)]) == 2)
    }

    /// An image of 96 bytes is kept in an eighth of the memory, or decoded again.
    @Test(arguments: [(800, 1), (700, 2)]) func imagesAreKeptWithinTheMemory(_ memory: Int, _ count: Int) async throws {
        let pages = (0..<2).map { Self.page($0 + 1, at: $0) }
        #expect(try await Self.decodings(pages, Limits(memory: memory)) == count)
    }

    /// Otherwise the last images of an output would be in memory until its end.
    @Test func imagesAreDroppedAfterTheirLastPage() async throws {
        let decoder = Decoder()
        let pages = (0..<2).map { Self.page($0 + 1, at: $0) }
        let images = SharedImages(pages)
        let shared = try #require(images.images(of: pages[0]))
        let request = DecodeRequest(.png, maximumPixels: 96)
        try await PictureDecoder.$host.withValue(decoder) {
            for (page, count) in zip(pages, [1, 2]) {
                _ = try await shared.image(in: [1, 2, 3], request)
                images.finish(page)
                _ = try await shared.image(in: [1, 2, 3], request)
                #expect(decoder.count.load(ordering: .relaxed) == count)
            }
        }
    }

    @Test func afterAFailureTheNextPageTriesAgain() async throws {
        let decoder = Decoder(failures: 1)
        let pages = (0..<2).map { Self.page($0 + 1, at: $0) }
        let shared = try #require(SharedImages(pages).images(of: pages[0]))
        let request = DecodeRequest(.png, maximumPixels: 96)
        try await PictureDecoder.$host.withValue(decoder) {
            await #expect(throws: PictureFault.self) { try await shared.image(in: [1, 2, 3], request) }
            let image = try await shared.image(in: [1, 2, 3], request)
            #expect(image.raster == Self.raster)
        }
    }

    /// A cropped page alone has no use for its image after it is converted.
    @Test func onlyPagesOfOneSourcePageShareImages() {
        let pages = [Self.page(1, at: 0), Self.page(2, at: 1), Self.page(3, sourceID: 3, at: 0)]
        var merged = Self.page(4, sourceID: 4)
        merged.parts = [Self.page(5, at: 2), Self.page(6, sourceID: 5, at: 0)]
        let images = SharedImages(pages + [merged])
        #expect((pages + [merged]).map { images.images(of: $0) != nil } == [true, true, false, true])
    }
}
