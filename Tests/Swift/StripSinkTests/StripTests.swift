import AdapterKit
import Imaging
import PageModel
import Scratch
import Testing

/// Strips that keep every pixel.
@Suite struct StripTests {
    static func size(_ random: inout SplitMix, maximumSide: Int = 30) -> PixelSize {
        PixelSize(
            width: .random(in: 1...maximumSide, using: &random), height: .random(in: 1...maximumSide, using: &random))
    }

    static func page(_ random: inout SplitMix, _ kinds: [SyntheticPage.Kind] = SyntheticPage.Kind.all) throws
        -> SyntheticPage
    {
        try SyntheticPage(try #require(kinds.randomElement(using: &random)), size(&random), using: &random)
    }

    /// The strip, for any number of concurrent jobs.
    private static func check(_ job: StripJob, _ pages: [SyntheticPage], to name: String = "out.png") async throws {
        var files: [[UInt8]] = []
        for width in [1, 2, 2, 5] {
            var job = job
            job.width = width
            let result = try await job.run(pages, to: name)
            #expect(result.compositions.keys.sorted() == Array(1...pages.count))
            for (index, page) in pages.enumerated() {
                // A strip has no transparency.
                let wanted: Treatment = page.raster.format.hasAlpha ? .encoded : .lossless
                #expect(result.compositions[index + 1]?.treatment == wanted)
            }
            #expect(result.compositions.values.allSatisfy { !$0.notes.isEmpty })
            files.append(result.files[0].bytes)
            if width == 1 {
                #expect(Pixels(try result.raster()) == job.expected(pages), "\(job) \(pages.map(\.kind))")
            }
        }
        #expect(Set(files).count == 1, "\(job) \(pages.map(\.kind))")
    }

    @Test func pagesOfAllKindsAreLaidDown() async throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<60 {
            let job = StripJob.random(using: &random)
            let pages = try (0..<Int.random(in: 1...5, using: &random)).map { _ in try Self.page(&random) }
            try await Self.check(job, pages)
        }
    }

    /// A strip of one kind of pages may have fewer bits than one of many kinds.
    @Test(arguments: Array(Set(SyntheticPage.Kind.all)).sorted { "\($0)" < "\($1)" })
    func pagesOfOneKindAreLaidDown(_ kind: SyntheticPage.Kind) async throws {
        var random = SplitMix(seed: 2)
        for _ in 0..<4 {
            let job = StripJob.random(using: &random)
            let pages = try (0..<Int.random(in: 1...3, using: &random)).map { _ in try Self.page(&random, [kind]) }
            try await Self.check(job, pages)
        }
    }

    @Test(arguments: [1, 2, 4, 8, 16], [true, false])
    func grayStaysAsDeepAsItIs(_ bits: Int, _ isVertical: Bool) async throws {
        var random = SplitMix(seed: 3)
        let pages = try (0..<3).map { _ in try Self.page(&random, [.png(.gray(bits: bits))]) }
        var job = StripJob(isVertical: isVertical, gap: 3)
        #expect(try await job.run(pages).raster().format == .gray(bits: bits))
        job.background = RGB(red: 90, green: 90, blue: 90)
        #expect(try await job.run(pages).raster().format == .gray(bits: max(8, bits)))
        job.background = RGB(red: 90, green: 91, blue: 90)
        #expect(try await job.run(pages).raster().format == .rgb(bits: max(8, bits)))
    }

