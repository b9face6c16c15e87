import AdapterKit
import Imaging
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Scans in layers: coarse paper, and letters as a finer mask over it.
@Suite struct LayerTests {
    /// A mask of 48 × 36 pixels: every pixel of even column and row is painted, and the last column.
    private static let size = PixelSize(width: 48, height: 36)
    private static func isPainted(_ x: Int, _ y: Int) -> Bool { x % 2 == 0 && y % 2 == 0 || x == size.width - 1 }

    private static let mask: String = {
        var hex = ""
        for y in 0..<size.height {
            for byte in 0..<size.width / 8 {
                let bits = (0..<8).reduce(0) { $0 << 1 | (isPainted(byte * 8 + $1, y) ? 0 : 1) }
                hex += (bits < 16 ? "0" : "") + String(bits, radix: 16)
            }
        }
        return stencil(hex, size)
    }()

    private static func stencil(_ hex: String, _ size: PixelSize) -> String {
        SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image/Width \(size.width)/Height \(size.height)/BitsPerComponent 1"
                + "/ImageMask true/Filter/ASCIIHexDecode", hex + ">")
    }

    /// Two by two pixels of paper.
    private static let paper = SyntheticPDF.stream(
        "/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/ASCIIHexDecode",
        "F0F0F0F0>")

    /// Paper all over, and the mask at 288 pixels per inch, off the corner by parts of a pixel.
    private static let scan = "q 20 0 0 20 0 0 cm /Paper Do Q q 12 0 0 9 2.1 3.07 cm /Mask Do Q "

    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func drawn(
        _ content: String, mask: String = mask, page: String = "", pagesAs: PagesAs = .auto
    ) async throws -> DrawnPicture {
        let dictionary =
            "/MediaBox[0 0 20 20]/Contents 3 0 R\(page)/Resources<</Font<</F 4 0 R>>/XObject<</Paper 5 0 R/Mask 6 0 R>>>>"
        let objects = [
            SyntheticPDF.stream("", content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", Self.paper, mask,
        ]
        let path = try scratch.write("page.pdf", SyntheticPDF.bytes(pages: [dictionary], objects))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing,
            scans: ScanTreatment(pagesAs: pagesAs), limits: Limits()
        ).opened()
        guard case .drawn(let drawn)? = try await book.sequence.pages[0].examine().representations.first else {
            throw AdapterError(.empty, "is not drawn")
        }
        return drawn
    }

    @Test(arguments: [0, 90, 180, 270])
    func everyPixelOfTheMaskIsOneOfTheDrawing(_ degrees: Int) async throws {
        let drawn = try await drawn(Self.scan, page: "/Rotate \(degrees)")
        #expect(drawn.layers == 2 && drawn.resolution == 288 && drawn.size == PixelSize(width: 79, height: 79))
        let upright = Orientation.upright.rotated(quarters: (4 - degrees / 90) % 4)
        var raster = try await drawn.draw().raster.withoutNeedlessColor()
        raster = raster.framed(Framing(raster.size, upright))
        // 2.1 points from the left are 8.4 pixels, and 7.93 from the top 31.72: the page is moved by less than a pixel.
        let inked = raster.samples.indices.filter { raster.samples[$0] < 8 }
        let paper = raster.samples.indices.filter { raster.samples[$0] == 240 }
        let wanted = (0..<Self.size.area).count { Self.isPainted($0 % Self.size.width, $0 / Self.size.width) }
        #expect(inked.count == wanted && inked.count + paper.count == 79 * 79)
        let (left, top) = (inked.map { $0 % 79 }.min() ?? 0, inked.map { $0 / 79 }.min() ?? 0)
        #expect(abs(left - 8) <= 1 && abs(top - 31) <= 1)
        for place in 0..<Self.size.area where Self.isPainted(place % Self.size.width, place / Self.size.width) {
            #expect(raster.samples[(top + place / Self.size.width) * 79 + left + place % Self.size.width] < 8)
        }
    }

    @Test(arguments: [
        // A mask that is slanted, and one that is coarse.
        "q 20 0 0 20 0 0 cm /Paper Do Q q 12 1 -1 9 4 3 cm /Mask Do Q",
        "q 20 0 0 20 0 0 cm /Paper Do Q q 60 0 0 45 0 0 cm /Mask Do Q",
        // Paper that covers little.
        "q 9 0 0 9 0 0 cm /Paper Do Q q 12 0 0 9 2.1 3.07 cm /Mask Do Q",
        // Text next to a mask that is not larger than an icon, and text finer than the mask.
        "q 20 0 0 20 0 0 cm /Paper Do Q q 6 0 0 4.5 2 3 cm /Mask Do Q BT /F 3 Tf 1 15 Td (set) Tj ET",
        "q 20 0 0 20 0 0 cm /Paper Do Q q 16 0 0 12 2 3 cm /Mask Do Q BT /F 3 Tf 1 15 Td (set) Tj ET",
    ])
    func otherPagesAreDrawn(_ content: String) async throws {
        #expect(try await drawn(content).layers == nil)
    }

    @Test func textOverTheScanIsDrawnOnItsPixels() async throws {
        #expect(try await drawn(Self.scan + "BT /F 3 Tf 1 15 Td (over) Tj ET").layers == 2)
    }

    @Test func pageIsDrawnWholeOnRequest() async throws {
        #expect(try await drawn(Self.scan, pagesAs: .page).layers == nil)
    }
}
