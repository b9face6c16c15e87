import AdapterKit
import Imaging
import PDFStructure
import PageModel
import Scratch
import Testing

/// Other people's programs show each page as its picture.
@Suite struct DrawingTests {
    private let made: SyntheticBook

    init() throws {
        made = try SyntheticBook()
    }

    /// What draws a page at a size: the arguments are the PDF and the width and height, and the result a PNG.
    static let programs = [
        "pdftoppm -png -singlefile -scale-to-x %w -scale-to-y %h '%i' '%o'",
        "mutool draw -q -c rgb -A 0 -w %w -h %h -o '%o.png' '%i' 1",
    ]

    private func draw(_ page: FinishedPage, _ program: String, _ size: PixelSize) async throws -> Raster {
        let path = try await made.write([page])
        let line = program.replacing("%w", with: "\(size.width)").replacing("%h", with: "\(size.height)")
            .replacing("%i", with: path).replacing("%o", with: made.scratch("drawn"))
        let outcome = try Program.outcome(line)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let bytes = try Files.read(made.scratch("drawn.png"))
        return try PictureDecoder.decode(bytes, .png, maximumPixels: 1 << 24).raster.narrowed().widened(
            to: .rgb(bits: 8))
    }

    /// The greatest difference of two samples.
    private func difference(_ one: Raster, _ other: Raster) -> Int {
        guard one.size == other.size else { return .max }
        return zip(one.samples, other.samples).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    private func meanDifference(_ one: Raster, _ other: Raster) -> Int {
        let sum = zip(one.samples, other.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return one.size == other.size ? sum / one.samples.count : .max
    }

    @Test(
        .needs("pdftoppm", "mutool"),
        arguments: [
            PixelFormat.gray(bits: 1), .gray(bits: 4), .gray(bits: 8), .gray(bits: 16), .rgb(bits: 8), .rgb(bits: 16),
            SyntheticRaster.palette(bits: 2), SyntheticRaster.palette(bits: 8), .rgba(bits: 8), .grayAlpha(bits: 8),
        ])
    func samples(_ format: PixelFormat) async throws {
        let raster = SyntheticRaster.of(format)
        let wanted = raster.flattened(on: .white).narrowed().widened(to: .rgb(bits: 8))
        let page = try FinishedPage.made(1, .png, PNGWriter.encode(raster))
        for program in Self.programs {
            let drawn = try await draw(page, program, raster.size)
            #expect(difference(drawn, wanted) <= 1, "\(program.prefix(8)) \(format)")
        }
    }

    @Test(.needs("pdftoppm", "mutool")) func fax() async throws {
        let page = try FinishedPage.made(1, .png, PNGWriter.encode(SyntheticRaster.bars))
        for program in Self.programs {
            let drawn = try await draw(page, program, SyntheticRaster.size)
            #expect(difference(drawn, SyntheticRaster.bars.widened(to: .rgb(bits: 8))) == 0, "\(program.prefix(8))")
        }
    }

    /// Pictures side by side on one page, the first of them shown again in part and turned; what they leave free has the
    /// color that was asked for.
    @Test(.needs("pdftoppm", "mutool", "qpdf")) func spread() async throws {
        let raster = SyntheticRaster.of(.rgb(bits: 8))
        var page = try FinishedPage.made(1, .png, PNGWriter.encode(raster), resolution: Resolution(72))
        guard case .encoded(let whole) = page.content else { return }
        var part = whole
        let edits: [Edit] = [.turn(quarters: 1), .crop(PixelRect(x: 10, y: 20, width: 50, height: 40))]
        part.framing = Framing(raster.size, edits: edits)
        let places = [PixelRect(x: 0, y: 0, raster.size), PixelRect(x: 100, y: 11, width: 50, height: 40)]
        let spread = FinishedPage.Spread(
            zip([whole, part], places).map {
                FinishedPage.Spread.Part(.encoded($0), at: $1, resolution: Resolution(72))
            },
            size: PixelSize(width: 150, height: 121), background: RGB(red: 255, green: 0, blue: 9))
        page.content = .spread(spread)

        var wanted = [UInt8]((0..<150 * 121).flatMap { _ in [255, 0, 9] as [UInt8] })
        let framed = raster.framed(part.framing ?? Framing(raster.size))
        for (picture, place) in zip([raster, framed], places) {
            for y in 0..<place.height {
                let row = picture.samples[y * place.width * 3..<(y + 1) * place.width * 3]
                let start = ((place.y + y) * 150 + place.x) * 3
                wanted.replaceSubrange(start..<start + row.count, with: row)
            }
        }
        for program in Self.programs {
            let drawn = try await draw(page, program, spread.size)
            #expect(
                difference(drawn, Raster(size: spread.size, format: .rgb(bits: 8), samples: wanted)) <= 1,
                "\(program.prefix(8))")
        }
        // It is there once, and the page has the size that 72 pixels per inch make.
        let (_, pages) = try await made.written([page])
        #expect(pages[0].box("MediaBox") == [0, 0, 150, 121])
        let objects = pages[0]["Resources"]["XObject"]
        #expect(Set(objects.keys) == ["P0", "P1"] && objects["P0"].reference == objects["P1"].reference)
        #expect(try Program.outcome("qpdf --check '\(made.scratch("book.pdf"))'").status == 0)
    }

    /// A JPEG in each orientation that EXIF has.
    @Test(.needs("pdftoppm", "mutool"), arguments: 1...8) func orientations(_ value: Int) async throws {
        let raster = SyntheticRaster.of(.rgb(bits: 8))
        let jpeg = try PictureEncoder.encode(raster, as: .jpeg, .quality(95))
        let framing = Framing(raster.size, try #require(Orientation(exif: value)))
        let page = try FinishedPage.made(1, .jpeg, jpeg) { _ in framing }
        let wanted = try PictureDecoder.decode(jpeg, .jpeg, maximumPixels: 1 << 24).raster.framed(framing)
        for program in Self.programs {
            let drawn = try await draw(page, program, framing.full)
            #expect(difference(drawn, wanted) <= 1, "\(program.prefix(8))")
        }
    }

    /// Poppler follows profiles; its tables are coarse where a profile bends colors as much as this one does.
    @Test(.needs("pdftoppm")) func profiles() async throws {
        let page = try FinishedPage.fixture(1, "progressive-icc.jpg", .jpeg)
        let decoded = try PictureDecoder.decode(page.encoded().bytes, .jpeg, maximumPixels: 1 << 24).raster
        let drawn = try await draw(page, Self.programs[0], decoded.size)
        #expect(meanDifference(drawn, decoded) > 20)
        #expect(meanDifference(drawn, try decoded.inSRGB()) <= 3)
    }

    /// CMYK has no one look on a screen, but dark stays dark.
    @Test(.needs("pdftoppm", "mutool")) func cmyk() async throws {
        let page = try FinishedPage.fixture(1, "cmyk.jpg", .jpeg)
        let decoded = try PictureDecoder.decode(page.encoded().bytes, .jpeg, maximumPixels: 1 << 24).raster
        for program in Self.programs {
            let drawn = try await draw(page, program, decoded.size)
            #expect(meanDifference(drawn, decoded) < 48, "\(program.prefix(8))")
        }
    }

    @Test(.needs("pdfimages")) func pdfimagesTakesTheJPEGsOut() async throws {
        let names = ["baseline.jpg", "cmyk.jpg", "progressive-icc.jpg", "orientation-6.jpg"]
        let pages = try names.enumerated().map { try FinishedPage.fixture($0 + 1, $1, .jpeg) }
        let path = try await made.write(pages)
        #expect(Program.run("pdfimages -all '\(path)' '\(made.scratch("x"))'") == 0)
        for (index, page) in pages.enumerated() {
            #expect(try made.scratch.read("x-00\(index).jpg") == page.encoded().bytes)
        }
    }
}
