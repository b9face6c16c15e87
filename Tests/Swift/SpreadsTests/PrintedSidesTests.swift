import PageModel
import Scratch
import Testing

@testable import Spreads

/// The sides of pages as their printed numbers tell.
@Suite struct PrintedSidesTests {
    private static let size = PixelSize(width: 620, height: 880)

    /// A page of text with a number at one of its sides, in the middle, or nowhere.
    private func page(_ side: Side?, digits: Int = 2, isAtTop: Bool = false, seed: UInt64 = 1) -> Raster {
        var random = SplitMix(seed: seed)
        var samples = [UInt8](repeating: 250, count: PrintedSidesTests.size.area)
        func fill(_ left: Int, _ top: Int, _ width: Int, _ height: Int) {
            for y in top..<top + height { for x in left..<left + width { samples[y * 620 + x] = 30 } }
        }
        for y in stride(from: 120, to: 740, by: 24) {
            var x = 80
            while x < 520 {
                let letters = 2 + Int(random.next() % 7)
                for letter in 0..<letters where x + letter * 12 < 540 { fill(x + letter * 12, y, 9, 14) }
                x += letters * 12 + 8
            }
        }
        if let side {
            let left = side == .left ? 80 : side == .right ? 540 - 11 * digits : 310
            for digit in 0..<digits { fill(left + 11 * digit, isAtTop ? 70 : 800, 8, 12) }
        }
        return Raster(size: PrintedSidesTests.size, format: .gray(bits: 8), samples: samples)
    }

    private func book(_ sides: [Side?], isAtTop: Bool = false) -> SyntheticSequence {
        var book = SyntheticSequence([PixelSize](repeating: PrintedSidesTests.size, count: sides.count))
        for (index, side) in sides.enumerated() {
            book.looks[index + 1] = page(side, digits: 1 + index % 3, isAtTop: isAtTop, seed: UInt64(index))
        }
        return book
    }

    private func sides(_ book: SyntheticSequence, _ given: [String: String] = ["spreads": "pair"]) async throws
        -> [Side]
    {
        try await book.made(given).pages.map(\.side)
    }

    /// Without numbers the second page would be a left one.
    @Test(arguments: [true, false]) func numbersDetermineTheSides(_ isAtTop: Bool) async throws {
        var printed: [Side?] = (0..<20).map { $0.isMultiple(of: 2) ? .left : .right }
        let expected = [Side.single] + printed.dropFirst().compactMap { $0 }
        (printed[0], printed[9]) = (nil, nil)
        #expect(try await sides(book(printed, isAtTop: isAtTop)) == expected)
        // A few pages may have marks at such places by chance.
        #expect(try await sides(book(Array(printed[..<7]), isAtTop: isAtTop))[1] == .left)
    }

    @Test func numbersThatAgreeChangeNothing() async throws {
        let printed: [Side?] = [nil, .left, .right, .left, .right, .left, .right, nil, .right]
        let pages = try await book(printed).made(["spreads": "pair"]).pages
        #expect(pages.map(\.side) == [.single, .left, .right, .left, .right, .left, .right, .left, .right])
        #expect(pages.allSatisfy { $0.spread?.remark.english.contains("numbers") == false })
    }

    /// A page is missing in the middle: from there on the sides are the others.
    @Test func aMissingPageShiftsTheRest() async throws {
        var printed: [Side?] = [nil]
        for page in 0..<12 { printed.append(page.isMultiple(of: 2) ? .left : .right) }
        for page in 0..<12 { printed.append(page.isMultiple(of: 2) ? .right : .left) }
        #expect(try await sides(book(printed)).map { Optional($0) }.dropFirst() == printed.dropFirst())
    }

    /// Marks in the middle, or always on the same side, are not evidence.
    @Test(arguments: [Side.single, .right]) func marksAlwaysAtOnePlaceAreIgnored(_ side: Side) async throws {
        let found = try await sides(book([Side?](repeating: side, count: 10)))
        #expect(found == [.single, .left, .right, .left, .right, .left, .right, .left, .right, .left])
    }

    @Test func optionsOverridePrintedNumbers() async throws {
        let printed: [Side?] = [nil, .right, .left, .right, .left, .right, .left, .right, .left, .right]
        for given in [["spreads": "pair", "cover": "alone"], ["spreads": "pair", "shift": "9"]] {
            #expect(try await sides(book(printed), given)[1] == .left)
        }
        let remark = try await book(printed).made(["spreads": "pair"]).pages[1].spread?.remark
        #expect(remark == "on the right, without a facing page, according to printed page numbers")
    }

    /// Pages that lie back to back are not joined, however well their edges match, unless the match is almost certain.
    @Test(arguments: Direction.allCases) func drawingsAreNotJoinedAgainstNumbers(_ direction: Direction) {
        let (left, right) = SyntheticArt.strokes(seed: 11).cut(lost: 3)
        let pages: [PageEdges?] = direction == .leftToRight ? [left, right] : [right, left]
        let first = direction.firstSide
        let free = ArtSeams(pages, direction)
        #expect(free.pairs.count == 1)
        #expect(ArtSeams(pages, direction, sides: [first, first.opposite]).pairs == free.pairs)
        let against = ArtSeams(pages, direction, sides: [first.opposite, first])
        let odds = free.pairs[0].confidence / (1 - free.pairs[0].confidence)
        #expect(against.pairs.count == (odds > 90 ? 1 : 0))
        #expect((against.pairs + against.nearMisses).allSatisfy { $0.confidence < free.pairs[0].confidence })
    }
}
