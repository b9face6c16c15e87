import AdapterKit
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// Pictures whose soft masks are alpha that a picture file can hold.
@Suite struct AlphaTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// A page of 4 by 3 pixels, gray 8 bits a sample, with a mask; what the page's picture is.
    ///
    /// - Parameters:
    ///   - picture: more entries of the picture.
    ///   - mask: entries of the mask that differ: the last of a key counts.
    private func examine(
        _ picture: String = "", mask: String = "", width: Int = 4, before: String = "", samples: String = "ABCDEFGHIJKL"
    ) async throws -> Picture {
        let entries = "/Type/XObject/Subtype/Image/Height 3/BitsPerComponent 8/ColorSpace/DeviceGray"
        let objects = [
            SyntheticPDF.stream("\(entries)/Width 4/SMask 4 0 R\(picture)", samples),
            SyntheticPDF.stream("\(entries)/Width \(width)\(mask)", "mnopqrstuvwx"),
            SyntheticPDF.stream("", "\(before) q 40 0 0 30 0 0 cm /I Do Q"),
        ]
        let page = "/MediaBox[0 0 40 30]/Contents 5 0 R/Resources<</XObject<</I 3 0 R>>>>"
        let path = try scratch.write("alpha.pdf", SyntheticPDF.bytes(pages: [page], objects))
        let source = PDFSource()
        let opened = try await source.open(
            Input(path: path), settings: Settings(source.descriptor.settings, given: [:]), limits: Limits())
        return try await opened.sequence.pages[0].examine()
    }

    @Test func aSoftMaskIsAlpha() async throws {
        guard case .sampled(let sampled) = try await examine().representations[0] else {
            Issue.record("the samples are not there")
            return
        }
        #expect(sampled.format == .grayAlpha(bits: 8))
        let raster = try await sampled.read().raster
        #expect(raster.format == .grayAlpha(bits: 8))
        #expect(raster.samples == Array("AmBnCoDpEqFrGsHtIuJvKwLx".utf8))
    }

    /// Samples that mean the opposite do so without their alpha.
    @Test func onlyColorsAreInverted() async throws {
        guard case .sampled(let sampled) = try await examine("/Decode[1 0]").representations[0] else {
            Issue.record("the samples are not there")
            return
        }
        let samples = try await sampled.read().raster.samples
        #expect(
            samples.prefix(4) == [
                255 - UInt8(ascii: "A"), UInt8(ascii: "m"), 255 - UInt8(ascii: "B"), UInt8(ascii: "n"),
            ])
    }

    /// Alpha that no picture file can express is drawn: a mask of another size, colors multiplied by it, and others.
    @Test(arguments: ["/Matte[0]", "/Decode[1 0]", "/Height 2", "/BitsPerComponent 4", "/ColorSpace/DeviceRGB"])
    func otherMasksAreDrawn(_ entry: String) async throws {
        #expect(try await examine(mask: entry).representations.map(\.isDrawn) == [true])
    }

    @Test func aMaskOfAnotherWidthIsDrawn() async throws {
        #expect(try await examine(width: 3).representations.map(\.isDrawn) == [true])
    }

    /// Content below a picture with alpha is visible through it.
    @Test func contentBelowAlphaMakesThePageDrawn() async throws {
        let picture = try await examine(before: "0 0 10 10 re f")
        #expect(picture.representations.map(\.isDrawn) == [true])
        #expect(picture.reason == "the page is made of several layers")
    }

    @Test func dataThatEndsEarlyIsDamaged() async throws {
        guard case .sampled(let sampled) = try await examine(mask: "/Length 5", samples: "ABC").representations[0]
        else {
            Issue.record("the samples are not there")
            return
        }
        let error = await #expect(throws: AdapterError.self) { _ = try await sampled.read() }
        #expect(error?.code == .damaged)
    }
}

extension Picture.Representation {
    fileprivate var isDrawn: Bool { if case .drawn = self { true } else { false } }
}
