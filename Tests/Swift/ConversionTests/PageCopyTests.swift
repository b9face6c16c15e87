import AdapterKit
import Files
import Imaging
import PageModel
import Testing

@testable import Audit
@testable import Conversion
@testable import Planning

/// A copied page of a document is compared with the page of the source.
struct PageCopyTests {
    @Test func equalBytesAreIdentical() async throws {
        let result = try #require(try await compared(encoded([1, 2, 3]), encoded([1, 2, 3])))
        #expect(result.likeness == .identical)
        #expect(result.difference == nil)
        #expect(result.digest == SHA256.hexDigest(of: [1, 2, 3]))
    }

    @Test func otherBytesAreADifference() async throws {
        let result = try #require(try await compared(encoded([1, 2, 3]), encoded([1, 2, 4])))
        #expect(result.likeness == nil)
        #expect(result.difference == "its image is not that of the source's page")
    }

    @Test func otherSamplesAreADifference() async throws {
        let same = try #require(try await compared(sampled(7), sampled(7)))
        #expect(same.likeness == .samePixels)
        let other = try #require(try await compared(sampled(7), sampled(8)))
        #expect(other.likeness == nil)
        #expect(other.difference == "its pixels differ from those of the source's page")
    }

    /// A crop cuts off a part of the overlay, which then touches other pixels at the edge.
    @Test func samplesUnderACutOverlayAreNotCompared() async throws {
        func stamped(
            _ level: UInt8, cut: Int, isLeft: Bool = true, isReadable: Bool = true
        ) -> Picture.Representation {
            let raster = Raster(
                size: PixelSize(width: 4, height: 1), format: .gray(bits: 8), samples: [level, 0, 0, 0])
            var picture = SampledPicture(
                compression: "raw", size: raster.size, format: raster.format,
                pending: [.crop(PixelRect(x: cut, y: 0, width: 4 - cut, height: 1))]
            ) {
                guard isReadable else { throw AdapterError(.unsupported, "cannot be merged") }
                return DecodedImage(raster: raster)
            }
            picture.overlay = isLeft ? PictureOverlay("text") : nil
            return .sampled(picture)
        }
        #expect(try await compared(stamped(7, cut: 0), stamped(8, cut: 1)) == nil)
        #expect(try await compared(stamped(7, cut: 0), stamped(7, cut: 1))?.likeness == .samePixels)
        #expect(try await compared(stamped(7, cut: 0), stamped(8, cut: 1, isLeft: false)) == nil)
        // The copy is no better than its source.
        let unreadable = try await compared(
            stamped(7, cut: 0, isReadable: false), stamped(8, cut: 1, isReadable: false))
        #expect(unreadable?.likeness == .asWritten)
        #expect(try await compared(stamped(7, cut: 1), stamped(8, cut: 1))?.difference != nil)
    }

    /// The images below a cut overlay, and those on other paper, are compared as they are stored.
    @Test(arguments: [("a", "a", true), ("a", "b", false)])
    func imagesOnOtherPaperAreCompared(_ own: String, _ other: String, _ isAlike: Bool) async throws {
        func picture(_ digest: String, _ width: Double) -> Picture {
            var picture = Picture(
                size: nil, representations: [drawn(7)],
                paper: Paper(mediaBox: [0, 0, width, 9], cropBox: [0, 0, width, 9], rotation: 0, userUnit: 1))
            picture.imageDigest = { digest }
            return picture
        }
        let copy = PageCopy(of: picture(other, 9), picture(own, 5), Renderer(limits: Limits()))
        let result = try #require(try await copy.compared())
        #expect((result.difference == nil) == isAlike)
        #expect((result.likeness == .decodes) == isAlike)
    }

    @Test func otherRenderingsAreADifference() async throws {
        let other = try #require(try await compared(drawn(7), drawn(8)))
        #expect(other.difference == "does not look like the source's page")
    }

    /// Rendering both pages at their own resolution takes longer than the conversion.
    @Test func renderedPagesAreComparedAtALowResolution() async throws {
        func fine(_ level: UInt8) -> Picture.Representation {
            let image = image(level)
            var picture = DrawnPicture(width: 1, height: 1, resolution: 300) {
                Issue.record("rendered at its own resolution")
                return image
            }
            picture.drawAt = { resolution in
                #expect(resolution == 72)
                return image
            }
            return .drawn(picture)
        }
        #expect(try await compared(fine(7), fine(7))?.likeness == .samePixels)
        #expect(try await compared(fine(7), fine(8))?.difference == "does not look like the source's page")
    }

