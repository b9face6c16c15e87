import AdapterKit
import Imaging
import OrderedWork
import PageModel
import Synchronization
import Testing

@testable import Audit
@testable import Conversion
@testable import DecisionFiles

/// The digests by which decision files recognize the pages of their book.
@Suite struct SourcePageDigestsTests {
    /// Records the book as a decision file does.
    private final class Recorder: PageTransform {
        let descriptor = AdapterDescriptor(id: "recorder", summary: "test", extensions: [], settings: [])
        let book = Mutex<DecisionBook?>(nil)

        func passes(_ settings: Settings) -> [Pass] {
            [
                Pass(.trim) { sequence, request in
                    let book = try await DecisionBook(sequence.pages, request)
                    self.book.withLock { $0 = book }
                    return sequence
                }
            ]
        }
    }

    private func digest(_ picture: Picture?, _ limits: Limits = Limits()) async throws -> PageDigest? {
        try await SourcePageDigests(limits, MemoryBudget(bytes: 1 << 30)).digest(of: Sample.page(1, picture))
    }

    private static let stored: [UInt8] = [1, 2, 3]

    private func sampled(isStored: Bool) -> Picture.Representation {
        var picture = SampledPicture(compression: "Flate", size: Sample.size, format: nil) {
            DecodedImage(raster: Sample.raster())
        }
        if isStored { picture.readStored = { SourcePageDigestsTests.stored } }
        return .sampled(picture)
    }

    @Test func storedDataAreHashed() async throws {
        let image = SHA256.hexDigest(of: Sample.gif)
        #expect(try await digest(Sample.picture(Sample.encoded(), Sample.drawn())) == PageDigest(.image, hex: image))
        #expect(
            try await digest(Sample.picture(sampled(isStored: true)))
                == PageDigest(.stream, hex: SHA256.hexDigest(of: Self.stored)))
        #expect(
            try await digest(Sample.picture(sampled(isStored: false)))
                == PageDigest(.pixels, hex: PixelDigest(Sample.raster()).hex))
    }

    @Test func renderedPagesAreKnownByTheirContent() async throws {
        var picture = Sample.picture(Sample.drawn())
        #expect(try await digest(picture) == nil)
        picture.contentDigest = { "abc" }
        #expect(try await digest(picture) == PageDigest(.content, hex: "abc"))
        picture.representations = [sampled(isStored: false)]
        #expect(try await digest(picture) == PageDigest(.content, hex: "abc"))
    }

    /// The bytes with shapes depend on the options that lay them over the image.
    @Test func imagesWithShapesAreKnownByTheirContent() async throws {
        var patched = EncodedPicture(encoding: .jpeg, size: Sample.size) { Sample.gif }
        patched.overlay = PictureOverlay("text")
        var picture = Sample.picture(.encoded(patched))
        #expect(try await digest(picture) == nil)
        picture.contentDigest = { "abc" }
        #expect(try await digest(picture) == PageDigest(.content, hex: "abc"))
    }

    /// The bytes of a repaired image are not those of its source, and a later version may make others.
    @Test func repairedImagesAreKnownByTheirContent() async throws {
        var picture = Sample.picture(Sample.encoded(repair: "3 pieces of the scan joined"))
        let image = PageDigest(.image, hex: SHA256.hexDigest(of: Sample.gif))
        #expect(try await digest(picture) == image)
        picture.contentDigest = { "abc" }
        #expect(try await digest(picture) == PageDigest(.content, hex: "abc"))
        picture.representations = [Sample.encoded()]
        #expect(try await digest(picture) == image)
    }

    /// Such pages need the memory of their pixels; stored data are not decoded.
    @Test func pixelsAboveTheLimitsAreNotDecoded() async throws {
        for limits in [Limits(memory: 1), Limits(pixels: 1)] {
            #expect(try await digest(Sample.picture(sampled(isStored: false)), limits) == nil)
            #expect(try await digest(Sample.picture(sampled(isStored: true)), limits) != nil)
        }
    }

    @Test func unreadablePagesHaveNoDigest() async throws {
        #expect(try await digest(nil) == nil)
        #expect(try await digest(Sample.picture(Sample.encoded(error: Sample.damage))) == nil)
        let cancelled = EncodedPicture(encoding: .jpeg, size: nil) { throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await digest(Sample.picture(.encoded(cancelled))) }
    }

    /// A file without the digest would stay.
    @Test func interruptedReadIsNotAPageWithoutDigest() async throws {
        let reading = Task {
            let picture = EncodedPicture(encoding: .gif, size: Sample.size) {
                withUnsafeCurrentTask { $0?.cancel() }
                throw Sample.damage
            }
            return try await digest(Sample.picture(.encoded(picture)))
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func eachPageIsReadOnce() async throws {
        let count = Mutex(0)
        let picture = EncodedPicture(encoding: .gif, size: Sample.size) {
            count.withLock { $0 += 1 }
            return Sample.gif
        }
        let digests = SourcePageDigests(Limits(), MemoryBudget(bytes: 1 << 30))
        for _ in 0..<2 { _ = try await digests.digest(of: Sample.page(1, Sample.picture(.encoded(picture)))) }
        #expect(count.withLock { $0 } == 1)
    }

    /// The number of pages is that of the whole book, and only the selected pages are read.
    @Test func transformsLearnTheWholeBook() async throws {
        let stage = try Stage(FakeSource(Sample.pages(3).pages))
        var job = stage.job
        job.selection = try PageSelection("2")
        let recorder = Recorder()
        let registry = Registry(sources: stage.registry.sources, transforms: [recorder], sinks: stage.registry.sinks)
        _ = try await Conversion(registry, job).run()
        let book = try #require(recorder.book.withLock { $0 })
        #expect(book.pageCount == 3 && Array(book.digests.keys) == [2])
        #expect(book.digests[2] == PageDigest(.image, hex: SHA256.hexDigest(of: Sample.gif)))
    }
}
