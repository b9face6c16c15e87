import AdapterKit
import Imaging
import PDFStructure
import PageModel
import Scratch
import SyntheticPDF
import Testing

@testable import PDFSource

/// What keeps a picture from standing for its page: that on the page it looks otherwise than by itself.
@Suite struct PageLooksTests {
    private static let paint = "q 40 0 0 30 0 0 cm /I Do Q"

    /// The first representation of a page of 4 by 3 gray pixels.
    ///
    /// - Parameter objects: objects from 5 on; 3 is the picture, 4 the content.
    private func page(
        _ content: String, resources: String = "", picture: String = "/BitsPerComponent 8/ColorSpace/DeviceGray",
        samples: String = "ABCDEFGHIJKL", _ objects: [String] = []
    ) async throws -> Picture.Representation {
        let scratch = try ScratchFolder()
        let all =
            [
                SyntheticPDF.stream("/Type/XObject/Subtype/Image/Width 4/Height 3\(picture)", samples),
                SyntheticPDF.stream("", content),
            ] + objects
        let page = "/MediaBox[0 0 40 30]/Contents 4 0 R/Resources<</XObject<</I 3 0 R/F 5 0 R>>\(resources)>>"
        let path = try scratch.write("page.pdf", SyntheticPDF.bytes(pages: [page], all))
        let book = try await PDFBook(
            Input(path: path), box: .crop, resolution: nil, seconds: Patience.secondsOfDrawing, limits: Limits()
        ).opened()
        return try #require(try await book.sequence.pages[0].examine().representations.first)
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func isDrawn(_ representation: Picture.Representation) -> Bool {
        if case .drawn = representation { true } else { false }
    }

    /// What a group is painted with counts for all that is in it, whatever is set within.
    @Test(arguments: [
        ("<</ca 1>>", "Transparency", false), ("<</ca .3>>", "Transparency", true),
        ("<</BM/Multiply>>", "Transparency", true), ("<</ca .3>>", "None", false),
    ])
    func groupsArePaintedAsAWhole(_ outside: String, _ group: String, _ isDrawn: Bool) async throws {
        let inside = "<</ca 1/CA 1/BM/Normal/SMask/None>>"
        let form = SyntheticPDF.stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 40 30]/Group<</S/\(group)>>"
                + "/Resources<</XObject<</I 3 0 R>>/ExtGState<</G \(inside)>>>>", "/G gs \(Self.paint)")
        let found = try await page("/O gs /F Do", resources: "/ExtGState<</O \(outside)>>", [form])
        #expect(self.isDrawn(found) == isDrawn)
    }

    /// Poppler calls many harmless things errors. Pages with them are analyzed and split as others are.
    @Test(
        arguments: [
            ("Syntax error at position 12: Missing 'endstream'", "Missing 'endstream'"),
            ("Unimplemented feature at position -1: a kind of pattern", "a kind of pattern"),
            ("Syntax error at position -1: Unknown font tag 'F<0a>'", "Unknown font tag 'F'"),
            ("Syntax warning at position 5: Bad launch-type link action", nil),
            ("Syntax error at position -1: Restoring state when no valid states to pop", nil),
            ("Syntax error at position -1: There's a form with more q than Q, trying to fix", nil),
            ("Syntax error at position 7: Leftover args in content stream", nil),
            ("Syntax error at position -1: Couldn't find ToUnicode CMap file for 'Adobe-X'", nil),
        ] as [(String, String?)])
    func messagesAboutUnpaintedThingsAreNoFaults(_ message: String, _ fault: String?) {
        #expect(PopplerDiagnostics.fault(in: message)?.english == fault)
    }

    @Test func needlessOperatorsAreNoDamage() async throws {
        guard case .drawn(let drawn) = try await page("Q 0 0 m 40 30 l S Q 5 6") else {
            Issue.record("the page is not rendered")
            return
        }
        #expect(try await drawn.draw().diagnostics == [])
    }

    @Test(arguments: [(3, false), (4, true), (5, true), (6, true), (7, true)])
    func textMayClip(_ mode: Int, _ isDrawn: Bool) async throws {
        let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
        let found = try await page(
            "BT /T 40 Tf \(mode) Tr 0 10 Td (AB) Tj ET \(Self.paint)", resources: "/Font<</T 5 0 R>>", [font])
        #expect(self.isDrawn(found) == isDrawn)
    }

    /// A membership that names itself has no groups, and one with an expression goes by that.
    @Test(arguments: [
        ("/OCGs[5 0 R]", false), ("/OCGs[6 0 R]/P/AllOff", true), ("/OCGs[6 0 R]/VE[/Not 6 0 R]", true),
        ("/OCGs[6 0 R]/P/AllOff/VE[/Or 6 0 R[/And 6 0 R]]", false), ("/OCGs[6 0 R]/VE 7 0 R", false),
    ])
    func membershipsAreAnswered(_ entries: String, _ isDrawn: Bool) async throws {
        // 7 is an expression that holds itself.
        let objects = ["<</Type/OCMD\(entries)>>", "<</Type/OCG/Name(x)>>", "[/Not 7 0 R]"]
        let found = try await page("/OC /M BDC \(Self.paint) EMC", resources: "/Properties<</M 5 0 R>>", objects)
        #expect(self.isDrawn(found) == isDrawn)
    }

    /// A JPEG's own profile does not count in a PDF, and so must not outside.
    @Test func profilesOfThePDFCount() async throws {
        let plain = try Files.read("\(BuiltJisui.fixtures)/good/Imaging/baseline.jpg")
        let wide = try Files.read("\(BuiltJisui.fixtures)/made/wide.icc")
        let tagged = JPEGMetadata.inserting(profile: wide, into: plain)
        let size = try #require(JPEGHeader(plain)?.size)
        func bytes(_ jpeg: [UInt8], _ space: String) async throws -> (bytes: [UInt8], repair: Message?) {
            let hex = Self.hex(jpeg) + ">"
            let profile = SyntheticPDF.stream(
                "/N 3/Filter/ASCIIHexDecode", Self.hex(wide) + ">")
            // The last of a key counts.
            let entries =
                "/Width \(size.width)/Height \(size.height)/BitsPerComponent 8/ColorSpace\(space)"
                + "/Filter[/ASCIIHexDecode/DCTDecode]"
            guard case .encoded(let encoded) = try await page(Self.paint, picture: entries, samples: hex, [profile])
            else { throw AdapterError(.empty, "is drawn") }
            return (try await encoded.read().bytes, encoded.repair)
        }
        let removed = try await bytes(tagged, "/DeviceRGB")
        #expect(removed.bytes == plain && removed.repair?.english.contains("was removed") == true)
        let kept = try await bytes(tagged, "[/ICCBased 5 0 R]")
        #expect(kept.bytes == tagged && kept.repair == nil)
        let inserted = try await bytes(plain, "[/ICCBased 5 0 R]")
        #expect(inserted.bytes == tagged && inserted.repair?.english.contains("was inserted") == true)
    }

    /// PNG has as many colors as samples can be; samples beyond PDF's table have its last one.
    @Test(arguments: [(2, 2, 4), (1, 255, 2), (4, 3, 16)])
    func tablesHaveAColorForEverySample(_ bits: Int, _ highest: Int, _ count: Int) async throws {
        let table = Self.hex((0...highest).flatMap { [UInt8($0), 7, 9] as [UInt8] })
        let picture = "/BitsPerComponent \(bits)/ColorSpace[/Indexed/DeviceRGB \(highest)<\(table)>]"
        guard case .sampled(let sampled) = try await page(Self.paint, picture: picture),
            case .palette(bits, let colors)? = sampled.format
        else {
            Issue.record("the samples are not there")
            return
        }
        let expected = (0..<count).flatMap { [UInt8(min($0, highest)), 7, 9] as [UInt8] }
        #expect(colors == expected)
    }
}