    /// Enough rows for several bands and pieces, in step and by themselves.
    @Test(arguments: [true, false]) func longStripsAreWhole(_ isVertical: Bool) async throws {
        var random = SplitMix(seed: 4)
        let kinds: [SyntheticPage.Kind] = [
            .png(.rgb(bits: 8)), .jpeg(isGray: false, isProgressive: false, exif: 1),
            .jpeg(isGray: false, isProgressive: true, exif: 1),
        ]
        let size = PixelSize(width: 800, height: 600)
        let pages = try kinds.map { try SyntheticPage($0, size, using: &random) }
        var files: [[UInt8]] = []
        for width in [1, 2] {
            let job = StripJob(isVertical: isVertical, gap: 5, background: .black, width: width)
            let result = try await job.run(pages)
            files.append(result.files[0].bytes)
            if width == 2 { continue }
            let rows = pages.map(\.raster).map { page in
                (0..<600).map { Array(page.samples[$0 * 2400..<($0 + 1) * 2400]) }
            }
            let gap = [UInt8](repeating: 0, count: 5 * 2400)
            let beside = (0..<600).map { y in Array(rows.map { $0[y] }.joined(separator: gap.prefix(15))) }
            let below = rows.map { Array($0.joined()) }.joined(separator: gap)
            let strip = try result.raster()
            #expect(
                strip.size == (isVertical ? PixelSize(width: 800, height: 1810) : PixelSize(width: 2410, height: 600)))
            // Not in #expect: it would print millions of samples.
            let isWhole = strip.samples == (isVertical ? Array(below) : Array(beside.joined()))
            #expect(isWhole)
        }
        #expect(files[0] == files[1])
    }

    @Test func losslessWebPKeepsPixelsToo() async throws {
        var random = SplitMix(seed: 5)
        let kinds = SyntheticPage.Kind.all.filter {
            if case .png(let format) = $0 { format.bitsPerSample <= 8 } else { true }
        }
        for _ in 0..<10 {
            let job = StripJob.random(using: &random)
            let pages = try (0..<3).map { _ in try Self.page(&random, kinds) }
            try await Self.check(job, pages, to: "out.webp")
        }
    }

    @Test(arguments: [true, false]) func pagesAreScaledToTheWidest(_ isVertical: Bool) async throws {
        var random = SplitMix(seed: 6)
        for _ in 0..<10 {
            var job = StripJob(isVertical: isVertical, gap: 2)
            job.other["align"] = "scale"
            let pages = try (0..<3).map { _ in try Self.page(&random) }
            let sizes = pages.map { $0.pixels(on: .white).size }
            let widest = sizes.map { isVertical ? $0.width : $0.height }.max() ?? 0
            let length = sizes.reduce(4) { sum, size in
                let (along, across) = isVertical ? (size.height, size.width) : (size.width, size.height)
                return sum + max(1, Int((Double(along * widest) / Double(across)).rounded()))
            }
            let result = try await job.run(pages)
            #expect(
                try result.raster().size
                    == (isVertical
                        ? PixelSize(width: widest, height: length) : PixelSize(width: length, height: widest)))
            for (index, size) in sizes.enumerated() {
                let isScaled = (isVertical ? size.width : size.height) != widest
                let isKept = !isScaled && !pages[index].raster.format.hasAlpha
                #expect(result.compositions[index + 1]?.treatment == (isKept ? .lossless : .encoded))
            }
        }
    }

    /// The grays between black and white that scaling makes need more bits.
    @Test func scaledLineArtBecomesGray() async throws {
        var random = SplitMix(seed: 7)
        let line = SyntheticPage.Kind.png(.gray(bits: 1))
        let (small, large) = (
            try SyntheticPage(line, PixelSize(width: 20, height: 20), using: &random),
            try SyntheticPage(line, PixelSize(width: 33, height: 20), using: &random)
        )
        var job = StripJob()
        job.other["align"] = "scale"
        let strip = try await job.run([small, large]).raster()
        #expect(strip.format == .gray(bits: 8))
        #expect(Set(strip.samples).count > 10)
        // Nothing is scaled here.
        #expect(try await job.run([large, large]).raster().format == .gray(bits: 1))
    }

    /// A request for every pixel is fulfilled, or rejected.
    @Test func losslessModeRejectsPixelLoss() async throws {
        var random = SplitMix(seed: 8)
        let deep = try SyntheticPage(.png(.gray(bits: 16)), PixelSize(width: 9, height: 9), using: &random)
        let wide = try SyntheticPage(.png(.gray(bits: 8)), PixelSize(width: 12, height: 9), using: &random)
        var job = StripJob()
        job.isLossless = true
        #expect(try await job.run([deep, wide]).compositions[1]?.treatment == .lossless)
        let error = await #expect(throws: AdapterError.self) { try await job.run([deep, wide], to: "out.webp") }
        #expect(error?.code == .unsupported)
        job.other["align"] = "scale"
        let other = await #expect(throws: AdapterError.self) { try await job.run([deep, wide]) }
        #expect(other?.code == .unsupported)
        #expect(try await job.run([wide, wide]).compositions[2]?.treatment == .lossless)
    }

    /// A profile that all pages have is the strip's; one for gray does not apply to a colored background.
    @Test(arguments: [true, false]) func theProfileFitsTheSamples(_ isVertical: Bool) async throws {
        let profile = SyntheticProfile.dim
        let raster = Raster(
            size: PixelSize(width: 16, height: 16), format: .gray(bits: 8), samples: (0..<256).map { UInt8($0) },
            iccProfile: profile)
        let page = SyntheticPage(png: raster)
        var job = StripJob(isVertical: isVertical, gap: 2)
        let plain = try await job.run([page, page]).raster()
        #expect(plain.iccProfile == profile)
        #expect(Pixels(plain) == job.expected([page, page]))
        job.background = RGB(red: 1, green: 2, blue: 3)
        let colored = try await job.run([page, page]).raster()
        #expect(colored.iccProfile == nil)
        let converted = SyntheticPage(png: try raster.inSRGB())
        #expect(converted.raster.samples != raster.samples)
        #expect(Pixels(colored) == job.expected([converted, converted]))
    }

    @Test func theResolutionTurnsWithThePage() async throws {
        let raster = Raster(size: PixelSize(width: 3, height: 2), format: .gray(bits: 8), samples: [1, 2, 3, 4, 5, 6])
        let page = try SyntheticPage(
            jpeg: raster, exif: 6, resolution: Resolution(horizontal: 300, vertical: 150))
        let strip = try await StripJob().run([page, page]).raster()
        #expect(abs((strip.resolution?.horizontal ?? 0) - 150) < 1)
        #expect(abs((strip.resolution?.vertical ?? 0) - 300) < 1)
    }

    @Test func bookWithoutPagesIsRejected() async throws {
        let error = await #expect(throws: AdapterError.self) { try await StripJob().run([]) }
        #expect(error?.code == .empty)
    }
}
