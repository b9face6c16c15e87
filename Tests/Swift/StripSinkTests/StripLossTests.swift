import AdapterKit
import Imaging
import PageModel
import Scratch
import Testing

@testable import StripSink

/// Losses of pages in strips that keep every pixel, and whether they are reported.
@Suite struct StripLossTests {
    private static let size = PixelSize(width: 16, height: 16)

    private static func gray(_ profile: [UInt8]?, bits: Int = 8) -> Raster {
        let samples = (0..<256 * bits / 8).map { UInt8(truncatingIfNeeded: $0 * 37) }
        return Raster(size: size, format: .gray(bits: bits), samples: samples, iccProfile: profile)
    }

    private static func jpeg(_ profile: [UInt8]) throws -> SyntheticPage {
        let raster = gray(nil)
        let writer = try JPEGWriter(
            size: raster.size, format: raster.format, fidelity: .quality(90), iccProfile: profile)
        try writer.write(raster.samples)
        return try SyntheticPage(try writer.finish())
    }

    /// The pages that a strip keeps unchanged. If nothing may be lost, the strip is rejected with the name of the first
    /// other page.
    private static func kept(_ pages: [SyntheticPage], _ job: StripJob = StripJob(), as name: String = "out.png")
        async throws -> [Bool]
    {
        let result = try await job.run(pages, to: name)
        let kept = pages.indices.map { result.compositions[$0 + 1]?.treatment == .lossless }
        var lossless = job
        lossless.isLossless = true
        if let first = kept.firstIndex(of: false) {
            let error = await #expect(throws: AdapterError.self) { try await lossless.run(pages, to: name) }
            #expect(error?.code == .unsupported)
            #expect(error?.page == "page \(first + 1)")
        } else {
            #expect(try await lossless.run(pages, to: name).files[0].bytes == result.files[0].bytes)
        }
        return kept
    }

    @Test(arguments: [true, false], ["out.png", "out.webp"])
    func transparencyIsLost(_ isVertical: Bool, _ name: String) async throws {
        var random = SplitMix(seed: 21)
        let job = StripJob(isVertical: isVertical)
        for format in [PixelFormat.grayAlpha(bits: 8), .rgba(bits: 8)] {
            let clear = try SyntheticPage(.png(format), Self.size, using: &random)
            let opaque = try SyntheticPage(
                .png(format.hasColor ? .rgb(bits: 8) : .gray(bits: 8)), Self.size, using: &random)
            #expect(try await Self.kept([opaque, clear, opaque], job, as: name) == [true, false, true])
            #expect(try await Self.kept([opaque, opaque], job, as: name) == [true, true])
            let reason = try await job.run([clear], to: name).compositions[1]?.notes.map(\.code)
            #expect(reason?.contains(.transparencyFlattened) == true, "\(reason ?? [])")
        }
    }

    @Test(arguments: [true, false]) func convertedColorsAreLost(_ isVertical: Bool) async throws {
        var job = StripJob(isVertical: isVertical, gap: 2)
        let (bare, dim) = (SyntheticPage(png: Self.gray(nil)), SyntheticPage(png: Self.gray(SyntheticProfile.dim)))
        #expect(try await Self.kept([bare, dim, bare], job) == [true, false, true])
        #expect(try await Self.kept([try Self.jpeg(SyntheticProfile.dim), bare], job) == [false, true])
        let reason = try await job.run([bare, dim]).compositions[2]?.notes.map(\.code)
        #expect(reason?.contains(.colorsConverted) == true, "\(reason ?? [])")
        // The strip has their profile.
        #expect(try await Self.kept([dim, dim], job) == [true, true])
        // Black and white are the same in every profile.
        let ink = SyntheticPage(png: Self.gray(SyntheticProfile.dim, bits: 1))
        #expect(try await Self.kept([ink, bare], job) == [true, true])
        // A colored background takes their profile.
        job.background = RGB(red: 1, green: 2, blue: 3)
        #expect(try await Self.kept([dim, dim], job) == [false, false])
    }

