import AdapterKit
import Imaging
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Scans with something over them, next to them or between them.
@Suite struct ScanTests {
    private static let size = PixelSize(width: 320, height: 240)

    /// A gray JPEG of a pattern, so large that a page of 115.2 by 86.4 points shows it at 200 pixels per inch.
    private static let scan: [UInt8] = {
        let samples = (0..<size.area).map { place in UInt8(truncatingIfNeeded: (place % 320 + place / 320 * 2) / 3 + 60)
        }
        let raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
        return (try? PictureEncoder.encode(raster, as: .jpeg, .quality(85))) ?? []
    }()

    private static func picture(_ jpeg: [UInt8]) -> String {
        let hex = jpeg.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + ">"
        let size = JPEGHeader(jpeg)?.size ?? PixelSize(width: 1, height: 1)
        return SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image/Width \(size.width)/Height \(size.height)/BitsPerComponent 8"
                + "/ColorSpace/DeviceGray/Filter[/ASCIIHexDecode/DCTDecode]", hex)
    }

    /// The picture of a page. 3 is its content, 4 a font, 5 the scan; others follow.
    private func picture(
        _ content: String, box: String = "0 0 115.2 86.4", pictures: [[UInt8]] = [scan], streams: [String]? = nil,
        page: String = "",
        resources: String = "", scans: ScanTreatment = ScanTreatment(), resolution: Double? = nil
    ) async throws -> Picture {
        let streams = streams ?? pictures.map(Self.picture)
        let names = streams.indices.map { "/S\($0) \(5 + $0) 0 R" }.joined()
        let objects =
            [SyntheticPDF.stream("", content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
            + streams
        let dictionary =
            "/MediaBox[\(box)]/Contents 3 0 R\(page)/Resources<</Font<</F 4 0 R>>/XObject<<\(names)>>\(resources)>>"
        let scratch = try ScratchFolder()
        let path = try scratch.write("page.pdf", SyntheticPDF.bytes(pages: [dictionary], objects))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: resolution, seconds: Patience.secondsOfDrawing, scans: scans,
            limits: Limits()
        ).opened()
        let picture = try await book.sequence.pages[0].examine()
        // The file is read when the picture is.
        for representation in picture.representations {
            if case .encoded(let encoded) = representation { _ = try await encoded.read().bytes }
        }
        return picture
    }

    private func encoded(_ picture: Picture) throws -> EncodedPicture {
        guard case .encoded(let encoded)? = picture.representations.first else {
            throw AdapterError(.empty, picture.reason ?? "is drawn")
        }
        return encoded
    }

    private static func samples(_ file: [UInt8]) throws -> Raster {
        try PictureDecoder.decode(file, DecodeRequest(.jpeg, maximumPixels: 1 << 20)).raster
    }

    private static let paint = "q 115.2 0 0 86.4 0 0 cm /S0 Do Q "

    /// Producers round the area that they clip a scan to.
    @Test(arguments: [(114.95, true), (114.8, false)])
    func clipsThatOnlyRoundLeaveTheScan(_ width: Double, _ isCopied: Bool) async throws {
        let picture = try await picture("0 0 \(width) 86.4 re W n " + Self.paint)
        guard isCopied else {
            #expect(picture.reason == "the image is clipped")
            return
        }
        #expect(try await encoded(picture).read().bytes == Self.scan)
    }

    /// What lies over a gray JPEG may give it color, and then it can only be cut at every second block.
    @Test func grayScansAreCutWhereTheyCanBeInColor() async throws {
        #expect(try encoded(try await picture(Self.paint)).grid == PixelSize(width: 8, height: 8))
        let stamped = try encoded(try await picture(Self.paint + "1 0 0 rg 10 10 20 5 re f"))
        #expect(stamped.grid == JPEGHeader(try await stamped.read().bytes)?.grid)
    }

    @Test func textLiesOnTheScan() async throws {
        let picture = try await picture(Self.paint + "BT /F 8 Tf 10 10 Td (Downloaded) Tj ET")
        let encoded = try encoded(picture)
        #expect(encoded.overlay?.description == "text")
        let file = try await encoded.read()
        let (before, after) = (try Self.samples(Self.scan), try Self.samples(file.bytes))
        #expect(after.size == Self.size && after.format == .gray(bits: 8))
        let share = try #require(file.patchResult?.share)
        #expect(share > 0 && share < 0.1)
        // The upper half of the page is the scan's, to the last coefficient.
        let half = Self.size.area / 2
        #expect(before.samples.prefix(half) == after.samples.prefix(half))
        // Black letters on a scan whose darkest level is 60.
        #expect((after.samples.dropFirst(half).min() ?? 255) < 30)
    }

    @Test(arguments: ["BT 3 Tr /F 8 Tf 10 10 Td (words) Tj ET", "0 0 0 rg 500 500 20 20 re f"])
    func invisibleContentLeavesTheScanUnchanged(_ content: String) async throws {
        let encoded = try encoded(try await picture(Self.paint + content))
        let file = try await encoded.read()
        #expect(file.bytes == Self.scan && file.patchResult?.share ?? 0 == 0)
    }

    @Test func unusualBlendingIsDrawn() async throws {
        let content = Self.paint + "/B gs 0.3 0.6 0.1 rg 10 10 50 50 re f"
        await #expect(throws: AdapterError.self) {
            _ = try await picture(content, resources: "/ExtGState<</B<</BM/Difference>>>>")
        }
    }

    @Test func marginsAreLeftOut() async throws {
        let picture = try await picture(Self.paint, box: "-12 -10 130 95")
        let encoded = try encoded(picture)
        #expect(picture.leavesMarginsOut && picture.size == Self.size)
        #expect(try await encoded.read().bytes == Self.scan)
    }

    /// Producers paint the paper white before the scan, some of it with boxes that are empty.
    @Test(arguments: ["1 g -12 -10 142 105 re f", "1 g 30 70 0 0 re F", "/DeviceRGB cs 1 1 1 sc 0 0 10 10 re f*"])
    func whitePaperBelowAScanWithMarginsIsNothing(_ paper: String) async throws {
        let picture = try await picture("q \(paper) Q \(Self.paint)", box: "-12 -10 130 95")
        #expect(try await encoded(picture).read().bytes == Self.scan)
    }

    @Test(arguments: ["0.9 g -12 -10 142 105 re f", "1 g -12 -10 142 105 re B", "/P gs 1 g -12 -10 142 105 re f"])
    func paperThatMayShowInMarginsIsDrawn(_ paper: String) async throws {
        await #expect(throws: AdapterError.self) {
            let picture = try await picture(
                "q \(paper) Q \(Self.paint)", box: "-12 -10 130 95", resources: "/ExtGState<</P<</ca 0.5>>>>")
            _ = try encoded(picture)
        }
    }

    /// 0.02 degrees move no corner by as much as producers round; 0.5 degrees do.
    @Test func hardlySkewedScanIsCopied() async throws {
        let hardly = "q 115.2 0.0402 -0.0302 86.4 0.015 -0.02 cm /S0 Do Q "
        #expect(try await encoded(try await picture(hardly)).read().bytes == Self.scan)
        let plainly = "q 115.2 1.005 -0.754 86.4 0.4 -0.5 cm /S0 Do Q "
        await #expect(throws: AdapterError.self) { _ = try encoded(try await picture(plainly)) }
    }

    /// A skewed scan is drawn: with its own tables that costs as much as the scan did.
    @Test func drawnScanReportsItsOriginalEncoding() async throws {
        let size = PixelSize(width: 900, height: 600)
        let raster = Raster(size: size, format: .gray(bits: 8), samples: [UInt8](repeating: 90, count: size.area))
        let large = try PictureEncoder.encode(raster, as: .jpeg, .quality(60))
        let slanted = "q 115.2 3 -3 86.4 0 0 cm /S0 Do Q "
        guard case .jpeg(let read)? = try drawn(await picture(slanted, pictures: [large])).likeness else {
            Issue.record("the drawing is like no JPEG")
            return
        }
        #expect(try await read() == large)
        // A small scan, an enlarged one, and one of several layers.
        #expect(try drawn(await picture(slanted)).likeness == nil)
        let coarse = slanted + "BT /F 8 Tf 10 10 Td (vectors) Tj ET"
        #expect(try drawn(await picture(coarse, box: "0 0 2000 1500", pictures: [large])).likeness == nil)
        let layers = slanted + "q 100 2 -2 80 9 4 cm /S1 Do Q"
        guard case .layers? = try drawn(await picture(layers, pictures: [large, large])).likeness else {
            Issue.record("the drawing is not of layers")
            return
        }
    }

    /// `--dpi` with the resolution that is chosen without it changes nothing.
    @Test func onlyAnotherResolutionLeavesTheOriginalEncoding() async throws {
        let size = PixelSize(width: 900, height: 600)
        let raster = Raster(size: size, format: .gray(bits: 8), samples: [UInt8](repeating: 90, count: size.area))
        let large = try PictureEncoder.encode(raster, as: .jpeg, .quality(60))
        let slanted = "q 115.2 3 -3 86.4 0 0 cm /S0 Do Q "
        let usual = try drawn(await picture(slanted, pictures: [large]))
        let whole = usual.resolution.rounded()
        let same = try drawn(await picture(slanted, pictures: [large], resolution: whole))
        #expect(same.likeness != nil && same.size == usual.size)
        let other = try drawn(await picture(slanted, pictures: [large], resolution: whole + 9))
        #expect(other.likeness == nil && other.resolution == whole + 9)
    }

    /// A skewed black-and-white scan is rendered with few levels, unless other content could be too faint for them.
    @Test func drawnBilevelScanReportsIt() async throws {
        let size = PixelSize(width: 1000, height: 600)
        let samples = String(repeating: "00FF", count: size.area / 16) + ">"
        let scan = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image/Width \(size.width)/Height \(size.height)/BitsPerComponent 1"
                + "/ColorSpace/DeviceGray/Filter/ASCIIHexDecode", samples)
        let slanted = "q 115.2 3 -3 86.4 0 0 cm /S0 Do Q "
        guard case .bilevel? = try drawn(await picture(slanted, streams: [scan])).likeness else {
            Issue.record("the drawing is not bilevel")
            return
        }
        let faint = slanted + "0.98 g 0 0 50 50 re f"
        #expect(try drawn(await picture(faint, streams: [scan])).likeness == nil)
    }

    /// Rotated by 1 degree clockwise about its middle, as software does that straightens pages. A text over it is left out.
    @Test(arguments: ["", "BT /F 8 Tf 10 10 Td (Downloaded) Tj ET"])
    func scanAloneIsNotSlanted(_ over: String) async throws {
        let slanted = "q 115.182 -2.011 1.508 86.387 -0.745 1.012 cm /S0 Do Q "
        let page = try await picture(slanted + over)
        #expect(abs(try #require(page.slant) - 1) < 0.01)
        _ = try drawn(page)
        let scan = try await picture(slanted + over, scans: ScanTreatment(pagesAs: .scan))
        #expect(abs(try #require(scan.slant) - 1) < 0.01)
        #expect(scan.size == Self.size)
        #expect(try await encoded(scan).read().bytes == Self.scan)
    }

    @Test(arguments: [
        // Sheared, rotated by 20 degrees, upright.
        "115.2 0 9 86.4 0 0", "108.25 -39.4 29.55 81.19 0 20", "115.2 0 0 86.4 0 0",
    ])
    func otherShapesHaveNoSlant(_ matrix: String) async throws {
        let page = try await picture("q \(matrix) cm /S0 Do Q", scans: ScanTreatment(pagesAs: .scan))
        #expect(page.slant == nil)
    }

    /// The slant is reported only where another `--pages-as` changes it.
    @Test func slantThatNoOptionRemovesIsNotReported() async throws {
        let slanted = "q 115.182 -2.011 1.508 86.387 -0.745 1.012 cm /S0 Do Q "
        #expect(try await picture(slanted, scans: ScanTreatment(pagesAs: .page)).slant == nil)
        for pagesAs in [PagesAs.auto, .scan] {
            let translucent = try await picture(
                "/P gs " + slanted, resources: "/ExtGState<</P<</ca 0.5>>>>", scans: ScanTreatment(pagesAs: pagesAs))
            #expect(translucent.slant == nil)
        }
    }

    private func drawn(_ picture: Picture) throws -> DrawnPicture {
        guard case .drawn(let drawn)? = picture.representations.first else {
            throw AdapterError(.empty, "is not drawn")
        }
        return drawn
    }

    @Test func textInMarginsIsKept() async throws {
        let picture = try await picture(
            Self.paint + "BT /F 8 Tf 10 -8 Td (Downloaded) Tj ET", box: "-3 -10 118 90")
        let encoded = try encoded(picture)
        #expect(!picture.leavesMarginsOut)
        let after = try Self.samples(try await encoded.read().bytes)
        let place = try #require(encoded.size.map { PixelRect(x: 0, y: 0, $0) })
        #expect(place.width > Self.size.width && place.height > Self.size.height)
        #expect((after.samples.dropFirst((Self.size.height + 16) * after.size.width).min() ?? 255) < 30)
        // The grid begins 8 pixels beyond the margin of 3 points, which is 8 pixels wide, at the most.
        let corner = after.samples[0]
        #expect(corner == 255)
    }

    @Test func stripsAreJoined() async throws {
        let strips = try [(0, 128), (128, 112)].map { y, height in
            try JPEGSurgery.cut(
                Self.scan, to: Framing(Self.size).keeping(PixelRect(x: 0, y: y, width: 320, height: height))
            ).file
        }
        let content = "q 115.2 0 0 46.08 0 40.32 cm /S0 Do Q q 115.2 0 0 40.32 0 0 cm /S1 Do Q"
        let encoded = try encoded(try await picture(content, pictures: strips))
        #expect(encoded.size == Self.size)
        #expect(try Self.samples(try await encoded.read().bytes) == Self.samples(Self.scan))
    }

    /// Strips that repeat the first row of the next one are cut where that begins.
    @Test func stripsThatOverlapAreJoined() async throws {
        let strips = try [(0, 136), (128, 112)].map { y, height in
            try JPEGSurgery.cut(
                Self.scan, to: Framing(Self.size).keeping(PixelRect(x: 0, y: y, width: 320, height: height))
            ).file
        }
        // The first one ends a row after the second one's beginning.
        var shorter = strips[0]
        let header = try #require(shorter.firstRange(of: [0xFF, 0xC0])).lowerBound
        (shorter[header + 5], shorter[header + 6]) = (0, 129)
        let content = "q 115.2 0 0 46.44 0 39.96 cm /S0 Do Q q 115.2 0 0 40.32 0 0 cm /S1 Do Q"
        let encoded = try encoded(try await picture(content, pictures: [shorter, strips[1]]))
        #expect(encoded.size == Self.size)
        #expect(try Self.samples(try await encoded.read().bytes) == Self.samples(Self.scan))
    }

    @Test func opaqueShapesHideTheScanInEveryByte() async throws {
        let encoded = try encoded(try await picture(Self.paint + "0 0 0 rg 28.8 28.8 28.8 28.8 re f"))
        let after = try Self.samples(try await encoded.read().bytes)
        for y in 82..<158 {
            for x in 82..<158 { #expect(after.samples[y * 320 + x] < 8) }
        }
    }

    /// A report quotes the text over a scan. It must not quote what a redaction hides.
    @Test func wordsUnderAnOpaqueShapeAreNotQuoted() async throws {
        let words = "BT /F 8 Tf 10 50 Td (Secret) Tj ET BT /F 8 Tf 10 10 Td (Downloaded) Tj ET "
        let open = try encoded(try await picture(Self.paint + words))
        #expect(try await open.read().patchResult?.text == "Secret Downloaded")
        let hidden = try encoded(try await picture(Self.paint + words + "0 0 0 rg 5 45 60 15 re f"))
        #expect(try await hidden.read().patchResult?.text == "Downloaded")
    }

    @Test func opaqueShapesStayOnTheScanAlone() async throws {
        let content = Self.paint + "0 0 0 rg 28.8 28.8 28.8 28.8 re f"
        let kept = try await picture(content, scans: ScanTreatment(pagesAs: .scan))
        #expect(kept.removed?.kept != nil)
        let shown = try Self.samples(try await encoded(kept).read().bytes)
        #expect(shown.samples[120 * 320 + 120] < 8)
        let uncovered = try await picture(content, scans: ScanTreatment(pagesAs: .scan, uncovers: true))
        #expect(try await encoded(uncovered).read().bytes == Self.scan)
        let drawn = try await picture(content, scans: ScanTreatment(pagesAs: .page))
        #expect(drawn.representations.count == 1)
    }
}
