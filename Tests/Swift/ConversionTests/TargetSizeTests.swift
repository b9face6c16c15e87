import AdapterKit
import Files
import FolderSource
import Imaging
import PageModel
import Scratch
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning

/// `--target-size`: the quality is found for the size of the output.
@Suite struct TargetSizeTests {
    /// Writes books whose size is `ratio` times the estimate, until the search ends.
    private func qualities(limit: Int, bytesPerQuality: Int, ratio: Double) async throws -> [Int] {
        var search = QualitySearch(limit: limit)
        var tried: [Int] = []
        while tried.count < 9, let quality = try await search.next({ Double($0 * bytesPerQuality) }) {
            tried.append(quality)
            let estimate = Double(quality * bytesPerQuality)
            search.note(Int(estimate * ratio), at: quality, estimate: estimate)
        }
        return tried
    }

    @Test func searchEndsAtTheHighestQuality() async throws {
        #expect(try await qualities(limit: 50_000, bytesPerQuality: 1000, ratio: 1) == [50])
        // The first book shows that the estimate is too low.
        #expect(try await qualities(limit: 50_000, bytesPerQuality: 900, ratio: 10 / 9.0) == [55, 50])
        #expect(try await qualities(limit: 50_000, bytesPerQuality: 1000, ratio: 0.5) == [50, 95])
        // The lowest quality decides whether the size is possible.
        #expect(try await qualities(limit: 5000, bytesPerQuality: 1000, ratio: 1) == [10])
        #expect(try await qualities(limit: 5000, bytesPerQuality: 1000, ratio: 0.5) == [10])
    }

    private static let size = PixelSize(width: 128, height: 128)

    /// Noise on the left half, white paper on the right.
    private static func noise(_ seed: UInt64) -> Raster {
        var (state, samples) = (seed, [UInt8]())
        for place in 0..<size.area {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            samples.append(place % size.width < size.width / 2 ? UInt8(truncatingIfNeeded: state >> 40) : 255)
        }
        return Raster(size: size, format: .gray(bits: 8), samples: samples)
    }

    @Test func onlyDetailCounts() throws {
        let raster = Self.noise(1)
        var samples = raster.samples
        // A change of the paper does not count, and one of the noise does.
        for place in samples.indices where place % 128 >= 64 { samples[place] = 250 }
        let paper = Raster(size: Self.size, format: .gray(bits: 8), samples: samples)
        #expect(DetailDifference(raster, paper, levels: 256)?.rootMeanSquare == 0)
        for place in samples.indices where place % 128 < 64 {
            // Away from the middle, so that no pixel crosses it.
            let isRaised = samples[place] < 10 || (128...245).contains(samples[place])
            samples[place] = isRaised ? samples[place] + 10 : samples[place] - 10
        }
        let other = Raster(size: Self.size, format: .gray(bits: 8), samples: samples)
        let difference = try #require(DetailDifference(raster, other, levels: 256)?.rootMeanSquare)
        #expect(abs(difference - 10) < 0.01)
        // A screen with two levels shows no difference.
        #expect(try #require(DetailDifference(raster, other, levels: 2)).rootMeanSquare == 0)
        let white = Raster(size: Self.size, format: .gray(bits: 8), samples: [UInt8](repeating: 255, count: 128 * 128))
        #expect(DetailDifference(white, white, levels: 16) == nil)
    }

    private func report(_ job: Job, pages: Int = 6) async throws -> Report {
        let made = (1...pages).map { number in
            Sample.page(
                number,
                Picture(
                    size: Self.size,
                    representations: [
                        .sampled(
                            SampledPicture(compression: "test", size: Self.size, format: .gray(bits: 8)) {
                                DecodedImage(raster: Self.noise(UInt64(number)))
                            })
                    ]))
        }
        let registry = Registry(
            sources: [FakeSource(made), FolderSource(), PictureSource()], sinks: [FaultySink { _ in }])
        return try await Conversion(registry, job).run()
    }

    @Test func bookGetsTheHighestQualityThatFits() async throws {
        let scratch = try ScratchFolder()
        var job = Job(
            inputs: [Input(path: try scratch.write("book.fake", Array("FAKE".utf8)))], sink: "folder",
            destination: Destination(path: scratch("out")))
        job.encoding.format = .jpeg
        (job.targetSize, job.verifies) = (16_000, true)
        let fitting = try await report(job)
        let bytes = try #require(fitting.outputBytes)
        #expect(bytes <= 16_000 && fitting.pages.count == 6 && fitting.verification != nil)
        let note = try #require(fitting.notes.first { $0.code == "target-size" })
        let quality = try #require((10...95).first { note.message.english.contains("chose quality \($0), ") })
        (job.targetSize, job.encoding.quality, job.destination.path) = (nil, quality + 1, scratch("next"))
        #expect(try #require(try await report(job).outputBytes) > 16_000)
        // Noise at that quality looks poor.
        #expect(fitting.warnings.map(\.code) == ["poor-quality"])
        (job.targetSize, job.encoding.quality, job.destination.path) = (2000, nil, scratch("small"))
        let error = await #expect(throws: AdapterError.self) { try await report(job) }
        #expect(error?.code == .tooLarge && scratch.names().sorted() == ["book.fake", "next", "out"])
    }

    /// A quality that is a limit does not make pages larger.
    @Test func lowerQualityIsKept() throws {
        let low = try PictureEncoder.encode(Self.noise(1), as: .jpeg, .quality(30))
        func isLike(_ isLimit: Bool) -> Bool {
            var request = EncodingRequest(quality: 80)
            request.isLimit = isLimit
            let parameters = EncodingParameters(request, own: .jpeg, isLossy: true, formats: nil)
            if case .like = parameters.fidelity(low) { return true }
            return false
        }
        #expect(isLike(true) && !isLike(false))
    }
}
