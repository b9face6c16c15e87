import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGRowTests {
    private static let grid = PixelSize(width: 16, height: 16)

    private static func row(
        _ sizes: [(width: Int, height: Int)], gap: Int = 0, free: Int = 0, seam: JoinedPicture.Seam
    ) -> JPEGRow? {
        var parts: [JPEGRow.Part] = []
        var x = 0
        for size in sizes {
            let size = PixelSize(width: size.width, height: size.height)
            parts.append(
                JPEGRow.Part(framing: Framing(size), grid: grid, place: PixelRect(x: x, y: 0, size)))
            x += size.width + gap
        }
        let size = PixelSize(width: x - gap + free, height: sizes.map(\.height).max() ?? 0)
        return JPEGRow(parts, size: size, seam: seam)
    }

    private static func text(_ row: JPEGRow?) -> String? {
        row.map { row in
            "\(row.size)" + row.pieces.map { " \($0.place.x)+\($0.place.width)/\($0.page.width)" }.joined()
        }
    }

    @Test func pagesOnTheGridStandAsTheyAre() {
        for seam in JoinedPicture.Seam.allCases {
            #expect(Self.text(Self.row([(32, 20), (21, 20)], seam: seam)) == "53x20 0+32/32 32+21/21")
            #expect(Self.text(Self.row([(32, 20), (21, 20)], gap: 16, seam: seam)) == "69x20 0+32/32 48+21/21")
        }
    }

    @Test func pagesOffTheGridAreShownMoreOrLessOf() {
        #expect(Self.text(Self.row([(20, 20), (21, 20)], seam: .pad)) == "53x20 0+32/20 32+21/21")
        #expect(Self.text(Self.row([(20, 20), (21, 20)], seam: .trim)) == "37x20 0+16/16 16+21/21")
        #expect(Self.row([(20, 20), (21, 20)], seam: .exact) == nil)
        // A gap absorbs the missing pixels.
        #expect(Self.text(Self.row([(20, 20), (21, 20)], gap: 12, seam: .pad)) == "53x20 0+32/20 32+21/21")
        // A free area on the right needs a clean end, too.
        #expect(Self.text(Self.row([(20, 20)], free: 20, seam: .pad)) == "40x20 0+32/20")
        #expect(Self.text(Self.row([(20, 20)], free: 20, seam: .trim)) == "40x20 0+16/16")
        // Nothing would be left.
        #expect(Self.row([(9, 20), (21, 20)], seam: .trim) == nil)
    }

    /// A page narrower than an MCU begins before its place when it is moved to the grid, and ends with the whole: so does
    /// then the page before it, which must not reach into it.
    @Test func aNarrowPageKeepsItsPlace() {
        #expect(Self.text(Self.row([(40, 20), (4, 20)], seam: .trim)) == "36x20 0+32/32 32+4/4")
        #expect(Self.text(Self.row([(40, 20), (8, 20)], seam: .trim)) == "40x20 0+32/32 32+8/8")
    }

    @Test func shorterPagesEndWhereTheGridDoes() throws {
        let padded = try #require(Self.row([(32, 20), (32, 48)], seam: .pad))
        #expect(padded.pieces[0].place.height == 32 && padded.pieces[0].page.height == 20)
        // Never beyond the whole.
        let close = try #require(Self.row([(32, 20), (32, 24)], seam: .pad))
        #expect(close.size.height == 24 && close.pieces[0].place.height == 24)
        #expect(Self.row([(32, 20), (32, 48)], seam: .trim)?.pieces[0].place.height == 16)
        #expect(Self.row([(32, 20), (32, 48)], seam: .exact) == nil)
    }

    @Test func pagesMoveToTheNearestLineOfTheGrid() throws {
        let (short, tall) = (PixelSize(width: 32, height: 32), PixelSize(width: 32, height: 64))
        for (y, place) in [(0, 0), (7, 0), (8, 16), (16, 16), (23, 16), (24, 32), (32, 32)] {
            let parts = [
                JPEGRow.Part(framing: Framing(short), grid: Self.grid, place: PixelRect(x: 0, y: y, short)),
                JPEGRow.Part(framing: Framing(tall), grid: Self.grid, place: PixelRect(x: 32, y: 0, tall)),
            ]
            let size = PixelSize(width: 64, height: 64)
            let row = try #require(JPEGRow(parts, size: size, seam: .pad))
            #expect(row.pieces.map(\.place.y) == [place, 0] && row.drift == abs(y - place))
            #expect((JPEGRow(parts, size: size, seam: .exact) == nil) == (y % 16 != 0))
        }
    }

    /// Beyond a page's edge, the padding of its last blocks is shown, and their average after those; the pages
    /// themselves keep every pixel except those that libjpeg's upsampling mixes with the neighbor's.
    @Test(.needs("cjpeg"), arguments: SyntheticJPEG.Sampling.allCases, [false, true])
    func pagesKeepTheirPixels(_ sampling: SyntheticJPEG.Sampling, _ mayBeAnyKind: Bool) throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<10 {
            let quality = Int.random(in: 30...95, using: &random)
            func made() throws -> SyntheticJPEG {
                let size = PixelSize(
                    width: .random(in: 20...70, using: &random), height: .random(in: 20...70, using: &random))
                return try .random(sampling, size, quality: quality, plainly: !mayBeAnyKind, using: &random)
            }
            let pages = [try made(), try made()]
            var x = 0
            let height = pages.map(\.size.height).max() ?? 0
            let parts = pages.map { page in
                defer { x += page.size.width }
                return JPEGRow.Part(
                    framing: Framing(page.size), grid: sampling.grid,
                    place: PixelRect(x: x, y: (height - page.size.height) / 2, page.size))
            }
            let size = PixelSize(width: pages[0].size.width + pages[1].size.width, height: height)
            let row = try #require(JPEGRow(parts, size: size, seam: .pad))
            #expect(row.size.width - size.width < sampling.grid.width)
            let joined = try JPEGSurgery.compose(
                zip(pages, row.pieces).map {
                    JPEGSurgery.Piece(
                        file: $0.file, framing: $1.framing, x: $1.place.x, y: $1.place.y, size: $1.place.size)
                }, size: row.size, background: sampling.isGray ? [255] : [255, 128, 128])
            #expect(joined.diagnostic == nil)
            let whole = try JPEGSurgeryTests.decode(joined.file)
            for (page, piece) in zip(pages, row.pieces) {
                let part = whole.framed(Framing(whole.size).keeping(piece.page))
                let seam = sampling.seam
                let safe = PixelRect(
                    x: seam.width, y: seam.height, width: page.size.width - 2 * seam.width,
                    height: page.size.height - 2 * seam.height)
                #expect(part.difference(from: try JPEGSurgeryTests.decode(page.file), in: safe) == 0, "\(page)")
            }
        }
    }

    @Test func mergedJPEGRecordsItsPages() throws {
        let size = PixelSize(width: 32, height: 16)
        let pages = [PixelRect(x: 0, y: 0, width: 16, height: 16), PixelRect(x: 16, y: 0, width: 12, height: 10)]
        let writer = try JPEGWriter(size: size, format: .gray(bits: 8), fidelity: .quality(50))
        try writer.write([UInt8](repeating: 99, count: size.area))
        let plain = try writer.finish()
        #expect(JPEGMetadata.mergedPages(in: plain).isEmpty)
        let marked = JPEGMetadata.marking(pages: pages, mergedInto: size, in: plain)
        #expect(JPEGMetadata.mergedPages(in: marked) == pages && JPEGHeader(marked)?.hasMergeMark == true)
        // A new note takes the place of the old one, and a cut takes it away.
        let other = JPEGMetadata.marking(pages: [pages[0]], mergedInto: size, in: marked)
        #expect(JPEGMetadata.mergedPages(in: other) == [pages[0]])
        let cut = try JPEGSurgery.cut(marked, to: Framing(size).keeping(pages[0]))
        #expect(try JPEGSurgery.cut(plain, to: Framing(size).keeping(pages[0])).file == cut.file)
        // A note with another size is ignored.
        let wrong = JPEGMetadata.marking(pages: pages, mergedInto: PixelSize(width: 33, height: 16), in: plain)
        #expect(JPEGMetadata.mergedPages(in: wrong).isEmpty)
        // Nor is one that was copied to another picture.
        var changed = marked
        changed[changed.count - 3] ^= 1
        #expect(JPEGMetadata.mergedPages(in: changed).isEmpty)
    }

    /// A background has its color for any components of a JPEG.
    @Test(arguments: ["cmyk", "ycck", "cmyk-adobe", "rgb", "gray"])
    func theBackgroundHasItsColor(_ name: String) throws {
        let file = try Fixture.bytes("made/\(name).jpg")
        let header = try #require(JPEGHeader(file))
        let (size, grid) = (try #require(header.size), try #require(header.grid))
        let x = (size.width + grid.width - 1) / grid.width * grid.width
        for color in [RGB.white, .black, RGB(red: 100, green: 100, blue: 100), RGB(red: 200, green: 40, blue: 90)] {
            guard let background = color.levels(in: header) else {
                #expect(name == "gray" && !color.isGray)
                continue
            }
            let whole = PixelSize(width: x + 2 * grid.width, height: size.height)
            let piece = JPEGSurgery.Piece(
                file: file, framing: Framing(size), size: PixelSize(width: x, height: size.height))
            let result = try JPEGSurgery.compose([piece], size: whole, background: background)
            let raster = try JPEGSurgeryTests.decode(result.file)
            let pixel = raster.framed(
                Framing(whole).keeping(PixelRect(x: x + grid.width + 4, y: size.height / 2, width: 1, height: 1)))
            let wanted = raster.format.hasColor ? [color.red, color.green, color.blue] : [color.red]
            for (found, level) in zip(pixel.samples, wanted) {
                // The divisors of the fixtures are coarse, and CMYK is made RGB by a rule of thumb.
                #expect(abs(Int(found) - Int(level)) <= 12, "\(name) \(color)")
            }
        }
    }
}
