import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGSurgeryTests {
    static func decode(_ file: [UInt8]) throws -> Raster {
        let drawing = try JPEGDecoder.decode(file, maximumPixels: 1 << 20)
        #expect(drawing.diagnostics.isEmpty)
        return drawing.raster
    }

    /// What jpegtran calls the orientations, in EXIF's order.
    private static let turns = [
        "", "-flip horizontal", "-rotate 180", "-flip vertical", "-transpose", "-rotate 90", "-transverse",
        "-rotate 270",
    ]

    /// A part of a picture of this size.
    private static func part(of size: PixelSize, _ random: inout SplitMix) -> PixelRect {
        let (x, y) = (Int.random(in: 0..<size.width, using: &random), Int.random(in: 0..<size.height, using: &random))
        return PixelRect(
            x: x, y: y, width: .random(in: 1...size.width - x, using: &random),
            height: .random(in: 1...size.height - y, using: &random))
    }

    /// What jpegtran makes of it: a JPEG as small as ours, of the same kind, with the standard's Huffman tables where cjpeg
    /// took those.
    private static func reference(_ made: SyntheticJPEG, _ operations: [String]) throws -> [UInt8] {
        let options = made.hasStandardTables ? "" : made.isProgressive ? "-optimize -progressive " : "-optimize "
        let steps = operations.map { "jpegtran -copy all \(options)\($0)" }
        return try ReferenceTool.output("set -e; cat in | \(steps.joined(separator: " | ")) > out", made.file, as: "")
    }

    private static func crop(_ rect: PixelRect) -> String { "-crop \(rect.size)+\(rect.x)+\(rect.y)" }

    /// Every byte is the one that jpegtran writes, so that every coefficient is; and the pixels are those there were.
    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases)
    func aCutKeepsItsPixels(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 1)
        var changed = false
        for _ in 0..<25 {
            let made = try SyntheticJPEG.random(sampling, using: &random)
            #expect(JPEGHeader(made.file)?.grid == sampling.grid)
            let asked = Framing(made.size).keeping(Self.part(of: made.size, &random))
            let framing = try #require(JPEGSurgery.lossless(asked, grid: sampling.grid))
            let rect = framing.rect
            let result = try JPEGSurgery.cut(made.file, to: framing)
            #expect(result.diagnostic == nil)
            #expect(result.file == (try Self.reference(made, [Self.crop(rect)])), "\(made) \(rect)")

            let (whole, cut) = (try Self.decode(made.file), try Self.decode(result.file))
            #expect(cut.size == rect.size)
            guard sampling.isSpread(atWidth: rect.width), sampling.isSpread(atWidth: made.size.width) else { continue }
            // Only sides where something was cut away are seams.
            let left = rect.x > 0 ? sampling.seam.width : 0
            let top = rect.y > 0 ? sampling.seam.height : 0
            let right = rect.x + rect.width < made.size.width ? sampling.seam.width : 0
            let bottom = rect.y + rect.height < made.size.height ? sampling.seam.height : 0
            let safe = PixelRect(
                x: left, y: top, width: rect.width - left - right, height: rect.height - top - bottom)
            let part = whole.framed(framing)
            #expect(cut.difference(from: part, in: safe) == 0, "\(made) \(rect)")
            if cut != part { changed = true }
        }
        // The seam is no more than caution says.
        #expect(changed == (sampling.seam.width + sampling.seam.height > 0))
    }

    /// Whole pictures turned; where an MCU that is only partly picture would have to come first, it is refused.
    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases)
    func aTurnIsRefusedWhereItWouldLose(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 2)
        for round in 0..<4 {
            let grid = sampling.grid
            func side(_ unit: Int, _ isAligned: Bool) -> Int {
                isAligned
                    ? unit * Int.random(in: 1...3, using: &random)
                    : unit * Int.random(in: 0...2, using: &random) + Int.random(in: 1..<unit, using: &random)
            }
            // Both sides on the grid, one, none.
            let size = PixelSize(width: side(grid.width, round & 1 == 0), height: side(grid.height, round & 2 == 0))
            let made = try SyntheticJPEG.random(sampling, size, using: &random)
            let whole = try Self.decode(made.file)
            for exif in 1...8 {
                let framing = Framing(size, try #require(Orientation(exif: exif)))
                let wanted = try? Self.reference(made, ["-perfect \(Self.turns[exif - 1])"])
                #expect((JPEGSurgery.lossless(framing, grid: grid) == nil) == (wanted == nil), "\(made) \(exif)")
                guard let wanted else {
                    #expect(throws: PictureFault.self) { try JPEGSurgery.cut(made.file, to: framing) }
                    continue
                }
                #expect(JPEGSurgery.lossless(framing, grid: grid) == framing)
                let result = try JPEGSurgery.cut(made.file, to: framing)
                #expect(result.file == wanted, "\(made) \(exif)")
                let turned = try Self.decode(result.file)
                #expect(turned.size == framing.full)
                guard sampling.isGray || sampling == .full else { continue }
                let maximum = Self.rounding(framing.orientation, sampling)
                #expect(turned.difference(from: whole.framed(framing)) <= maximum, "\(made) \(exif)")
            }
        }
    }

    /// How far a turned picture's samples may be from the picture's turned samples: the inverse transform rounds after
    /// its columns and after its rows, which change places; a level of color differences is up to 1.772 of blue.
    private static func rounding(_ orientation: Orientation, _ sampling: SyntheticJPEG.Sampling) -> Int {
        orientation.isTransposed ? (sampling.isGray ? 1 : 3) : 0
    }

    /// Parts of turned pictures: as jpegtran makes them in three steps, cutting before it turns and after.
    @Test(.needs("cjpeg", "jpegtran"), arguments: SyntheticJPEG.Sampling.allCases)
    func aTurnedCutKeepsItsPixels(_ sampling: SyntheticJPEG.Sampling) throws {
        var random = SplitMix(seed: 3)
        var refused = 0
        for _ in 0..<30 {
            let made = try SyntheticJPEG.random(sampling, using: &random)
            let exif = Int.random(in: 1...8, using: &random)
            let orientation = try #require(Orientation(exif: exif))
            let laid = Framing(made.size, orientation)
            guard
                let framing = JPEGSurgery.lossless(
                    laid.keeping(Self.part(of: laid.full, &random)), grid: sampling.grid)
            else {
                refused += 1
                continue
            }
            let rect = framing.rect
            let result = try JPEGSurgery.cut(made.file, to: framing)
            // The corner that comes first lies on the grid; the opposite one is freed again after the turn.
            let across = Self.reach(rect.x, laid.full.width, orientation.isMirroredAcross)
            let down = Self.reach(rect.y, laid.full.height, orientation.isMirroredDown)
            let (x, y) = orientation.isTransposed ? (down, across) : (across, down)
            let kept = PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
            let wanted = try Self.reference(
                made,
                [Self.crop(kept), "-perfect \(Self.turns[exif - 1])", Self.crop(PixelRect(x: 0, y: 0, rect.size))])
            #expect(result.file == wanted, "\(made) \(exif) \(rect)")
            guard sampling.isGray || sampling == .full else { continue }
            let turned = try Self.decode(made.file).framed(framing)
            let maximum = Self.rounding(orientation, sampling)
            #expect(try Self.decode(result.file).difference(from: turned) <= maximum, "\(made) \(exif) \(rect)")
        }
        #expect(refused < 20)
    }

    /// The part of a side of the source from the edge that comes first when it is oriented, to the far end.
    private static func reach(_ start: Int, _ whole: Int, _ isMirrored: Bool) -> Range<Int> {
        isMirrored ? 0..<whole - start : start..<whole
    }

    /// It holds what was asked for, and less than an MCU more, on the two sides where a JPEG begins.
    @Test func theLeastThatCanBeCutIsFound() throws {
        var random = SplitMix(seed: 4)
        var refused = 0
        for _ in 0..<4000 {
            let sampling = try #require(SyntheticJPEG.Sampling.allCases.randomElement(using: &random))
            let size = PixelSize(
                width: .random(in: 1...90, using: &random), height: .random(in: 1...90, using: &random))
            let orientation = try #require(Orientation(exif: .random(in: 1...8, using: &random)))
            let laid = Framing(size, orientation)
            let asked = laid.keeping(Self.part(of: laid.full, &random))
            let grid = orientation.applied(to: sampling.grid)
            /// Where a cut may begin.
            func starts(_ unit: Int, _ whole: Int, _ isMirrored: Bool) -> [Int] {
                (0..<whole).filter { (isMirrored ? whole - $0 : $0).isMultiple(of: unit) }
            }
            let x = starts(grid.width, laid.full.width, orientation.isMirroredAcross).last { $0 <= asked.rect.x }
            let y = starts(grid.height, laid.full.height, orientation.isMirroredDown).last { $0 <= asked.rect.y }
            let found = JPEGSurgery.lossless(asked, grid: sampling.grid)
            guard let x, let y else {
                #expect(found == nil)
                refused += 1
                continue
            }
            let rect = asked.rect
            #expect(
                found
                    == asked.keeping(
                        PixelRect(
                            x: x, y: y, width: rect.x + rect.width - x, height: rect.y + rect.height - y)))
            #expect(rect.x - x < grid.width && rect.y - y < grid.height)
        }
        #expect((500...2500).contains(refused))
    }
}
