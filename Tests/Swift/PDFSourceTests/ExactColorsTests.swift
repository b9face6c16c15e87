import AdapterKit
import Files
import Imaging
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Images whose colors poppler would change without a report, and images that only look as if they had to be rendered.
@Suite struct ExactColorsTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// A page with an image of 4 by 1 pixels.
    ///
    /// - Parameters:
    ///   - image: entries of the image, whose last of a key counts.
    ///   - more: the objects from number 5 on.
    private func page(
        _ image: String, _ samples: String, _ more: [String] = [], content: String = "q 40 0 0 10 0 0 cm /I Do Q",
        resources: String = ""
    ) async throws -> Picture {
        let entries = "/Type/XObject/Subtype/Image/Width 4/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray"
        let objects = [
            SyntheticPDF.stream("\(entries)/Filter/ASCIIHexDecode\(image)", samples + ">"),
            SyntheticPDF.stream("", content),
        ]
        let page = "/MediaBox[0 0 40 10]/Contents 4 0 R/Resources<</XObject<</I 3 0 R>>\(resources)>>"
        return try await picture(SyntheticPDF.bytes(pages: [page], objects + more))
    }

    private func picture(_ file: [UInt8]) async throws -> Picture {
        let path = try scratch.write("colors.pdf", file)
        let source = PDFSource()
        let opened = try await source.open(
            Input(path: path), settings: Settings(source.descriptor.settings, given: [:]), limits: Limits())
        return try await opened.sequence.pages[0].examine()
    }

    private func sampled(_ picture: Picture) async throws -> Raster {
        guard case .sampled(let sampled)? = picture.representations.first else {
            throw AdapterError(.unsupported, picture.reason ?? "is not sampled")
        }
        return try await sampled.read().raster
    }

    private func drawn(_ picture: Picture) async throws -> Raster {
        guard case .drawn(let drawn)? = picture.representations.last else { throw AdapterError(.empty, "not drawn") }
        return try await drawn.draw().raster
    }

    /// The values are those of the formula, which transicc returns as well; the white point is that of the paper.
    @Test(arguments: ["/WhitePoint[.9505 1 1.089]/Gamma 1.8", "/WhitePoint[.9642 1 .8249]/Gamma 1.8"])
    func calibratedGrayIsNeutral(_ space: String) async throws {
        let found = try await page("/ColorSpace[/CalGray<<\(space)>>]", "004080FF")
        let own = try await sampled(found)
        #expect(own.samples == [0, 64, 128, 255] && own.iccProfile != nil)
        let expected = [0, 81, 146, 255]
        let shown = try own.inSRGB().samples.map { Int($0) }
        #expect(zip(shown, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(shown)")
        // Rendered below a line as well: all channels are equal, but for the rounding of a profile.
        let lined = try await page(
            "/ColorSpace[/CalGray<<\(space)>>]", "004080FF",
            content: "q 40 0 0 10 0 0 cm /I Do Q q .01 w 0 0 m 0 1 l S Q")
        let pixels = try await drawn(lined)
        let row = pixels.samples.prefix(3 * pixels.size.width).map { Int($0) }
        let spreads = stride(from: 0, to: row.count, by: 3).map { pixel in
            (row[pixel..<pixel + 3].max() ?? 0) - (row[pixel..<pixel + 3].min() ?? 0)
        }
        #expect(spreads.allSatisfy { $0 <= 1 }, "\(row)")
        #expect(row.first == 0 && (row.last ?? 0) >= 254)
    }

    @Test func calibratedWhiteIsWhite() async throws {
        // The primaries of sRGB, adapted to another white point.
        let space =
            "/WhitePoint[.9642 1 .8249]/Gamma[1.8 1.8 1.8]"
            + "/Matrix[.4361 .2225 .0139 .3851 .7169 .0971 .1431 .0606 .7141]"
        let found = try await page("/ColorSpace[/CalRGB<<\(space)>>]", "000000 404040 808080 FFFFFF")
        let colors = try await sampled(found).inSRGB().samples.map { Int($0) }
        let expected = [0, 0, 0, 81, 81, 81, 146, 146, 146, 255, 255, 255]
        #expect(zip(colors, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(colors)")
    }

    @Test func calibratedPalettesKeepTheirProfile() async throws {
        let space = "[/Indexed[/CalGray<</WhitePoint[.9505 1 1.089]/Gamma 1.8>>] 1 <4080>]"
        let raster = try await sampled(page("/ColorSpace\(space)", "00010001"))
        guard case .palette(_, let colors) = try raster.inSRGB().format else {
            Issue.record("no palette")
            return
        }
        #expect(zip(colors.prefix(6).map { Int($0) }, [81, 81, 81, 146, 146, 146]).allSatisfy { abs($0 - $1) <= 1 })
    }

    /// Colors that were multiplied by a half-transparent mask come back: white on black becomes white paper.
    @Test func matteIsUndone() async throws {
        let mask = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image/Width 4/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Matte[0]"
                + "/Filter/ASCIIHexDecode", "80804040>")
        let found = try await page("/SMask 5 0 R", "80404000", [mask])
        #expect(found.representations.count == 1 && found.defects.isEmpty)
        let raster = try await drawn(found)
        func level(_ column: Int) -> Int { Int(raster.samples[3 * (raster.size.width * (2 * column + 1) / 8)]) }
        // White; half of gray 128 on white; white; a quarter of black on white.
        let levels = (0..<4).map(level)
        #expect(zip(levels, [255, 191, 255, 191]).allSatisfy { abs($0 - $1) <= 2 }, "\(levels)")
    }

    @Test(arguments: [
        ("/SMask 5 0 R", "/Width 1/Height 1", "FF", true), ("/SMask 5 0 R", "/Width 4/Height 1", "FFFFFFFF", true),
        ("/SMask 5 0 R", "/Width 2/Height 1", "FFFE", false),
        ("/SMask 5 0 R", "/Width 1/Height 1/Decode[1 0]", "00", true),
        ("/SMask 5 0 R", "/Width 4/Height 1/BitsPerComponent 1", "FF", true),
        ("/Mask 5 0 R", "/Width 4/Height 1/ImageMask true", "00", true),
        ("/Mask 5 0 R", "/Width 4/Height 1/ImageMask true", "0F", true),
        ("/Mask 5 0 R", "/Width 4/Height 1/ImageMask true", "10", false),
        ("/Mask 5 0 R", "/Width 1/Height 1/ImageMask true/Decode[1 0]", "80", true),
        ("/Mask[5 9]", "", "", true), ("/Mask[5 64]", "", "", false), ("/Mask[300 301]", "", "", true),
    ])
    func masksThatMaskNothingDoNotCount(
        _ entry: String, _ mask: String, _ samples: String, _ isExtracted: Bool
    ) async throws {
        let isStencil = mask.contains("ImageMask")
        let bits = isStencil ? "/BitsPerComponent 1" : "/BitsPerComponent 8/ColorSpace/DeviceGray"
        let object = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Image\(bits)\(mask)/Filter/ASCIIHexDecode", samples + ">")
        let found = try await page(entry, "004080FF", [object])
        guard isExtracted else {
            #expect(found.reason != nil || found.representations.count > 1)
            return
        }
        let raster = try await sampled(found)
        #expect(raster.format == .gray(bits: 8) && raster.samples == [0, 64, 128, 255])
    }

    /// The full tint of black ink is 0 in an image file.
    @Test(arguments: [
        ("[/Separation/Black/DeviceCMYK 5 0 R]", true), ("[/DeviceN[/Black]/DeviceCMYK 5 0 R]", true),
        ("[/Separation/Text/DeviceCMYK 5 0 R]", true), ("[/Separation/Text/DeviceCMYK 6 0 R]", false),
        ("[/Separation/Text/DeviceGray 7 0 R]", true), ("[/Separation/Text/DeviceCMYK 8 0 R]", true),
        ("[/Separation/Text/DeviceCMYK 9 0 R]", true), ("[/Separation/Text/DeviceCMYK 10 0 R]", false),
    ])
    func blackInkIsBlack(_ space: String, _ isExtracted: Bool) async throws {
        let functions = ["0 0 0 1", "0 1 0 0"].map {
            "<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[\($0)]>>"
        }
        let gray = SyntheticPDF.stream(
            "/FunctionType 0/Domain[0 1]/Range[0 1]/Size[2]/BitsPerSample 8/Filter/ASCIIHexDecode", "FF00>")
        let wide = SyntheticPDF.stream(
            "/FunctionType 0/Domain[0 1]/Range[0 1 0 1 0 1 0 1]/Size[2]/BitsPerSample 16/Filter/ASCIIHexDecode",
            "0000000000000000000000000000FFFF>")
        let calculators = ["{dup 0 mul exch dup 0 mul exch dup 0 mul exch 1 mul}", "{0 0 3 -1 roll 0}"].map {
            SyntheticPDF.stream("/FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1 0 1]", $0)
        }
        let objects = functions + [gray, wide] + calculators
        // The pages are files of one name.
        func raster(_ picture: Picture) async throws -> Raster? {
            #expect((picture.representations.count == 2) == isExtracted)
            return isExtracted ? try await sampled(picture) : nil
        }
        let plain = try await raster(page("/BitsPerComponent 1/ColorSpace\(space)", "A0", objects))
        #expect(plain.map { $0.format == .gray(bits: 1) && $0.samples[0] >> 4 == 0b0101 } ?? !isExtracted)
        let indexed = try await raster(
            page("/BitsPerComponent 1/ColorSpace[/Indexed\(space)1<00FF>]", "A0", objects))
        let table = PixelFormat.palette(bits: 1, colors: [255, 255, 255, 0, 0, 0])
        #expect(indexed.map { $0.format == table && $0.samples[0] >> 4 == 0b1010 } ?? !isExtracted)
        let stencil = try await raster(
            page(
                "/ImageMask true/BitsPerComponent 1", "50", objects, content: "/S cs 1 scn q 40 0 0 10 0 0 cm /I Do Q",
                resources: "/ColorSpace<</S\(space)>>"))
        #expect(stencil.map { $0.format == .gray(bits: 1) && $0.samples[0] >> 4 == 0b0101 } ?? !isExtracted)
    }

    @Test(arguments: [
        ("q 40 0 0 10 0 0 cm BI /W 4 /H 1 /BPC 8 /CS /G /F /AHx ID 004080FF> EI Q", ""),
        ("q 40 0 0 10 0 0 cm BI /W 4 /H 1 /BPC 8 /CS /G ID E EI EI Q", "raw"),
        ("q 40 0 0 10 0 0 cm BI /W 4 /H 1 /BPC 4 /CS[/I /G 3 <004080FF>] /F[/AHx] ID 0123> EI Q", ""),
    ])
    func inlineImagesAreExtracted(_ content: String, _ kind: String) async throws {
        let raster = try await sampled(page("", "00000000", content: content))
        #expect(raster.size == PixelSize(width: 4, height: 1))
        switch raster.format {
        case .palette: #expect(raster.samples == [0x01, 0x23])
        default: #expect(raster.samples == (kind == "raw" ? Array("E EI".utf8) : [0, 64, 128, 255]))
        }
    }

    @Test(arguments: [("0 0 40 10 re f", true), ("0 0 20 10 re f", false), ("0 0 80 10 re f", false)])
    func tilesOfPatternsAreExtracted(_ shape: String, _ isExtracted: Bool) async throws {
        let pattern = SyntheticPDF.stream(
            "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 40 10]/XStep 40/YStep 10"
                + "/Matrix[1 0 0 1 0 0]/Resources<</XObject<</I 3 0 R>>>>", "q 40 0 0 10 0 0 cm /I Do Q")
        let found = try await page(
            "", "004080FF", [pattern], content: "/Pattern cs /P scn \(shape)", resources: "/Pattern<</P 5 0 R>>")
        #expect((try? await sampled(found).samples) == (isExtracted ? [0, 64, 128, 255] : nil))
    }

    /// JPEG 2000 of luma and chroma is converted, and not taken for red, green and blue.
    @Test func lumaAndChromaAreConverted() async throws {
        var file = try Files.read("\(BuiltJisui.fixtures)/good/PDFSource/jpx-rgb.pdf")
        let plain = try await drawn(picture(file))
        // Its enumerated colors: sRGB (16) becomes sYCC (18).
        let colors = try #require(file.firstRange(of: Array("colr".utf8)))
        #expect(file[colors.upperBound + 6] == 16)
        file[colors.upperBound + 6] = 18
        let found = try await drawn(picture(file))
        let worst = stride(from: 0, to: plain.samples.count, by: 3).map { pixel -> Int in
            let own = (0..<3).map { Double(plain.samples[pixel + $0]) }
            let (luma, blue, red) = (own[0], own[1] - 128, own[2] - 128)
            let expected = [luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue]
            return (0..<3).map { abs(Int(found.samples[pixel + $0]) - Int(min(255, max(0, expected[$0])).rounded())) }
                .max() ?? 0
        }.max()
        #expect((worst ?? 255) <= 1)
    }
}
