import PageModel
import Scratch
import Testing

@testable import Imaging

/// The kinds of JPEG that overlays make, and the ways to make them, have equal coefficients.
@Suite struct OverlaidJPEGTests {
    private static let size = JPEGPatchTests.size

    private static func strokes(_ rect: PixelRect) -> PictureOverlay.Area { JPEGPatchTests.strokes(rect) }

    private static func coefficients(_ file: [UInt8]) throws -> [UInt8] { try JPEGPatchTests.coefficients(file) }

    /// A page of little print, whose blank blocks need a code each unless it is progressive.
    private static func sparsePage(colors: String, _ options: String = "-optimize", rows: Int = 48) throws -> [UInt8] {
        let levels = (0..<Self.size.area).map { $0 / Self.size.width % rows < 4 && $0 % 5 == 0 ? UInt8(60) : 240 }
        let samples = colors == "P5" ? levels : levels.flatMap { [$0, $0, $0 - 40] }
        let picture = Array("\(colors) \(Self.size.width) \(Self.size.height) 255\n".utf8) + samples
        return try ReferenceTool.output("cjpeg \(options) -quality 90 -sample 1x1 in > out", picture, as: "")
    }

    /// Progressive JPEGs have the same coefficients.
    @Test(.needs("cjpeg", "jpegtran")) func sparseImagesBecomeProgressiveInsteadOfLarger() throws {
        let file = try Self.sparsePage(colors: "P6")
        let areas = [Self.strokes(PixelRect(x: 5, y: 201, width: 90, height: 9))]
        let patch = try #require(ScanPatch.patch(file, areas))
        #expect(patch.growth > 1.03)
        let laid = try JPEGSurgery.lay(PictureOverlay(areas), on: file)
        #expect(laid.becomesProgressive && JPEGHeader(laid.file)?.frame == .progressive)
        #expect(laid.file.count < patch.overlaid.file.count && laid.share == patch.overlaid.share)
        #expect(try Self.coefficients(laid.file) == Self.coefficients(patch.overlaid.file))
        // Little is added.
        let dot = try JPEGSurgery.lay(
            PictureOverlay([Self.strokes(PixelRect(x: 5, y: 201, width: 2, height: 2))]), on: file)
        #expect(!dot.becomesProgressive && JPEGHeader(dot.file)?.frame == .baseline)
    }

    /// Gray pages are written without libjpeg.
    @Test(.needs("cjpeg", "jpegtran")) func sparseGrayImagesBecomeProgressiveInsteadOfLarger() throws {
        // Optimal tables lack the difference with which the part begins.
        let file = try Self.sparsePage(colors: "P5", "", rows: 320)
        let areas = PictureOverlay([Self.strokes(PixelRect(x: 5, y: 201, width: 90, height: 9))]).withoutTint.areas
        let patch = try #require(ScanPatch.patch(file, areas))
        #expect(patch.growth > 1.03)
        let laid = try JPEGSurgery.lay(PictureOverlay(areas), on: file)
        #expect(laid.becomesProgressive && JPEGHeader(laid.file)?.frame == .progressive)
        #expect(laid.share == patch.overlaid.share)
        #expect(try Self.coefficients(laid.file) == Self.coefficients(patch.overlaid.file))
        let whole = try JPEGSurgery.encode(areas, on: file, .progressive)
        #expect(try Self.coefficients(laid.file) == Self.coefficients(whole.file))
        #expect(laid.file.count <= whole.file.count + 16 && laid.file.count < patch.overlaid.file.count)
    }

    /// The whole image under an overlay of nothing, and the given one.
    private static func enlarged(_ area: PictureOverlay.Area) -> PictureOverlay.Area {
        let (rect, count) = (area.rect, 3 * area.rect.width)
        var large = PictureOverlay.Area(
            PixelRect(x: 0, y: 0, Self.size), black: [UInt8](repeating: 0, count: 3 * Self.size.area),
            white: [UInt8](repeating: 255, count: 3 * Self.size.area))
        for y in 0..<rect.height {
            let place = 3 * ((rect.y + y) * Self.size.width + rect.x)
            large.black.replaceSubrange(place..<place + count, with: area.black[count * y..<count * (y + 1)])
            large.white.replaceSubrange(place..<place + count, with: area.white[count * y..<count * (y + 1)])
        }
        return large
    }

