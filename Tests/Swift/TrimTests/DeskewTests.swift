import AdapterKit
import Glibc
import Imaging
import LayoutAnalysis
import PageModel
import Scratch
import Testing

@testable import Trim

@Suite struct DeskewTests {
    /// A page of text whose lines were turned counter-clockwise, with a scanner's dark edge if wanted.
    private func page(_ degrees: Double, edge: Int = 0) -> SyntheticPage {
        var page = SyntheticPage.paper()
        page.text(slope: degrees * .pi / 180)
        page.fill(PixelRect(x: 0, y: 880 - edge, width: 620, height: edge), 40)
        return page
    }

    private func deskewed(_ pages: [SyntheticPage], _ more: [String: String] = [:]) async throws -> [Page] {
        try await SyntheticBook(pages).trimmed(["deskew": "true"].merging(more) { $1 })
    }

    @Test(arguments: [-14.0, -9.0, -4.0, -0.4, 0.8, 3.0, 12.0]) func aSlantIsTakenOut(_ degrees: Double) async throws {
        let made = page(degrees)
        let result = try await deskewed([made])[0]
        let found = try #require(result.layout?.skew)
        // The letters made here stay upright: at steep slants their corners stand out of the line.
        #expect(abs(found - degrees) < (abs(degrees) > 5 ? 0.3 : 0.15))
        #expect(result.layout?.isDeskewed == true && result.layout?.remark == "rotated by \(found)°")
        #expect(result.edits == [.change(Deskew(degrees: found))])
        let left = try #require(RasterReading(made.raster.deskewed(by: found)).skew)
        #expect(abs(left) < 0.15)
    }

    @Test(arguments: [[2: "the JPEG is damaged"], [:]] as [[Int: Message]])
    func unreadablePagesAreNotCalledStraight(_ damage: [Int: Message]) async throws {
        var book = SyntheticBook([page(0), page(0)])
        book.damage = damage
        _ = try await book.trimmed(["deskew": "true"])
        let rule = TrimOptions.settings.first { $0.name == "deskew" }?.effect
        let message = rule?.cause(of: "deskew", after: book.effects.seen)?.message.english
        #expect(message?.hasSuffix("among those that could be analyzed") == !damage.isEmpty)
        // Another option did not see a page.
        let other = rule?.cause(of: "deskew", after: [.notAnalyzed(for: "flatten")])?.message.english
        #expect(other == "no skewed page was found")
    }

    /// Staves have little ink of the size of letters.
    @Test(arguments: [-11.0, 0, 5.5]) func skewIsFoundFromPageWideLines(_ degrees: Double) throws {
        let slope = tan(degrees * .pi / 180)
        let runs = (0..<20).flatMap { line in
            (0..<500).map { x in
                let row = Int32((440 + Double(line - 10) * 12 - Double(x - 250) * slope).rounded())
                return Strokes.Run(row: row, start: Int32(60 + x), end: Int32(61 + x), blob: 0)
            }
        }
        let found = try #require(SkewFinder(runs, unit: 1)?.skew(SkewLimits.lines))
        #expect(abs(found - degrees) < 0.1)
    }

    /// The lines of the page show its skew, regardless of its surroundings.
    @Test func aPageOnADarkBedIsLevelled() async throws {
        var made = SyntheticPage(70, SyntheticPage.size)
        made.fill(PixelRect(x: 50, y: 60, width: 520, height: 760), 232)
        made.text(PixelRect(x: 110, y: 150, width: 400, height: 560), slope: 0.05)
        let page = try await deskewed([made])[0]
        #expect(abs(try #require(page.layout?.skew) - 2.86) < 0.15 && page.layout?.isDeskewed == true)
    }