    /// Damage of one page is reported for that page, whether pages are decoded by rows or as a whole, or joined.
    @Test(arguments: [true, false], ["out.png", "out.jpg", "slices"])
    func damageIsReported(_ isVertical: Bool, _ name: String) async throws {
        let whole = try Self.jpeg([])
        let torn = try SyntheticPage(Array(whole.bytes.dropLast(whole.bytes.count / 20)))
        var job = StripJob(isVertical: isVertical)
        if name == "slices" { job.other = ["strip-max": "24"] }
        let made = try await job.run([whole, torn, whole], to: name)
        let defects = (1...3).map { made.compositions[$0]?.defect }
        #expect(defects[0] == nil && defects[2] == nil)
        #expect(defects[1]?.english.hasPrefix("the JPEG is damaged (") == true, "\(defects)")
        #expect(made.compositions[2]?.treatment == (name == "out.png" ? .lossless : made.compositions[1]?.treatment))
    }

    /// Converting makes grays that fewer bits do not have.
    @Test(arguments: [true, false]) func convertedGraysGetTheBitsTheyNeed(_ isVertical: Bool) async throws {
        let job = StripJob(isVertical: isVertical)
        let dim = Self.gray(SyntheticProfile.dim, bits: 4)
        let pages = [SyntheticPage(png: dim), SyntheticPage(png: Self.gray(nil, bits: 4))]
        let strip = try await job.run(pages).raster()
        #expect(strip.format == .gray(bits: 8))
        #expect(Pixels(strip) == job.expected([SyntheticPage(png: try dim.inSRGB()), pages[1]]))
        #expect(try await job.run([pages[0], pages[0]]).raster().format == .gray(bits: 4))
    }

    @Test(arguments: [true, false]) func pagesWithSRGBEquivalentProfilesAreKept(_ isVertical: Bool) async throws {
        let job = StripJob(isVertical: isVertical, gap: 2)
        let (bare, named) = (SyntheticPage(png: Self.gray(nil)), SyntheticPage(png: Self.gray(SyntheticProfile.plain)))
        let pages = [bare, named, try Self.jpeg(SyntheticProfile.plain)]
        #expect(try await Self.kept(pages, job) == [true, true, true])
        let strip = try await job.run(pages).raster()
        #expect(strip.iccProfile == nil)
        #expect(Pixels(strip) == job.expected(pages))
    }

    /// Nobody can follow such a profile, and without it the page looks as viewers show it.
    @Test(arguments: [SyntheticProfile.broken, SyntheticProfile.foreign, [1, 2, 3]], [true, false])
    func aProfileThatDoesNotFitIsDropped(_ profile: [UInt8], _ isVertical: Bool) async throws {
        let job = StripJob(isVertical: isVertical, gap: 2)
        let (page, other) = (try Self.jpeg(profile), SyntheticPage(png: Self.gray(nil)))
        for pages in [[page], [page, other], [page, page], [other, page]] {
            #expect(try await Self.kept(pages, job) == pages.map { _ in true })
            let strip = try await job.run(pages).raster()
            #expect(strip.iccProfile == nil)
            #expect(strip.format == .gray(bits: 8))
            #expect(Pixels(strip) == job.expected(pages))
        }
        // It does not apply to the others' colors either.
        let dim = try await job.run([page, SyntheticPage(png: Self.gray(SyntheticProfile.dim))])
        #expect(dim.compositions.values.map(\.treatment).sorted() == [.lossless, .encoded])
    }

    /// Joined in their coefficients, JPEGs keep the profile they have, and so must have the same.
    @Test func jpegsWithAProfileThatDoesNotFitAreNotJoinedWithOthers() async throws {
        let (page, other) = (try Self.jpeg(SyntheticProfile.foreign), try Self.jpeg([]))
        let mixed = try await StripJob().run([page, other], to: "out.jpg")
        #expect(mixed.compositions[1]?.treatment == .encoded)
        #expect(try mixed.raster().iccProfile == nil)
        let same = try await StripJob().run([page, page], to: "out.jpg")
        #expect(same.compositions[1]?.treatment == .lossless)
    }
}
