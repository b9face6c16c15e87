import PageModel
import Testing

@testable import Spreads

/// Spreads are written as a reader sees them: `C` is page 1 as a cover, `W3` page 3 alone as it is wide, `4-5` two
/// facing pages in reading order, `4-` and `-4` one that faces nothing, on the side that is read first or second.
@Suite struct PairingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let pages: Int
        var cover = Pairing.Cover.alone
        var wide: [Int] = []
        var bound: [Int] = []
        var shifts: [Int] = []
        let spreads: String

        var testDescription: String { "\(pages) pages, \(cover), wide \(wide), bound \(bound), shift \(shifts)" }

        var pairing: Pairing {
            let kinds = (1...max(1, pages)).prefix(pages).map { page -> Pairing.Kind in
                wide.contains(page) ? .wide : bound.contains(page) ? .bound : page == 1 ? .first : .plain
            }
            return Pairing(kinds, cover: cover, shifts: Set(shifts.map { $0 - 1 }))
        }
    }

    static let table = [
        Case(pages: 0, spreads: ""),
        Case(pages: 1, spreads: "C"),
        Case(pages: 2, spreads: "C 2-"),
        Case(pages: 3, spreads: "C 2-3"),
        Case(pages: 4, spreads: "C 2-3 4-"),
        Case(pages: 5, spreads: "C 2-3 4-5"),
        Case(pages: 6, spreads: "C 2-3 4-5 6-"),
        Case(pages: 7, spreads: "C 2-3 4-5 6-7"),
        Case(pages: 8, spreads: "C 2-3 4-5 6-7 8-"),
        Case(pages: 9, spreads: "C 2-3 4-5 6-7 8-9"),
        Case(pages: 0, cover: .paired, spreads: ""),
        Case(pages: 1, cover: .paired, spreads: "1-"),
        Case(pages: 2, cover: .paired, spreads: "1-2"),
        Case(pages: 3, cover: .paired, spreads: "1-2 3-"),
        Case(pages: 4, cover: .paired, spreads: "1-2 3-4"),
        Case(pages: 5, cover: .paired, spreads: "1-2 3-4 5-"),
        Case(pages: 6, cover: .paired, spreads: "1-2 3-4 5-6"),
        Case(pages: 7, cover: .paired, spreads: "1-2 3-4 5-6 7-"),
        Case(pages: 8, cover: .paired, spreads: "1-2 3-4 5-6 7-8"),
        Case(pages: 9, cover: .paired, spreads: "1-2 3-4 5-6 7-8 9-"),

        // A wide page at each place: one that waits is let go before it, and counting begins anew behind it.
        Case(pages: 1, wide: [1], spreads: "W1"),
        Case(pages: 2, wide: [1], spreads: "W1 2-"),
        Case(pages: 2, wide: [2], spreads: "C W2"),
        Case(pages: 3, wide: [1], spreads: "W1 2-3"),
        Case(pages: 3, wide: [2], spreads: "C W2 3-"),
        Case(pages: 3, wide: [3], spreads: "C 2- W3"),
        Case(pages: 6, wide: [1], spreads: "W1 2-3 4-5 6-"),
        Case(pages: 6, wide: [2], spreads: "C W2 3-4 5-6"),
        Case(pages: 6, wide: [3], spreads: "C 2- W3 4-5 6-"),
        Case(pages: 6, wide: [4], spreads: "C 2-3 W4 5-6"),
        Case(pages: 6, wide: [5], spreads: "C 2-3 4- W5 6-"),
        Case(pages: 6, wide: [6], spreads: "C 2-3 4-5 W6"),
        Case(pages: 6, cover: .paired, wide: [1], spreads: "W1 2-3 4-5 6-"),
        Case(pages: 6, cover: .paired, wide: [2], spreads: "1- W2 3-4 5-6"),
        Case(pages: 6, cover: .paired, wide: [3], spreads: "1-2 W3 4-5 6-"),
        Case(pages: 6, cover: .paired, wide: [4], spreads: "1-2 3- W4 5-6"),
        Case(pages: 6, cover: .paired, wide: [5], spreads: "1-2 3-4 W5 6-"),
        Case(pages: 6, cover: .paired, wide: [6], spreads: "1-2 3-4 5- W6"),
        Case(pages: 7, wide: [3, 4], spreads: "C 2- W3 W4 5-6 7-"),
        Case(pages: 7, wide: [3, 5], spreads: "C 2- W3 4- W5 6-7"),
        Case(pages: 9, wide: [1, 5, 9], spreads: "W1 2-3 4- W5 6-7 8- W9"),
        Case(pages: 4, wide: [1, 2, 3, 4], spreads: "W1 W2 W3 W4"),

        // A side stays empty before a page, and all that follows up to the next wide page moves by one.
        Case(pages: 7, shifts: [2], spreads: "C -2 3-4 5-6 7-"),
        Case(pages: 7, shifts: [3], spreads: "C 2- 3-4 5-6 7-"),
        Case(pages: 7, shifts: [4], spreads: "C 2-3 -4 5-6 7-"),
        Case(pages: 7, shifts: [5], spreads: "C 2-3 4- 5-6 7-"),
        Case(pages: 7, shifts: [7], spreads: "C 2-3 4-5 6- 7-"),
        Case(pages: 7, cover: .paired, shifts: [1], spreads: "-1 2-3 4-5 6-7"),
        Case(pages: 7, cover: .paired, shifts: [2], spreads: "1- 2-3 4-5 6-7"),
        Case(pages: 8, wide: [6], shifts: [3], spreads: "C 2- 3-4 5- W6 7-8"),
        Case(pages: 8, shifts: [3, 6], spreads: "C 2- 3-4 5- 6-7 8-"),

        // Two halves of what was one picture stay together, whatever comes before them.
        Case(pages: 6, bound: [1], spreads: "1-2 3-4 5-6"),
        Case(pages: 6, bound: [2], spreads: "C 2-3 4-5 6-"),
        Case(pages: 6, bound: [3], spreads: "C 2- 3-4 5-6"),
        Case(pages: 6, bound: [5], spreads: "C 2-3 4- 5-6"),
        Case(pages: 6, wide: [5], bound: [3], spreads: "C 2- 3-4 W5 6-"),
    ]

    static func text(_ pairing: Pairing) -> String {
        pairing.spreads.map { spread in
            switch spread {
            case .cover: "C"
            case .wide(let page): "W\(page + 1)"
            case .facing(let first, let second):
                (first.map { "\($0 + 1)" } ?? "") + "-" + (second.map { "\($0 + 1)" } ?? "")
            }
        }.joined(separator: " ")
    }

    @Test(arguments: table)
    func isAsInTheTable(_ example: Case) {
        #expect(Self.text(example.pairing) == example.spreads)
    }

    /// All books of up to nine pages: every page once and in order, none beside a wide one, and no page that faces
    /// nothing without a reason.
    @Test func everySmallBook() {
        var books = 0
        for count in 0...9 {
            for wide in 0..<1 << count {
                for cover in Pairing.Cover.allCases {
                    for shift in -1..<count {
                        let kinds = (0..<count).map { page -> Pairing.Kind in
                            wide >> page & 1 == 1 ? .wide : page == 0 ? .first : .plain
                        }
                        let pairing = Pairing(kinds, cover: cover, shifts: shift < 0 ? [] : [shift])
                        #expect(pairing.spreads.flatMap(\.pages) == Array(0..<count))
                        check(pairing, kinds, cover, shift)
                        books += 1
                    }
                }
            }
        }
        #expect(books == 18_434)
    }

    private func check(_ pairing: Pairing, _ kinds: [Pairing.Kind], _ cover: Pairing.Cover, _ shift: Int) {
        for spread in pairing.spreads {
            switch spread {
            case .cover(let page): #expect(page == 0 && cover == .alone && kinds[0] == .first)
            case .wide(let page): #expect(kinds[page] == .wide)
            case .facing(let first?, let second?):
                #expect(kinds[first] != .wide && kinds[second] != .wide && second == first + 1)
                #expect(second != shift)
            case .facing(let first?, nil):
                // Before a wide page, at the end, or where the pairing moves.
                #expect(first + 1 == kinds.count || kinds[first + 1] == .wide || first + 1 == shift)
            case .facing(nil, let second?): #expect(second == shift)
            case .facing(nil, nil): Issue.record("a spread without pages")
            }
        }
    }

    @Test func sidesFollowTheDirection() {
        let pairing = Case(pages: 7, wide: [4], shifts: [6], spreads: "").pairing
        #expect(Self.text(pairing) == "C 2-3 W4 5- 6-7")
        #expect(
            pairing.sides(.leftToRight, count: 7) == [.single, .left, .right, .single, .left, .left, .right])
        #expect(
            pairing.sides(.rightToLeft, count: 7) == [.single, .right, .left, .single, .right, .right, .left])
    }
}