    /// An area of most of the image is decoded with all of it, a small one by itself.
    @Test(
        .needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases, ["", "-progressive", "-scans scans"])
    func largeAreasHaveTheCoefficientsOfSmallOnes(_ sampling: SyntheticJPEG.Sampling, _ options: String) throws {
        var random = SplitMix(seed: 9)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        // Decoders smooth images whose lowest frequencies are incomplete. The result has them in full.
        let all = sampling.isGray ? "0" : "0 1 2"
        let scans = "\(all): 0-0,0,0; 0: 1-5,0,2;"
        let file = try ReferenceTool.output(
            "echo '\(scans)' > scans; jpegtran \(options) in > out", made.file, as: "")
        let small = Self.strokes(PixelRect(x: 101, y: 93, width: 60, height: 21))
        let large = Self.enlarged(small)
        let (one, other) = (try JPEGSurgery.encode([small], on: file), try JPEGSurgery.encode([large], on: file))
        #expect(one.share == other.share)
        #expect(try Self.coefficients(one.file) == Self.coefficients(other.file))
        // Two areas in one region are both there.
        let halves = [PixelRect(x: 0, y: 0, width: 203, height: 105), PixelRect(x: 0, y: 105, width: 203, height: 212)]
        let parts = halves.map { half in
            let range = 3 * half.y * Self.size.width..<3 * (half.y + half.height) * Self.size.width
            return PictureOverlay.Area(half, black: Array(large.black[range]), white: Array(large.white[range]))
        }
        let divided = try JPEGSurgery.encode(parts, on: file)
        #expect(divided.share == one.share)
        #expect(try Self.coefficients(divided.file) == Self.coefficients(one.file))
    }

    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases, ["", "-restart 2B"])
    func progressiveImagesStayProgressive(_ sampling: SyntheticJPEG.Sampling, _ options: String) throws {
        var random = SplitMix(seed: 4)
        let made = try SyntheticJPEG.random(sampling, Self.size, plainly: true, using: &random)
        let file = try ReferenceTool.output("jpegtran -progressive \(options) in > out", made.file, as: "")
        let laid = try JPEGSurgery.lay(PictureOverlay(JPEGPatchTests.areas), on: file)
        #expect(!laid.becomesProgressive && JPEGHeader(laid.file)?.frame == .progressive)
        #expect(JPEGHeader(laid.file)?.restartInterval == JPEGHeader(file)?.restartInterval)
        let areas = sampling.isGray ? PictureOverlay(JPEGPatchTests.areas).withoutTint.areas : JPEGPatchTests.areas
        let whole = try JPEGSurgery.encode(areas, on: file)
        #expect(laid.share == whole.share && laid.file.count <= whole.file.count * 104 / 100 + 16)
        #expect(try Self.coefficients(laid.file) == Self.coefficients(whole.file))
    }

    @Test(.needs("cjpeg", "jpegtran")) func touchedBlocksOfGrayImagesAreKnown() throws {
        var random = SplitMix(seed: 2)
        let made = try SyntheticJPEG.random(.oddGray, Self.size, plainly: true, using: &random)
        let areas = PictureOverlay(JPEGPatchTests.areas).withoutTint.areas
        let (file, isTouched) = try JPEGSurgery.composite(areas, on: made.file)
        #expect(JPEGHeader(file)?.size == Self.size && isTouched.count == 26 * 40)
        let whole = try JPEGSurgery.encode(areas, on: made.file)
        #expect(isTouched.count { $0 } == Int((whole.share * 26 * 40).rounded()))
        #expect(isTouched[5 * 26 + 2] && !isTouched[4 * 26 + 2] && !isTouched[5 * 26 + 1])
        #expect(throws: PictureFault.self) { try JPEGSurgery.composite(JPEGPatchTests.areas, on: made.file) }
        let color = try SyntheticJPEG.random(.full, Self.size, plainly: true, using: &random).file
        #expect(throws: PictureFault.self) { try JPEGSurgery.composite(areas, on: color) }
        #expect(throws: PictureFault.self) { try JPEGSurgery.composite(areas, on: Array(made.file.dropLast(99))) }
        let outside = PictureOverlay.Area(
            PixelRect(x: 200, y: 0, width: 4, height: 1), black: [0, 0, 0, 0], white: [0, 0, 0, 0])
        #expect(throws: PictureFault.self) { try JPEGSurgery.composite([outside], on: made.file) }
    }

    /// A watermark costs more bytes in any case.
    @Test(.needs("cjpeg", "jpegtran")) func imagesUnderLargeOverlaysStaySequential() throws {
        let file = try Self.sparsePage(colors: "P6")
        let line = Self.strokes(PixelRect(x: 5, y: 201, width: 90, height: 9))
        let rest = 90 * 81 * 3
        let areas = [
            PictureOverlay.Area(
                PixelRect(x: 5, y: 201, width: 90, height: 90),
                black: line.black + [UInt8](repeating: 0, count: rest),
                white: line.white + [UInt8](repeating: 255, count: rest))
        ]
        let patch = try #require(ScanPatch.patch(file, areas))
        #expect(patch.growth > 1.03 && patch.growth < 1.25)
        let laid = try JPEGSurgery.lay(PictureOverlay(areas), on: file)
        #expect(!laid.becomesProgressive && JPEGHeader(laid.file)?.frame == .baseline)
    }

    /// Gray blocks of a color image need no bytes then.
    @Test(.needs("cjpeg", "jpegtran"), arguments: ["-optimize", "-progressive"])
    func grayImagesThatBecomeColorAreProgressive(_ options: String) throws {
        let file = try Self.sparsePage(colors: "P5", options)
        var red = Self.strokes(PixelRect(x: 5, y: 201, width: 9, height: 9))
        for place in stride(from: 0, to: red.black.count, by: 3) where red.white[place] == 0 {
            (red.black[place], red.white[place]) = (200, 200)
        }
        let laid = try JPEGSurgery.lay(PictureOverlay([red]), on: file)
        let plain = try JPEGSurgery.encode([red], on: file)
        #expect(laid.becomesProgressive == (options != "-progressive") && !plain.becomesProgressive)
        let header = try #require(JPEGHeader(laid.file))
        #expect(header.components.count == 3 && header.frame == .progressive && laid.file.count < plain.file.count)
        #expect(try Self.coefficients(laid.file) == Self.coefficients(plain.file))
    }
}
