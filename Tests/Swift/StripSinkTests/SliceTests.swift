import Imaging
import PageModel
import Scratch
import Testing

/// Strips cut into files.
@Suite struct SliceTests {
    /// The slices put together again: they are named in the order in which they are read.
    static func joined(_ result: StripJob.Result, isVertical: Bool, isRightToLeft: Bool = false) throws -> Pixels {
        let places = Array(result.files.indices)
        let parts = try (isRightToLeft && !isVertical ? places.reversed() : places).map {
            Pixels(try result.raster($0))
        }
        if isVertical { return Pixels(parts.flatMap(\.rows)) }
        return Pixels((0..<parts[0].size.height).map { y in parts.flatMap { $0.rows[y] } })
    }

    @Test func noRowIsLostOrDoubled() async throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<30 {
            var job = StripJob.random(using: &random)
            let pages = try (0..<Int.random(in: 1...6, using: &random)).map { _ in try StripTests.page(&random) }
            let maximumLength = Int.random(in: 16...60, using: &random)
            job.other["strip-max"] = "\(maximumLength)"
            var files: [[[UInt8]]] = []
            for width in [1, 2] {
                job.width = width
                let result = try await job.run(pages, to: "out")
                files.append(result.files.map(\.bytes))
                #expect(result.compositions.keys.sorted() == Array(1...pages.count))
                #expect(
                    result.files.map(\.name)
                        == (1...result.files.count).map { $0 < 10 ? "000\($0).png" : "00\($0).png" })
                for index in result.files.indices {
                    let size = try result.raster(index).size
                    #expect((1...maximumLength).contains(job.isVertical ? size.height : size.width))
                }
                guard width == 1 else { continue }
                #expect(
                    try Self.joined(result, isVertical: job.isVertical, isRightToLeft: job.isRightToLeft)
                        == job.expected(pages), "\(job) \(maximumLength)")
            }
            #expect(files[0] == files[1])
        }
    }

    /// Noise, with bands of one color; whole bands lie within reach of every cut.
    @Test(arguments: [true, false], [PixelFormat.gray(bits: 8), .rgb(bits: 8), .rgb(bits: 16), .gray(bits: 1)])
    func cutsPreferQuietPlaces(_ isVertical: Bool, _ format: PixelFormat) async throws {
        var random = SplitMix(seed: 2)
        let bands = stride(from: 20, to: 600, by: 31).map { start in
            start..<start + Int.random(in: 2...7, using: &random)
        }
        let size = isVertical ? PixelSize(width: 24, height: 300) : PixelSize(width: 300, height: 24)
        let pages = try (0..<2).map { number in
            let noise = try SyntheticPage(.png(format), size, using: &random).raster
            var samples = noise.samples
            for y in 0..<size.height {
                for x in 0..<size.width
                where bands.contains(where: { $0.contains((isVertical ? y : x) + number * 300) }) {
                    for bit in x * format.bitsPerPixel..<(x + 1) * format.bitsPerPixel {
                        samples[y * noise.bytesPerRow + bit / 8] |= 0x80 >> UInt8(bit % 8)
                    }
                }
            }
            return SyntheticPage(png: Raster(size: size, format: format, samples: samples))
        }
        var job = StripJob(isVertical: isVertical)
        job.other["strip-max"] = "90"
        let result = try await job.run(pages, to: "out")
        #expect(try Self.joined(result, isVertical: isVertical) == job.expected(pages))
        var cut = 0
        for index in result.files.indices.dropLast() {
            let size = try result.raster(index).size
            cut += isVertical ? size.height : size.width
            #expect(bands.contains { $0.lowerBound < cut && cut < $0.upperBound }, "\(cut)")
            // Slices are long.
            #expect((isVertical ? size.height : size.width) > 90 - 31 - 7)
        }
        #expect(result.files.count >= 7)
    }

    @Test(arguments: [true, false]) func gapsAreQuiet(_ isVertical: Bool) async throws {
        var random = SplitMix(seed: 3)
        let size = PixelSize(width: 40, height: 40)
        let pages = try (0..<5).map { _ in try SyntheticPage(.png(.rgb(bits: 8)), size, using: &random) }
        var job = StripJob(isVertical: isVertical, gap: 10)
        job.other["strip-max"] = "60"
        let result = try await job.run(pages, to: "out")
        #expect(result.files.count == 5)
        #expect(try Self.joined(result, isVertical: isVertical) == job.expected(pages))
    }

    /// Each slice with the tables of the pages' finest, where the pages end off the grid.
    @Test func slicesMayBeJPEGs() async throws {
        var random = SplitMix(seed: 4)
        let kind = SyntheticPage.Kind.jpeg(isGray: true, isProgressive: false, exif: 1)
        let pages = try (0..<3).map { _ in try SyntheticPage(kind, PixelSize(width: 30, height: 41), using: &random) }
        for isVertical in [true, false] {
            var job = StripJob(isVertical: isVertical, encoding: EncodingRequest(format: .jpeg))
            job.other["strip-max"] = "50"
            let result = try await job.run(pages, to: "out")
            let whole = job.expected(pages)
            var start = 0
            for (name, bytes) in result.files {
                #expect(name.hasSuffix(".jpg"))
                let size = try #require(JPEGHeader(bytes)?.size)
                let rows = isVertical ? Array(whole.rows[start..<start + size.height]) : whole.rows
                let part = Pixels(isVertical ? rows : rows.map { Array($0[start..<start + size.width]) })
                start += isVertical ? size.height : size.width
                let wanted = try JPEGWriter(
                    size: size, format: .gray(bits: 8), fidelity: .like(try #require(JPEGTables(pages[0].bytes))),
                    isStreamed: true)
                try wanted.write(part.raster(isGray: true).samples)
                #expect(try wanted.finish() == bytes)
            }
            #expect(start == (isVertical ? 123 : 90))
        }
    }

    @Test(arguments: ["out.png", "out.jpeg", "a.b.webp"]) func manyFilesNeedAFolder(_ name: String) async throws {
        var random = SplitMix(seed: 5)
        var job = StripJob()
        job.other["strip-max"] = "50"
        let page = try StripTests.page(&random)
        let error = await #expect(throws: AdapterError.self) { try await job.run([page], to: name) }
        #expect(error?.code == .usage)
        let stem = name.split(separator: ".").dropLast().joined(separator: ".")
        #expect(error?.hint?.english.hasSuffix("/\(stem)/ --to strip") == true, "\(error?.hint ?? "")")
    }

    @Test func aSliceMustFitItsFormat() async throws {
        var random = SplitMix(seed: 6)
        var job = StripJob(encoding: EncodingRequest(format: .webp))
        job.other["strip-max"] = "20000"
        let page = try StripTests.page(&random)
        let error = await #expect(throws: AdapterError.self) { try await job.run([page], to: "out") }
        #expect(error?.code == .tooLarge)
        #expect(error?.hint?.english.contains("--strip-max 16383") == true)
    }
}
