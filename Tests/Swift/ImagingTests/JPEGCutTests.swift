import Imaging
import PageModel
import Scratch
import Testing

/// Cuts that take the coded data as they are, and those where that cannot be.
@Suite struct JPEGCutTests {
    private static let size = PixelSize(width: 80, height: 80)
    private static let part = PixelRect(x: 16, y: 32, width: 60, height: 40)

    private static func changed(_ file: [UInt8], _ command: String) throws -> [UInt8] {
        try ReferenceTool.output("\(command) in > out", file, as: "")
    }

    /// The segments with Huffman tables.
    private static func tables(of file: [UInt8]) throws -> ArraySlice<UInt8> {
        let scan = try #require(JPEGHeader(file)?.scanOffset)
        let first = try #require((0..<scan).first { file[$0] == 0xFF && file[$0 + 1] == 0xC4 })
        return file[first..<scan]
    }

    /// Tables that were made for the picture are good for its parts, as long as they have the codes.
    @Test(.needs("cjpeg", "jpegtran"), arguments: [SyntheticJPEG.Sampling.gray, .both, .full, .eighth])
    func tablesOfTheirOwnAreKept(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 7)
        var kept = 0
        for _ in 0..<20 {
            let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
            let file = try Self.changed(made.file, "jpegtran -optimize")
            let framing = Framing(Self.size).keeping(
                PixelRect(x: sampling.grid.width, y: sampling.grid.height, width: 40, height: 60))
            let cut = try JPEGSurgery.cut(file, to: framing).file
            let rect = framing.rect
            let wanted = try Self.changed(file, "jpegtran -optimize -crop \(rect.size)+\(rect.x)+\(rect.y)")
            #expect(try Self.changed(cut, "jpegtran -optimize") == wanted, "\(made)")
            if try Self.tables(of: cut) == Self.tables(of: file) { kept += 1 }
        }
        #expect(kept > 5)
    }

    /// Steps from block to block that differ from those at the start of a row: the cut needs a step in between, which
    /// has no code.
    @Test(.needs("cjpeg", "jpegtran")) func tablesThatLackACodeAreReplaced() throws {
        let samples = (0..<Self.size.area).map { UInt8($0 % Self.size.width / 8 * 24) }
        let pixels = Array("P5 80 80 255\n".utf8) + samples
        let file = try Self.changed(pixels, "cjpeg -optimize -quality 50")
        let cut = try JPEGSurgery.cut(file, to: Framing(Self.size).keeping(Self.part)).file
        #expect(try Self.tables(of: cut) != Self.tables(of: file))
        #expect(try Self.changed(file, "jpegtran -optimize -crop 60x40+16+32") == cut)
    }

    /// Components in scans of their own are put together.
    @Test(.needs("cjpeg", "jpegtran")) func scansArePutTogether() throws {
        var random = SplitMix(seed: 7)
        let made = try SyntheticJPEG.random(.both, Self.size, plainly: true, using: &random)
        let file = try ReferenceTool.output("printf '0;\n1;\n2;\n' > s; jpegtran -scans s in > out", made.file, as: "")
        let cut = try JPEGSurgery.cut(file, to: Framing(Self.size).keeping(Self.part)).file
        #expect(try Self.changed(file, "jpegtran -optimize -crop 60x40+16+32") == cut)
    }

    /// Differences that restarted after each restart marker are now relative to the block before.
    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases, ["1B", "3B", "1"])
    func restartsAreTakenOut(_ sampling: SyntheticJPEG.Sampling, _ interval: String) throws {
        var random = SplitMix(seed: 8)
        let made = try SyntheticJPEG.random(sampling, PixelSize(width: 150, height: 70), plainly: true, using: &random)
        let file = try Self.changed(made.file, "jpegtran -restart \(interval)")
        #expect(JPEGHeader(file)?.restartInterval != nil)
        for rect in [
            PixelRect(x: 0, y: 0, width: 150, height: 70), PixelRect(x: 32, y: 32, width: 75, height: 21),
            PixelRect(x: 64, y: 0, width: 86, height: 70),
        ] {
            let cut = try JPEGSurgery.cut(file, to: Framing(made.size).keeping(rect)).file
            #expect(JPEGHeader(cut)?.restartInterval == nil)
            #expect(try Self.changed(file, "jpegtran -crop \(rect.size)+\(rect.x)+\(rect.y)") == cut, "\(made) \(rect)")
        }
    }

    /// Fill bytes may stand before any marker.
    @Test(.needs("jpegtran")) func fillBytesBeforeMarkersAreIgnored() throws {
        let plain = try Self.changed(try Self.gray(), "jpegtran -restart 5B")
        let scan = try #require(JPEGHeader(plain)?.scanOffset) + 10
        var filled = Array(plain[..<scan])
        for (byte, next) in zip(plain[scan...], plain[(scan + 1)...] + [0]) {
            filled += byte == 0xFF && next != 0 ? [0xFF, 0xFF, 0xFF] : [byte]
        }
        #expect(filled.count > plain.count + 10)
        let framing = Framing(Self.size).keeping(Self.part)
        #expect(try JPEGSurgery.cut(filled, to: framing).file == JPEGSurgery.cut(plain, to: framing).file)
    }

    /// Fill bytes are not allowed within the data: libjpeg-turbo skips them, but not without a trace in the pixels. The
    /// part shows the same pixels as the whole.
    @Test func fillBytesWithinTheDataAreReadAsReadersDo() throws {
        let plain = try Self.gray()
        let scan = try #require(JPEGHeader(plain)?.scanOffset) + 10
        var filled = Array(plain[..<scan])
        for byte in plain[scan...] { filled += byte == 0xFF ? [0xFF, 0xFF] : [byte] }
        let cut = try JPEGSurgery.cut(filled, to: Framing(Self.size).keeping(Self.part)).file
        let whole = try JPEGDecoder.decode(filled, maximumPixels: 1 << 16).raster
        let rows = (Self.part.y..<Self.part.y + Self.part.height).map { $0 * Self.size.width + Self.part.x }
        let shown = rows.flatMap { whole.samples[$0..<$0 + Self.part.width] }
        #expect(try JPEGDecoder.decode(cut, maximumPixels: 1 << 16).raster.samples == shown)
    }

    private static func gray() throws -> [UInt8] {
        var random = SplitMix(seed: 10)
        let writer = try JPEGWriter(size: size, format: .gray(bits: 8), fidelity: .quality(98))
        try writer.write(SyntheticJPEG.slopes(size, .gray(bits: 8), &random))
        return try writer.finish()
    }

    /// A thumbnail must not show the cropped area.
    @Test func aThumbnailOfTheWholeIsDropped() throws {
        var random = SplitMix(seed: 9)
        let writer = try JPEGWriter(size: Self.size, format: .gray(bits: 8), fidelity: .quality(85))
        try writer.write(SyntheticJPEG.slopes(Self.size, .gray(bits: 8), &random))
        let plain = try writer.finish()
        // Two by one pixels in the JFIF segment, whose contents are 14 bytes without.
        let withThumbnail = [0xFF, 0xD8, 0xFF, 0xE0, 0, 22] + plain[6..<18] + [2, 1, 9, 9, 9, 8, 8, 8] + plain[20...]
        let framing = Framing(Self.size).keeping(Self.part)
        #expect(try JPEGSurgery.cut(withThumbnail, to: framing).file == JPEGSurgery.cut(plain, to: framing).file)
    }
}
