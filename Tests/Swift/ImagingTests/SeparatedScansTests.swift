import PageModel
import Scratch
import Testing

@testable import Imaging

/// JPEGs become progressive without being decoded.
@Suite struct SeparatedScansTests {
    private static func coefficients(_ file: [UInt8]) throws -> [UInt8] {
        try ReferenceTool.output("jpegtran -copy none -optimize in > out", file, as: "")
    }

    /// The scans of `separate_scans`, written by jpegtran.
    private static func reference(_ file: [UInt8]) throws -> [UInt8] {
        let isGray = JPEGHeader(file)?.components.count == 1
        let scans =
            isGray
            ? "0: 0-0,0,0; 0: 1-9,0,0; 0: 10-27,0,0; 0: 28-63,0,0;"
            : "0 1 2: 0-0,0,0; 0: 1-9,0,0; 0: 10-63,0,0; 1: 1-63,0,0; 2: 1-63,0,0;"
        return try ReferenceTool.output("echo '\(scans)' > scans; jpegtran -scans scans in > out", file, as: "")
    }

    private static func gray(_ size: PixelSize, _ options: String = "", _ level: (Int) -> UInt8) throws -> [UInt8] {
        let picture = Array("P5 \(size.width) \(size.height) 255\n".utf8) + (0..<size.area).map(level)
        return try ReferenceTool.output("cjpeg \(options) -grayscale in > out", picture, as: "")
    }

    private static func requireEqual(_ file: [UInt8], _ name: String) throws {
        let result = try #require(SeparatedScans.progressive(file), "\(name)")
        #expect(JPEGHeader(result)?.frame == .progressive, "\(name)")
        #expect(try coefficients(result) == coefficients(file), "\(name)")
        // Equal symbols, whose codes may be chosen differently.
        #expect(try abs(result.count - reference(file).count) <= 32, "\(name)")
    }

    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases, 0..<12)
    func coefficientsStay(_ sampling: SyntheticJPEG.Sampling, _ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let made = try SyntheticJPEG.random(sampling, plainly: true, using: &random)
        try Self.requireEqual(made.file, "\(made)")
    }

    /// A run of blank blocks has at most 32,767 of them.
    @Test(.needs("cjpeg", "jpegtran"), arguments: [nil, 1, 2_499_999])
    func longRunsOfBlankBlocksAreDivided(_ place: Int?) throws {
        let size = PixelSize(width: 2000, height: 1250)
        try Self.requireEqual(Self.gray(size) { $0 == place ? 0 : 255 }, "\(place ?? 0)")
    }

    /// One high frequency, after more than 16 zeros.
    @Test(.needs("cjpeg", "jpegtran")) func longRunsOfZerosAreDivided() throws {
        let size = PixelSize(width: 64, height: 64)
        for period in 1...4 {
            let file = try Self.gray(size, "-quality 100") { ($0 % 64 + $0 / 64) % (2 * period) < period ? 255 : 254 }
            try Self.requireEqual(file, "\(period)")
        }
    }

    @Test(.needs("cjpeg", "jpegtran")) func otherJPEGsAreLeftToLibjpeg() throws {
        var random = SplitMix(seed: 1)
        let size = PixelSize(width: 70, height: 50)
        let gray = try SyntheticJPEG.random(.gray, size, plainly: true, using: &random).file
        #expect(SeparatedScans.progressive(gray) != nil)
        for options in ["-restart 1B", "-progressive", "-arithmetic"] {
            let file = try ReferenceTool.output("jpegtran \(options) in > out", gray, as: "")
            #expect(SeparatedScans.progressive(file) == nil, "\(options)")
        }
        for count in stride(from: 0, to: gray.count, by: 7) {
            #expect(SeparatedScans.progressive(Array(gray.prefix(count))) == nil, "\(count) bytes")
        }
    }

    /// Metadata stays.
    @Test(.needs("cjpeg", "jpegtran")) func markersStay() throws {
        let size = PixelSize(width: 40, height: 40)
        var file = try Self.gray(size) { UInt8($0 % 251) }
        let comment = Array("by the scanner".utf8)
        file.replaceSubrange(2..<2, with: [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment)
        let result = try #require(SeparatedScans.progressive(file))
        #expect(result.starts(with: file.prefix(6 + comment.count)))
    }

    /// What libjpeg complains about is left to it.
    @Test(.needs("cjpeg"), arguments: ["-grayscale", "-grayscale -optimize", "-sample 2x2", "-sample 1x2 -optimize"])
    func damagedDataAreNeverTakenAsSound(_ options: String) throws {
        var random = SplitMix(seed: 8)
        let size = PixelSize(width: 120, height: 90)
        let picture =
            Array("P6 \(size.width) \(size.height) 255\n".utf8) + SyntheticJPEG.slopes(size, .rgb(bits: 8), &random)
        let file = try ReferenceTool.output("cjpeg \(options) in > out", picture, as: "")
        for _ in 0..<600 {
            var copy = file
            let place = Int.random(in: 0..<copy.count, using: &random)
            copy[place] = UInt8(truncatingIfNeeded: random.next())
            guard let result = SeparatedScans.progressive(copy) else { continue }
            let one = try JPEGDecoder.decode(copy, maximumPixels: 1 << 20)
            let other = try JPEGDecoder.decode(result, maximumPixels: 1 << 20)
            #expect(one.diagnostics.isEmpty && other.diagnostics.isEmpty, "byte \(place)")
            #expect(one.raster.samples == other.raster.samples, "byte \(place)")
        }
    }
}
