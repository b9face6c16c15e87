import AdapterKit
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// The default resolution of drawn pages in pixels per inch.
@Suite struct PageResolutionTests {
    /// A page of 72x90 points with a picture of 40x50 pixels over all of it, which is 40 to the inch.
    private func resolution(
        _ content: String, _ picture: String = "", _ page: String = ""
    ) async throws -> Double {
        let scratch = try ScratchFolder()
        let path = try scratch.write(
            "page.pdf",
            SyntheticPDF.bytes(
                pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R/Resources<</XObject<</P 4 0 R>>>>\(page)"],
                [
                    SyntheticPDF.stream("", content),
                    SyntheticPDF.stream(
                        "/Type/XObject/Subtype/Image/Width 40/Height 50/BitsPerComponent 8/ColorSpace/DeviceGray\(picture)",
                        String(repeating: "x", count: 2000)),
                ]))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened()
        for case .drawn(let drawn) in try await book.sequence.pages[0].examine().representations {
            return drawn.resolution
        }
        throw AdapterError(.empty, "the page is not drawn")
    }

    private static let fill = "q 72 0 0 90 0 0 cm /P Do Q "

    @Test func aPictureAloneIsDrawnAtItsOwn() async throws {
        #expect(try await resolution(PageResolutionTests.fill) == 40)
        #expect(try await resolution(PageResolutionTests.fill + PageResolutionTests.fill) == 40)
    }

    /// As some scanners write them: none of the strips covers a quarter of the page.
    @Test func stripsAreDrawnAtTheirOwn() async throws {
        let strips = (0..<5).map { "q 72 0 0 18 0 \(18 * $0) cm /P Do Q " }.joined()
        // 50 rows on a quarter of an inch.
        #expect(try await resolution(strips) == 200)
        #expect(try await resolution("q 36 0 0 18 0 0 cm /P Do Q ") == 200)
    }

    @Test(arguments: ["0 0 m 9 9 l S", "BT (text) Tj ET", "/S sh"])
    func textAndShapesOverAPictureAreSharp(_ content: String) async throws {
        #expect(try await resolution(PageResolutionTests.fill + content) == 300)
    }

    @Test func anAnnotationIsSharp() async throws {
        let annots = "/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]>>]"
        #expect(try await resolution(PageResolutionTests.fill, "", annots) == 300)
    }

    /// Recognized text, or the white paper, below a scan.
    @Test func textHiddenByAPictureDoesNotCount() async throws {
        #expect(try await resolution("BT (text) Tj ET 0 0 72 90 re f " + PageResolutionTests.fill) == 40)
    }

    @Test func textNotHiddenByAPictureCounts() async throws {
        let mask = "/Mask[0 1]"
        #expect(try await resolution("BT (text) Tj ET " + PageResolutionTests.fill, mask) == 300)
        #expect(try await resolution("BT (text) Tj ET q 60 0 0 90 0 0 cm /P Do Q") == 300)
    }

    @Test func aFinePictureKeepsItsOwn() async throws {
        #expect(try await resolution("q 7.2 0 0 9 0 0 cm /P Do Q 0 0 m 9 9 l S") == 400)
    }

    /// 800 pixels per inch for a logo on 0.25 % of the page would make it many times larger.
    @Test func aSmallPictureHasALimit() async throws {
        #expect(try await resolution("q 3.6 0 0 4.5 0 0 cm /P Do Q 0 0 m 9 9 l S") == 600)
    }

