import Imaging
import LayoutAnalysis
import PageModel
import Testing

@testable import Rotate

/// A page of blocks for letters, with ascenders and descenders as Latin text has them.
private struct SyntheticText {
    static let size = PixelSize(width: 700, height: 1000)
    private static let small = (width: 8, height: 12)
    private static let extender = 7
    private var samples = [UInt8](repeating: 235, count: size.area)

    /// - Parameters:
    ///   - ascender: every so many letters one has an ascender; 0 for none.
    ///   - descender: the same for descenders.
    init(ascender: Int, descender: Int) {
        var count = 0
        for top in stride(from: 80, to: SyntheticText.size.height - 100, by: 40) {
            for left in stride(from: 60, to: SyntheticText.size.width - 80, by: 12) {
                count += 1
                // A space between words.
                if count % 7 == 0 { continue }
                let rises = ascender > 0 && count % ascender == 0
                let falls = descender > 0 && count % descender == 1
                draw(
                    left, top - (rises ? SyntheticText.extender : 0),
                    top + SyntheticText.small.height + (falls ? SyntheticText.extender : 0))
            }
        }
    }

    private mutating func draw(_ left: Int, _ top: Int, _ bottom: Int) {
        for y in top..<bottom {
            for x in left..<left + SyntheticText.small.width { samples[y * SyntheticText.size.width + x] = 30 }
        }
    }

    func rotated(quarters: Int) -> Raster {
        Raster(size: SyntheticText.size, format: .gray(bits: 8), samples: samples).framed(
            Framing(SyntheticText.size, .upright.rotated(quarters: quarters)))
    }
}

@Suite struct TextOrientationTests {
    private static let latin = SyntheticText(ascender: 4, descender: 15)

    @Test(arguments: 0...3) func latinTextShowsItsWayUp(_ quarters: Int) {
        let found = TextOrientation(Self.latin.rotated(quarters: quarters))
        #expect(found.quarters == (4 - quarters) % 4)
        #expect(found.lines == (quarters.isMultiple(of: 2) ? .horizontal : .vertical))
    }

    /// Capitals, and scripts without ascenders.
    @Test(arguments: 0...3) func otherTextStaysUnknown(_ quarters: Int) {
        for text in [SyntheticText(ascender: 0, descender: 0), SyntheticText(ascender: 9, descender: 8)] {
            let found = TextOrientation(text.rotated(quarters: quarters))
            #expect(found.quarters == nil && found.lines != nil)
        }
    }

    @Test func aPageWithoutTextIsUnknown() {
        let blank = Raster(
            size: SyntheticText.size, format: .gray(bits: 8),
            samples: [UInt8](repeating: 235, count: SyntheticText.size.area))
        #expect(TextOrientation(blank) == TextOrientation(lines: nil, quarters: nil))
    }
}

@Suite struct BookOrientationTests {
    private static func turned(_ quarters: Int) -> BookOrientation.Page {
        let lines: Strokes.Lines = quarters.isMultiple(of: 2) ? .horizontal : .vertical
        return .seen(TextOrientation(lines: lines, quarters: quarters))
    }

    private static let blank = BookOrientation.Page.seen(TextOrientation(lines: nil, quarters: nil))

    private static func turns(_ pages: [BookOrientation.Page]) -> [Int] {
        BookOrientation.findings(of: pages).map { $0.turn?.quarters ?? 0 }
    }

    /// A plate of a book on its side lies on its side, too.
    @Test func pagesWithoutTextFollowTheOthers() {
        let level = BookOrientation.Page.seen(TextOrientation(lines: .horizontal, quarters: nil))
        let book = [Self.turned(1), Self.turned(1), Self.turned(1), Self.turned(1), Self.turned(1), Self.turned(1)]
        #expect(Self.turns(book + [Self.blank, Self.blank, level]) == [1, 1, 1, 1, 1, 1, 1, 1, 0])
        let findings = BookOrientation.findings(of: book + [Self.blank])
        #expect(findings[0].remark.english == "rotated by 90°, because its text lies on its side")
        #expect(findings[6].remark.english == "rotated by 90°, as the pages around it")
    }

    /// A scanner that turns the sheet over puts every second page on its head.
    @Test func oddAndEvenPagesAreComparedSeparately() {
        let book = (0..<8).map { Self.turned($0.isMultiple(of: 2) ? 0 : 2) }
        #expect(Self.turns(book + [Self.blank, Self.blank]) == [0, 2, 0, 2, 0, 2, 0, 2, 0, 2])
    }

    @Test func pagesWithoutTextStayIfTheOthersDisagree() {
        #expect(Self.turns([Self.turned(1), Self.blank, Self.turned(1), Self.blank, Self.blank]) == [1, 0, 1, 0, 0])
        let mixed = [
            Self.turned(2), Self.blank, Self.turned(2), Self.blank, Self.turned(2), Self.blank, Self.turned(0),
        ]
        #expect(Self.turns(mixed + [Self.blank, Self.blank]) == [2, 0, 2, 0, 2, 0, 0, 0, 0])
    }

    @Test func aPageThatCannotBeAnalyzedStays() {
        let finding = BookOrientation.findings(of: [.unseen(reason: "it cannot be decoded", damage: "cut off")])[0]
        #expect(finding.turn == nil && finding.damage?.english == "cut off")
        #expect(finding.remark.english == "not rotated: it cannot be decoded")
    }
}