    /// A drawing takes up nearly half of a page: neither its half nor the sides have the slant of the lines.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func aPictureAmongLinesDoesNotHideThem(_ seed: UInt64) throws {
        var chance = SplitMix(seed: seed)
        var made = SyntheticPage.paper()
        made.text(PixelRect(x: 60, y: 80, width: 500, height: 400), slope: -0.04)
        for _ in 0..<220 {
            let (x, y) = (80 + Int(chance.next() % 450), 530 + Int(chance.next() % 280))
            made.hair(x: x, y: y, radius: 5 + Int(chance.next() % 16))
        }
        #expect(abs(try #require(RasterReading(made.raster).skew) + 2.29) < 0.2)
    }

    /// A few uneven lines above letters that stand in none: that is enough only where all of it is known for letters of rows.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func skewIsFoundFromFewRowsOfLetters(_ seed: UInt64) throws {
        var chance = SplitMix(seed: seed)
        func letter(_ x: Int, _ y: Int) -> [Strokes.Run] {
            (0..<14).map { Strokes.Run(row: Int32(y + $0), start: Int32(x), end: Int32(x + 10), blob: 0) }
        }
        var runs: [Strokes.Run] = []
        for row in 0..<8 {
            var x = 80
            for _ in 0..<22 {
                x += 13 + Int(chance.next() % 12)
                let down = Int((Double(x) * 0.04).rounded()) + Int(chance.next() % 10)
                runs += letter(x, 60 + 30 * row + down)
            }
        }
        for _ in 0..<320 { runs += letter(80 + Int(chance.next() % 400), 340 + Int(chance.next() % 400)) }
        #expect(SkewFinder(runs, unit: 1)?.skew(SkewLimits.letters) == nil)
        #expect(abs(try #require(SkewFinder(runs, unit: 1)?.skew(SkewLimits.rows)) + 2.29) < 0.3)
    }

    /// In a drawing the two measures find no common slant, or no clear one.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func aDrawingHasNoSlant(_ seed: UInt64) {
        var chance = SplitMix(seed: seed)
        let runs = (0..<60).flatMap { _ in
            let (x, y) = (Double(chance.next() % 500), Double(chance.next() % 700))
            let (radius, turn) = (Double(5 + chance.next() % 18), Double(chance.next() % 628) / 100)
            return (0..<60).map { step in
                let angle = turn + Double(step) / 20
                let left = Int32((60 + x + radius * cos(angle)).rounded())
                return Strokes.Run(
                    row: Int32((60 + y + radius * sin(angle)).rounded()), start: left, end: left + 2, blob: 0)
            }
        }
        #expect(SkewFinder(runs, unit: 1)?.skew(SkewLimits.letters) == nil)
    }

    /// An invisible correction is not worth encoding a page again.
    @Test func levelPagesStayUnchanged() async throws {
        var picture = SyntheticPage.paper()
        picture.photo()
        let pages = try await deskewed([page(0), page(0.1), picture, .paper()])
        #expect(pages.allSatisfy { $0.edits.isEmpty })
        #expect(pages.allSatisfy { $0.layout?.isDeskewed == false })
        #expect(pages.map { $0.layout?.remark ?? "" }.prefix(2) == ["its lines are level", "its lines are level"])
        #expect(pages[3].layout?.remark == "no lines of text to deskew it by")
    }

    /// Boxes are those of the deskewed page, and a dark edge that is rotated with it is not content.
    @Test(arguments: [0, 20]) func trimmingFindsTheDeskewedContent(_ edge: Int) async throws {
        let result = try await deskewed([page(4, edge: edge)], ["trim": "page", "trim-margin": "0px"])[0]
        let content = try #require(result.layout?.content)
        #expect(SyntheticPage.textBox.isNear(content, 6), "\(content)")
        #expect(result.edits.count == 2)
        #expect(result.edits.last == .move(.keep(content, of: SyntheticPage.size)))
        #expect(result.layout?.remark == "trimmed to its own content")
    }

    @Test func skewIsOnlyReportedWithoutDeskew() async throws {
        let result = try await SyntheticBook([page(2)]).trimmed(["trim": "page"])[0]
        #expect(result.layout?.skew != nil && result.layout?.isDeskewed == false)
        #expect(result.edits.count == 1)
    }

    @Test func aFileOfBoxesKeepsTheAngle() async throws {
        let scratch = try ScratchFolder()
        let given = ["trim": "page", "deskew": "true", "trim-file": scratch("boxes.json")]
        let looked = try await SyntheticBook([page(2), page(0)]).trimmed(given, isDryRun: true)
        let read = try await SyntheticBook([]).trimmed(given, pages: 2)
        #expect(read.map(\.edits) == looked.map(\.edits) && read.map(\.layout) == looked.map(\.layout))
        #expect(read[0].edits.count == 2)
        let text = String(decoding: try Files.read(scratch("boxes.json")), as: UTF8.self)
        try Files.write(Array(text.replacing("\"skew\": ", with: "\"skew\": 9").utf8), to: scratch("boxes.json"))
        let error = await #expect(throws: AdapterError.self) { try await SyntheticBook([]).trimmed(given, pages: 2) }
        #expect(error?.code == .damaged)
    }

    @Test func deskewingTurnsPointsAboutTheMiddle() {
        var turned = PageMap(PixelSize(width: 100, height: 100))
        turned.append(.change(Deskew(degrees: 45)))
        let middle = turned.place(of: PagePoint(across: 0.5, down: 0.5))
        #expect(abs(middle.across - 0.5) < 1e-9 && abs(middle.down - 0.5) < 1e-9)
        // Clockwise: a place at the right moves down.
        let right = turned.place(of: PagePoint(across: 1, down: 0.5))
        #expect(abs(right.across - 0.5 - 0.5 / 2.0.squareRoot()) < 1e-9)
        #expect(abs(right.down - 0.5 - 0.5 / 2.0.squareRoot()) < 1e-9)
    }

    @Test func deskewingKeepsTheSize() {
        let size = PixelSize(width: 30, height: 20)
        #expect(Deskew(degrees: 2).size(after: size) == size)
        #expect(
            !Deskew(degrees: 2).isNoOp(on: size, isGray: false) && Deskew(degrees: 0).isNoOp(on: size, isGray: false))
    }
}
