import AdapterKit
import OrderedWork
import PageModel
import Synchronization
import Testing

@testable import Conversion
@testable import Planning

/// Several analyses of a book decode each of its images once.
@Suite struct PreviewCacheTests {
    private static let size = PixelSize(width: 61, height: 83)

    /// A page whose decoding is counted.
    private final class CountedPage: Sendable {
        private let decoded = Mutex(0)
        var count: Int { decoded.withLock { $0 } }

        func page(_ edits: [PageEdit] = [], imageID: Int? = 1) -> Page {
            let size = PreviewCacheTests.size
            let raster = Raster(
                size: size, format: .gray(bits: 8), samples: (0..<size.area).map { UInt8(truncatingIfNeeded: $0 * 7) })
            var picture = Picture(
                size: size,
                representations: [
                    .sampled(
                        SampledPicture(compression: "raw", size: size, format: raster.format) { [self] in
                            decoded.withLock { $0 += 1 }
                            return DecodedImage(raster: raster)
                        })
                ])
            picture.imageID = imageID
            var page = Page(id: 1, name: "page 1") { [picture] in picture }
            page.edits = edits
            return page
        }
    }

    private func previewer(_ cache: PreviewCache?) -> PagePreviewer {
        PagePreviewer(limits: Limits(), budget: MemoryBudget(bytes: 1 << 30), cache: cache)
    }

    @Test func laterAnalysesUseTheDecodedImage() async throws {
        let (cached, plain) = (CountedPage(), CountedPage())
        let cache = PreviewCache(bytes: 1 << 20)
        let crop = PageEdit.move(.crop(PixelRect(x: 5, y: 9, width: 40, height: 50)))
        for edits in [[], [crop], [crop, .move(.turn(quarters: 1))]] {
            let one = try await previewer(cache).preview(of: cached.page(edits), pixels: 20, as: .brightness)
            let other = try await previewer(nil).preview(of: plain.page(edits), pixels: 20, as: .brightness)
            #expect(one.raster == other.raster && one.size == other.size && one.origin == other.origin)
        }
        #expect([cached.count, plain.count] == [1, 3])
    }

    @Test func otherPixelsAreDecodedAgain() async throws {
        let (page, cache) = (CountedPage(), PreviewCache(bytes: 1 << 20))
        for (pixels, shade) in [(20, SampleMeaning.brightness), (20, .ink), (60, .brightness), (21, .brightness)] {
            _ = try await previewer(cache).preview(of: page.page(), pixels: pixels, as: shade)
        }
        // The smaller number and the last one reduce the image by the same factor.
        #expect(page.count == 3)
    }

    @Test func unknownImagesAreNotCached() async throws {
        let (page, cache) = (CountedPage(), PreviewCache(bytes: 1 << 20))
        for _ in 0..<2 {
            _ = try await previewer(cache).preview(of: page.page(imageID: nil), pixels: 20, as: .ink)
        }
        #expect(page.count == 2)
    }

    @Test func fullCacheKeepsItsFirstImages() async throws {
        let (first, second) = (CountedPage(), CountedPage())
        let cache = PreviewCache(bytes: 31 * 42)
        for _ in 0..<2 {
            _ = try await previewer(cache).preview(of: first.page(), pixels: 20, as: .ink)
            _ = try await previewer(cache).preview(of: second.page(imageID: 2), pixels: 20, as: .ink)
        }
        #expect([first.count, second.count] == [1, 2])
    }

    /// Brightness and ink of a grayscale JPEG are the same samples, unless colored shapes are laid over it.
    @Test func shadesOfGrayJPEGsAreShared() {
        func isShared(_ encoding: ImageEncoding, isGray: Bool) -> Bool {
            var picture = Picture(
                size: Self.size,
                representations: [.encoded(EncodedPicture(encoding: encoding, size: Self.size, isGray: isGray) { [] })])
            picture.imageID = 1
            let keys = [SampleMeaning.brightness, .ink].map { PreviewCache.Key(picture, at: 0, pixels: 20, as: $0) }
            return keys[0] != nil && keys[0] == keys[1]
        }
        #expect(isShared(.jpeg, isGray: true))
        #expect(!isShared(.jpeg, isGray: false) && !isShared(.png, isGray: true))
    }

    @Test func singleAnalysesHaveNoCache() {
        let analysis = Pass(.trim) { sequence, _ in sequence }
        let edit = Pass(.turn, edits: [.move(.turn(quarters: 1))])
        #expect(PreviewCache(for: [edit, analysis], otherAnalyses: 0, Limits()) == nil)
        #expect(PreviewCache(for: [edit, analysis], otherAnalyses: 1, Limits()) != nil)
        #expect(PreviewCache(for: [analysis, analysis], otherAnalyses: 0, Limits()) != nil)
    }
}