    /// 100 kB of a PDF may hold 50 million of them, and the renderer takes memory for each.
    @Test func contentThatSavesStatesWithoutEndIsNotDrawn() async throws {
        for (count, isDrawn) in [(5000, true), (200_000, false)] {
            let scratch = try ScratchFolder()
            let content = String(repeating: "q ", count: count) + String(repeating: "Q ", count: count / 2)
            let path = try scratch.write(
                "q.pdf",
                SyntheticPDF.bytes(pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R"], [SyntheticPDF.stream("", content)]))
            let book = try await PDFBook(
                Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
            ).opened()
            let representations = try await book.sequence.pages[0].examine().representations
            guard case .drawn(let drawn)? = representations.first else {
                Issue.record("the page is not drawn")
                return
            }
            do {
                _ = try await drawn.draw()
                #expect(isDrawn)
            } catch let error as AdapterError {
                #expect(!isDrawn && error.code == .tooLarge && error.message.english.contains("graphics states"))
                #expect(drawn.drawAt == nil)
            }
        }
    }

    /// States that a page saves and does not restore are still saved while its forms are drawn.
    @Test func statesOfPagesAndFormsAreCountedTogether() async throws {
        let saves = String(repeating: "q ", count: 60_000)
        let form = SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", saves)
        for (content, isDrawn) in [("/F Do /F Do", true), (saves + "/F Do", false)] {
            let pdf = SyntheticPDF.bytes(
                pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R/Resources<</XObject<</F 4 0 R>>>>"],
                [SyntheticPDF.stream("", content), form])
            #expect(try await refusal(pdf)?.contains("graphics states") ?? false == !isDrawn)
        }
    }

    /// Painting a form costs more than an operator, and as many as there may be operators would take long.
    @Test func aFormThatIsPaintedWithoutEndIsNotLookedAt() async throws {
        let form = SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "0 0 9 9 re f")
        for (count, isLookedAt) in [(1000, true), (110_000, false)] {
            let reason = try await analysis(
                String(repeating: "/F Do ", count: count), form, seconds: Patience.secondsOfDrawing
            ).reason
            #expect(reason?.english.contains("too long to analyze") == !isLookedAt, "\(reason ?? "none")")
        }
    }

    /// Each mark in them is looked at once, not once for each section that it is in.
    @Test func marksInNestedMarkedContentTakeLinearTime() async throws {
        let sections = String(repeating: "/a BMC ", count: 200_000)
        let shapes = String(repeating: "0 0 9 9 re f ", count: 200_000)
        // Processor time: a minute where a second is enough.
        let reason = try await analysis(sections + shapes, SyntheticPDF.stream("", ""), seconds: 60).reason
        #expect(reason == "the page holds a drawn shape and no image")
    }

    @Test func lookingAtAPageEndsWithItsTime() async throws {
        let shapes = String(repeating: "0 0 9 9 re f ", count: 1000)
        let unread = try await analysis(shapes, SyntheticPDF.stream("", ""), seconds: 0)
        #expect(unread.reason == "analyzing the page's content takes too long" && !unread.isBlank)
    }

    /// Paint in the color of paper does not count. An image that cannot be read does.
    @Test(arguments: [
        ("", "", true), ("q 2 0 0 2 0 0 cm 0 0 9 9 re n Q", "", true), ("/F Do", "", true),
        ("/F Do", "0 0 9 9 re f", false), ("1 g 0 0 9 9 re f", "", true), ("BI /W 1 /H 1 ID x EI", "", false),
    ])
    func aPageIsBlankIfNothingIsPainted(_ content: String, _ inForm: String, _ isBlank: Bool) async throws {
        let form = SyntheticPDF.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", inForm)
        let found = try await analysis(content, form, seconds: Patience.secondsOfDrawing)
        #expect(found.isBlank == isBlank && (found.reason == PageAnalyzer.blank) == isBlank)
    }

    /// The verdict on a page with such content, which may paint a form.
    private func analysis(_ content: String, _ form: String, seconds: Int) async throws -> PageAnalysis {
        let pdf = SyntheticPDF.bytes(
            pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R/Resources<</XObject<</F 4 0 R>>>>"],
            [SyntheticPDF.stream("", content), form])
        let worker = try StructureWorker(
            SyntheticBytes(pdf), password: nil, memory: PDFMemory(), limits: Limits(), seconds: seconds)
        let facts = try await worker.facts(showing: .crop)
        return try await worker.analysis(onPageAt: facts.pages[0].path, showing: .crop)
    }

    /// Ten kilobytes that are twenty megabytes when they are unpacked.
    @Test func contentThatGrowsAbsurdlyIsNotDrawn() async throws {
        let packed = String(repeating: "81", count: 5200)
        let filters = "/Filter[/ASCIIHexDecode/RunLengthDecode/RunLengthDecode]"
        let pdf = SyntheticPDF.bytes(
            pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R"], [SyntheticPDF.stream(filters, packed)])
        #expect(try await refusal(pdf)?.contains("over 200 times its size") == true)
        // A harmless amount of it.
        let less = SyntheticPDF.bytes(
            pages: ["/MediaBox[0 0 72 90]/Contents 3 0 R"],
            [SyntheticPDF.stream(filters, String(repeating: "81", count: 100))])
        #expect(try await refusal(less) == nil)
    }

    /// The reason why the first page is not drawn; nil when it is.
    private func refusal(_ pdf: [UInt8]) async throws -> String? {
        let scratch = try ScratchFolder()
        let path = try scratch.write("made.pdf", pdf)
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened()
        guard case .drawn(let drawn)? = try await book.sequence.pages[0].examine().representations.last else {
            return "it is not drawn at all"
        }
        do {
            _ = try await drawn.draw()
            return nil
        } catch let error as AdapterError {
            return error.message.english
        }
    }

    /// A page that is copied, or whose picture is, lacks nothing: only its drawing would.
    @Test func coarserDrawingIsNotADefectOfThePage() async throws {
        let scratch = try ScratchFolder()
        // Text over a picture of 3200x3200 pixels on a twentieth of the page: 700 to the inch would be 14,000 across.
        let path = try scratch.write(
            "fine.pdf",
            SyntheticPDF.bytes(
                pages: ["/MediaBox[0 0 1440 1440]/Contents 3 0 R/Resources<</XObject<</P 4 0 R>>>>"],
                [
                    SyntheticPDF.stream("", "q 329.14 0 0 329.14 0 0 cm /P Do Q BT (text) Tj ET"),
                    SyntheticPDF.stream(
                        "/Type/XObject/Subtype/Image/Width 3200/Height 3200/BitsPerComponent 1/ColorSpace/DeviceGray",
                        String(repeating: "x", count: 400 * 3200)),
                ]))
        // A page is not left out for lack of memory: half of it gives half of the pixels.
        for (memory, resolution) in [(1_000_000_000, 500), (500_000_000, 353)] {
            let book = try await PDFBook(
                Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing,
                limits: Limits(memory: memory)
            ).opened()
            let picture = try await book.sequence.pages[0].examine()
            #expect(picture.knownDefects.isEmpty)
            guard case .drawn(let drawn)? = picture.representations.last else {
                Issue.record("the page is not drawn")
                return
            }
            #expect(drawn.defect == "rendered at \(resolution) pixels per inch, because 700 would make it too large")
        }
    }

    /// It would ask for more pixels than there can be.
    @Test func aPictureTooSmallToBeSeenDoesNotCount() async throws {
        let dot = "q 0.00000000000000000001 0 0 0.00000000000000000001 10 10 cm /P Do Q "
        #expect(try await resolution(dot + PageResolutionTests.fill) == 40)
    }
}
