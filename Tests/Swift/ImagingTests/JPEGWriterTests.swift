import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGWriterTests {
    private static let size = PixelSize(width: 75, height: 53)

    private static func samples(_ format: PixelFormat, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix(seed: seed)
        return SyntheticJPEG.slopes(size, format, &random)
    }

    private static func file(
        _ format: PixelFormat, _ fidelity: JPEGWriter.Fidelity, isProgressive: Bool = false, isStreamed: Bool = false
    ) throws -> [UInt8] {
        let writer = try JPEGWriter(
            size: size, format: format, fidelity: fidelity, isProgressive: isProgressive, isStreamed: isStreamed)
        // In unequal parts.
        let (samples, row) = (Self.samples(format), size.width * format.bitsPerPixel / 8)
        var start = 0
        for count in [1, 16, 17, 0, 19] {
            try writer.write(Array(samples[start * row..<(start + count) * row]))
            start += count
        }
        return try writer.finish()
    }

    @Test(.needs("cjpeg"), arguments: SyntheticJPEG.Sampling.allCases.filter { $0 != .oddGray })
    func anotherPicturesTablesAreTaken(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 2)
        for quality in [1, 7, 50, 93, 100] {
            let made = try SyntheticJPEG.random(sampling, quality: quality, using: &random)
            let tables = try #require(JPEGTables(made.file))
            let format = sampling.isGray ? PixelFormat.gray(bits: 8) : .rgb(bits: 8)
            for (isProgressive, isStreamed) in [(false, false), (true, false), (false, true)] {
                let file = try Self.file(
                    format, .like(tables), isProgressive: isProgressive, isStreamed: isStreamed)
                #expect(JPEGTables(file) == tables, "\(quality)")
                #expect(JPEGHeader(file)?.grid == sampling.grid)
                #expect(try JPEGSurgeryTests.decode(file).size == Self.size)
            }
        }
    }

    /// The order of coefficients and their codes change; their values do not.
    @Test(arguments: [PixelFormat.gray(bits: 8), .rgb(bits: 8)], [20, 75, 100])
    func everyWayToWriteHoldsTheSame(_ format: PixelFormat, _ quality: Int) throws {
        let best = try Self.file(format, .quality(quality))
        let streamed = try Self.file(format, .quality(quality), isStreamed: true)
        let progressive = try Self.file(format, .quality(quality), isProgressive: true)
        let picture = try JPEGSurgeryTests.decode(best)
        #expect(picture.format == format)
        #expect(try JPEGSurgeryTests.decode(streamed) == picture)
        #expect(try JPEGSurgeryTests.decode(progressive) == picture)
        #expect(JPEGHeader(progressive)?.frame == .progressive)
        #expect(best.count < streamed.count)
        if quality == 100 && format == .gray(bits: 8) {
            let original = Raster(size: Self.size, format: format, samples: Self.samples(format))
            #expect(picture.difference(from: original) <= 2)
        }
    }

    @Test(.needs("jpegtran")) func tablesAreTheBest() throws {
        for isProgressive in [false, true] {
            let file = try Self.file(.rgb(bits: 8), .quality(80), isProgressive: isProgressive)
            let option = isProgressive ? "-progressive" : ""
            #expect(try ReferenceTool.output("jpegtran -copy all -optimize \(option) in > out", file, as: "") == file)
        }
    }

    @Test func resolutionAndProfileAreWritten() throws {
        let profile = [UInt8](repeating: 9, count: 70_000)
        let writer = try JPEGWriter(
            size: Self.size, format: .gray(bits: 8), fidelity: .quality(70),
            resolution: Resolution(horizontal: 299.7, vertical: 70_000), iccProfile: profile)
        try writer.write(Self.samples(.gray(bits: 8)))
        let header = try #require(JPEGHeader(try writer.finish()))
        #expect(header.iccProfile == profile)
        #expect(header.resolution == Resolution(horizontal: 300, vertical: 65_535))
        #expect(header.size == Self.size)
    }

    @Test func rowsTooFewOrTooManyAreRefused() throws {
        let row = [UInt8](repeating: 5, count: Self.size.width)
        func writer() throws -> JPEGWriter {
            try JPEGWriter(size: Self.size, format: .gray(bits: 8), fidelity: .quality(70))
        }
        let few = try writer()
        try few.write(row)
        #expect(throws: PictureFault.self) { try few.finish() }
        let many = try writer()
        for _ in 0..<Self.size.height { try many.write(row) }
        #expect(throws: PictureFault.self) { try many.write(row) }
        let more = try writer()
        #expect(throws: PictureFault.self) { try more.write(Array(repeating: row, count: 54).flatMap(\.self)) }
    }

    @Test func sizesAndFormatsBeyondJPEGAreRejected() {
        for (width, height) in [(65_501, 1), (1, 65_501)] {
            #expect(throws: PictureFault.self) {
                try JPEGWriter(
                    size: PixelSize(width: width, height: height), format: .gray(bits: 8), fidelity: .quality(9))
            }
        }
        for format in [PixelFormat.gray(bits: 1), .gray(bits: 16), .rgba(bits: 8)] {
            #expect(throws: PictureFault.self) {
                try JPEGWriter(size: Self.size, format: format, fidelity: .quality(9))
            }
        }
    }

    /// A strip that is given up has written much already.
    @Test func abandonedWriterLeavesNothingBehind() throws {
        let size = PixelSize(width: 400, height: 400)
        for count in [0, 1, 40, 399, 400] {
            for _ in 0..<5 {
                var random = SplitMix(seed: 3)
                let writer = try JPEGWriter(
                    size: size, format: .rgb(bits: 8), fidelity: .quality(100), isStreamed: true)
                try writer.write((0..<count * 1200).map { _ in UInt8.random(in: 0...255, using: &random) })
            }
        }
    }
}
