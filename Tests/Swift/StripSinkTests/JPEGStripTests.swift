import AdapterKit
import Imaging
import PageModel
import Scratch
import Testing

@testable import StripSink

/// Strips in JPEG: joined where the pages allow it, else encoded.
@Suite struct JPEGStripTests {
    /// Tables with the chroma as fine as the luma.
    private static func fidelity(_ quality: Int) throws -> JPEGWriter.Fidelity {
        let size = PixelSize(width: 1, height: 1)
        let writer = try JPEGWriter(size: size, format: .gray(bits: 8), fidelity: .quality(quality))
        try writer.write([0])
        return .like(try #require(JPEGTables(try writer.finish())))
    }

    private static func page(
        _ width: Int, _ height: Int, isGray: Bool, quality: Int = 80, isProgressive: Bool = false,
        _ random: inout SplitMix
    ) throws -> SyntheticPage {
        let format = isGray ? PixelFormat.gray(bits: 8) : .rgb(bits: 8)
        let noise = (0..<width * height * format.bitsPerPixel / 8).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        return try SyntheticPage(
            jpeg: Raster(size: PixelSize(width: width, height: height), format: format, samples: noise),
            fidelity: try fidelity(quality), isProgressive: isProgressive)
    }

    /// White and black are levels that every table can tell.
    @Test(arguments: [true, false], [true, false])
    func pagesThatGoTogetherAreJoined(_ isGray: Bool, _ isVertical: Bool) async throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<10 {
            var job = StripJob(isVertical: isVertical, isRightToLeft: true, isLossless: true)
            job.gap = 8 * Int.random(in: 0...2, using: &random)
            job.alignment = [.start, .end].randomElement(using: &random) ?? .start
            // Sides in multiples of 8; the last page's far side is free, as is the widest one's where it starts at 0.
            var pages: [SyntheticPage] = []
            for _ in 0..<3 {
                pages.append(
                    try Self.page(
                        8 * .random(in: 1...5, using: &random), 8 * .random(in: 1...5, using: &random), isGray: isGray,
                        quality: 100, isProgressive: .random(using: &random), &random))
            }
            if isVertical {
                let last = try Self.page(24, .random(in: 1...30, using: &random), isGray: isGray, quality: 100, &random)
                pages.append(last)
            }
            let result = try await job.run(pages, to: "out.jpg")
            let strip = try result.raster()
            #expect(result.compositions.keys.sorted() == Array(1...pages.count))
            #expect(
                result.compositions.values.allSatisfy {
                    $0.treatment == .lossless && $0.notes.contains(Note(.joinedIntoStrip))
                })
            #expect(Pixels(strip) == job.expected(pages), "\(job) \(pages.map(\.raster.size))")
        }
    }

    /// Slices of compatible JPEGs are JPEGs, even without a request for the format; slices of others are PNGs.
    @Test(arguments: [true, false], [true, false])
    func slicesOfJPEGsAreCutInTheirCoefficients(_ isVertical: Bool, _ isAsked: Bool) async throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<10 {
            var job = StripJob(isVertical: isVertical, isLossless: true)
            job.gap = 8 * Int.random(in: 0...1, using: &random)
            job.alignment = .start
            job.other["strip-max"] = "\(Int.random(in: 16...50, using: &random))"
            if isAsked { job.encoding.format = .jpeg }
            var pages = try (0..<4).map { _ in try Self.page(40, 40, isGray: false, quality: 100, &random) }
            let result = try await job.run(pages, to: "out")
            #expect(result.files.allSatisfy { $0.name.hasSuffix(".jpg") } && result.files.count > 3)
            #expect(
                result.compositions.values.allSatisfy {
                    $0.treatment == .lossless && $0.notes == [Note(.joinedIntoSlices)]
                })
            #expect(try SliceTests.joined(result, isVertical: isVertical) == job.expected(pages), "\(job)")
            // One page off the grid, and pixels would be lost: then they are kept as PNG, unless JPEG was asked for.
            job.isLossless = false
            pages.insert(try Self.page(isVertical ? 40 : 37, isVertical ? 37 : 40, isGray: false, &random), at: 1)
            let other = try await job.run(pages, to: "out")
            #expect(other.files.allSatisfy { $0.name.hasSuffix(isAsked ? ".jpg" : ".png") })
            if isAsked { continue }
            #expect(other.compositions[1]?.treatment == .lossless)
            let note = other.compositions[1]?.notes.last
            #expect(note?.code == .notJoinable && note?.values == ["cause": "encoded-differently"])
            #expect(try SliceTests.joined(other, isVertical: isVertical) == job.expected(pages), "\(job)")
        }
    }

    @Test func pagesThatDoNotGoTogetherAreEncodedOrRefused() async throws {
        var random = SplitMix(seed: 2)
        let plain = try Self.page(16, 16, isGray: true, &random)
        func other(_ width: Int, _ height: Int, isGray: Bool = true, quality: Int = 80) throws -> SyntheticPage {
            try Self.page(width, height, isGray: isGray, quality: quality, &random)
        }
        let red = RGB(red: 255, green: 0, blue: 0)
        /// With the reason, and what would let them be joined.
        let books: [(StripJob, [SyntheticPage], String?)] = [
            // Off the grid: a height, a gap, a place in the middle.
            (StripJob(), [try other(16, 17), plain], "off-grid"),
            (StripJob(gap: 12), [plain, plain], "off-grid --gap 8 or 16"),
            (StripJob(gap: 12), [try other(16, 17), plain], "off-grid"),
            (StripJob(gap: 65_467), [plain, plain], "off-grid --gap 65464"),
            (StripJob(), [plain, try other(8, 8)], "off-grid --align start"),
            (StripJob(gap: 4), [plain, try other(8, 8)], "off-grid --align start --gap 0 or 8"),
            (StripJob(isVertical: false), [try other(15, 16), plain], "off-grid"),
            // Other tables, other colors, another format, another orientation.
            (StripJob(), [plain, try other(16, 16, quality: 81)], "encoded-differently"),
            (StripJob(), [plain, try other(16, 16, isGray: false)], "encoded-differently"),
            (StripJob(), [plain, SyntheticPage(png: plain.raster)], "part-not-jpeg"),
            (
                StripJob(), [plain, try SyntheticPage(jpeg: plain.raster, fidelity: try Self.fidelity(80), exif: 3)],
                "part-is-changed"
            ),
            // A color that gray pages do not have.
            (StripJob(gap: 8, background: red), [plain, plain], "no-color-for-gaps"),
            (StripJob(gap: 4, background: red), [plain, plain], "no-color-for-gaps"),
            (StripJob(encoding: EncodingRequest(quality: 80)), [plain, plain], nil),
        ]
        for (index, (job, pages, cause)) in books.enumerated() {
            let result = try await job.run(pages, to: "out.jpg")
            #expect(result.compositions.values.allSatisfy { $0.treatment == .encoded }, "\(index)")
            #expect(result.compositions.count == pages.count)
            let note = result.compositions[1]?.notes.last
            let remedy = note?.remedy
            let reported = note?.values["cause"].map { cause in remedy.map { "\(cause) \($0)" } ?? cause }
            #expect(reported == cause && (cause == nil || note?.code == .notJoinable), "\(index)")
            let strip = try result.raster()
            #expect(strip.size == job.expected(pages).size)
            var lossless = job
            lossless.isLossless = true
            let error = await #expect(throws: AdapterError.self, "\(index)") {
                try await lossless.run(pages, to: "out.jpg")
            }
            #expect(error?.code == .unsupported && error?.hint != nil)
            let hint = remedy.map { "use \($0), " } ?? "remove --lossless"
            #expect(error?.hint?.english.hasPrefix(hint) == true)
        }
    }

    /// The exact bytes of the strip's encoded pixels, with the tables of the finest page or the requested quality.
    @Test func pixelsAreEncodedOnce() async throws {
        var random = SplitMix(seed: 3)
        for round in 0..<30 {
            var job = StripJob.random(using: &random)
            let isGray = round.isMultiple(of: 2) && job.background.isGray
            let qualities = (0..<3).map { _ in Int.random(in: 50...95, using: &random) }
            var pages = try qualities.map {
                try Self.page(
                    .random(in: 1...30, using: &random), .random(in: 1...30, using: &random), isGray: isGray,
                    quality: $0, &random)
            }
            pages.append(try StripTests.page(&random, [.png(.gray(bits: 4))]))
            var fidelity = try Self.fidelity(qualities.max() ?? 0)
            if !isGray, case .jpeg(true, _, _) = pages[0].kind { fidelity = .quality(90) }
            if round.isMultiple(of: 3) {
                job.encoding.quality = 77
                fidelity = .quality(77)
            }
            let expected = job.expected(pages).raster(isGray: isGray)
            let writer = try JPEGWriter(
                size: expected.size, format: expected.format, fidelity: fidelity, isStreamed: true)
            try writer.write(expected.samples)
            let wanted = try writer.finish()
            for width in [1, 2] {
                job.width = width
                #expect(try await job.run(pages, to: "out.jpeg").files[0].bytes == wanted, "\(job) \(round)")
            }
        }
    }

    /// A JPEG may hold red, green and blue as they are; then its background must be in them, too.
    @Test func theBackgroundOfRGBComponentsIsRGB() async throws {
        // Without JFIF's segment components named so are not YCbCr.
        var random = SplitMix(seed: 4)
        let file = try Self.page(16, 16, isGray: false, quality: 100, &random).bytes
        var bare = Array(file[..<2]) + file[20...]
        let frame = try #require(bare.indices.first { bare[$0...].starts(with: [0xFF, 0xC0]) })
        let scan = try #require(JPEGHeader(bare)?.scanOffset)
        for (index, name) in Array("RGB".utf8).enumerated() {
            bare[frame + 10 + 3 * index] = name
            bare[scan + 5 + 2 * index] = name
        }
        let pages = [try SyntheticPage(bare), try SyntheticPage(bare)]
        let job = StripJob(gap: 8, background: RGB(red: 250, green: 3, blue: 40))
        let result = try await job.run(pages, to: "out.jpg")
        let (strip, plain) = (try result.raster(), job.expected(pages).raster(isGray: false))
        let gap = 16 * 16 * 3..<24 * 16 * 3
        let differences = zip(strip.samples[gap], plain.samples[gap]).map { max($0, $1) - min($0, $1) }
        #expect(differences.max() == 0)
        #expect(result.compositions[1]?.treatment == .lossless)
    }

    @Test func stripBeyondTheFormatLimitIsRejected() async throws {
        var random = SplitMix(seed: 5)
        let long = try SyntheticPage(.png(.gray(bits: 1)), PixelSize(width: 2, height: 33_000), using: &random)
        let wide = try SyntheticPage(.png(.gray(bits: 1)), PixelSize(width: 20_000, height: 2), using: &random)
        for (job, pages, name) in [
            (StripJob(), [long, long], "out.jpg"), (StripJob(), [long], "out.webp"),
            (StripJob(isVertical: false), [wide], "out.webp"), (StripJob(), [wide], "out.webp"),
        ] {
            let error = await #expect(throws: AdapterError.self) { try await job.run(pages, to: name) }
            #expect(error?.code == .tooLarge)
            #expect(error?.hint?.isEmpty == false)
            #expect(error?.file?.hasSuffix(name) == true)
        }
        #expect(try await StripJob().run([long, long]).raster().size.height == 66_000)
    }
}