    @Test func aSourceThatCannotBeReadIsNoDifference() async throws {
        let result = try #require(try await compared(encoded(nil), encoded([1])))
        #expect(result.likeness == .asWritten)
        #expect(result.difference == nil)
    }

    @Test func aCopyThatCannotBeReadIsAnError() async throws {
        await #expect(throws: AdapterError.self) { try await compared(encoded([1]), encoded(nil)) }
    }

    @Test func pagesReadInDifferentWaysAreNotCompared() async throws {
        #expect(try await compared(encoded([1]), drawn(1)) == nil)
    }

    /// Two renderings of a damaged page may differ, and its bytes may not.
    @Test func onlyRenderingsOfADamagedPageAreBlamedOnTheInput() async throws {
        #expect(try await finding(drawn(7), drawn(8), isDamaged: true).isOfInput)
        #expect(try await !finding(drawn(7), drawn(8), isDamaged: false).isOfInput)
        #expect(try await !finding(encoded([1]), encoded([2]), isDamaged: true).isOfInput)
        #expect(try await !finding(encoded([1]), encoded(nil), isDamaged: true).isOfInput)
    }

    /// Returns the finding for a copied page.
    private func finding(
        _ source: Picture.Representation, _ copy: Picture.Representation, isDamaged: Bool
    ) async throws -> OutputReader.Finding {
        let size = PageCopyTests.size
        func page(_ representation: Picture.Representation) -> Page {
            Page(id: 1, name: "page 1") { Picture(size: size, representations: [representation], reason: nil) }
        }
        let document = DocumentPage(format: "pdf", path: "book.pdf", index: 0, width: 1, height: 1)
        let reason = Reason(Note(.operation, ["name": "copied"], text: "copied"))
        let method = CopyDocumentPage(document: document, framing: Framing(size))
        var converted = ConvertedPage(PlannedPage(page(source)))
        converted.plan = PagePlan(.verbatim, reason, encoding: nil, size: size, method)
        converted.result = PageResult(.document(document, Framing(size)))
        if isDamaged { converted.warnings = [Warning(code: "damaged-page", message: "is damaged")] }
        var line = PageReport(number: 1, source: "page 1", treatment: .verbatim, reason: reason)
        line.output = "page 1"
        let expectation = try #require(PageExpectation(line, converted, nil))
        var job = Job(inputs: [Input(path: "book.pdf")], sink: "pdf", destination: Destination(path: "copy.pdf"))
        job.verifies = true
        let reader = OutputReader(digestRequest: try #require(DigestRequest(job)), limits: Limits(), width: 1)
        return try #require(try await reader.findings([page(copy)], [expectation]).first)
    }

    private static let size = PixelSize(width: 1, height: 1)

    private func compared(
        _ source: Picture.Representation, _ copy: Picture.Representation
    ) async throws -> PageCopy.Result? {
        func picture(_ representation: Picture.Representation) -> Picture {
            Picture(size: PageCopyTests.size, representations: [representation], reason: nil)
        }
        return try await PageCopy(of: picture(source), picture(copy), Renderer(limits: Limits())).compared()
    }

    private func encoded(_ bytes: [UInt8]?) -> Picture.Representation {
        .encoded(
            EncodedPicture(encoding: .jpeg, size: PageCopyTests.size) {
                guard let bytes else { throw AdapterError(.damaged, "its data is damaged") }
                return bytes
            })
    }

    private func sampled(_ level: UInt8) -> Picture.Representation {
        let image = image(level)
        return .sampled(
            SampledPicture(compression: "raw", size: image.raster.size, format: image.raster.format) { image })
    }

    private func drawn(_ level: UInt8) -> Picture.Representation {
        let image = image(level)
        return .drawn(DrawnPicture(width: 1, height: 1, resolution: 72) { image })
    }

    private func image(_ level: UInt8) -> DecodedImage {
        DecodedImage(raster: Raster(size: PageCopyTests.size, format: .gray(bits: 8), samples: [level]))
    }
}
