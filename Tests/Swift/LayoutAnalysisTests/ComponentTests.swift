import PageModel
import Scratch
import Testing

@testable import LayoutAnalysis

/// Connected components of runs and of cells.
@Suite struct ComponentTests {
    /// Returns the cells of a drawing: `#` is a member.
    private func cells(_ rows: [String]) -> [Bool] { rows.flatMap { $0.map { $0 == "#" } } }

    /// Returns the numbers of the components: a letter for each member, and a point for every other cell.
    private func labels(_ rows: [String], _ neighborhood: Neighborhood) -> [String] {
        let across = rows.first?.count ?? 0
        let components = GridComponents(cells(rows), across: across, neighborhood)
        return rows.indices.map { row in
            String(
                components.numbers[row * across..<(row + 1) * across].map { number in
                    number.map { Character(UnicodeScalar(UInt8(65 + $0))) } ?? "."
                })
        }
    }

    @Test func cornersConnectInOneNeighborhoodOnly() {
        let rows = [
            "#..#",
            ".##.",
            "....",
            "#.##",
        ]
        #expect(labels(rows, .sidesAndCorners) == ["A..A", ".AA.", "....", "B.CC"])
        #expect(labels(rows, .sides) == ["A..B", ".CC.", "....", "D.EE"])
    }

    /// The two arms of a U meet at its bottom, so that the second number is not used.
    @Test func armsThatMeetLaterAreOneComponent() {
        let rows = ["#.#.#", "#.#.#", "###..", "....#"]
        #expect(labels(rows, .sides) == ["A.A.B", "A.A.B", "AAA..", "....C"])
    }

    @Test func aRowDoesNotContinueInTheNext() {
        #expect(labels(["..#", "#.."], .sides) == ["..A", "B.."])
        #expect(labels(["..#", "#.."], .sidesAndCorners) == ["..A", "B.."])
    }

    @Test func gridsWithoutMembersHaveNoComponents() {
        for (count, across) in [(0, 0), (0, 5), (6, 3)] {
            let components = GridComponents([Bool](repeating: false, count: count), across: across, .sides)
            #expect(components.count == 0 && components.members.isEmpty && components.numbers.count == count)
        }
        #expect(GridComponents([true], across: 1, .sides).members == [[0]])
    }

    /// Sizes around the multiples of 64, and a reference that visits one cell after the other.
    @Test(arguments: [1, 2, 63, 64, 65, 130]) func componentsAreThoseOfAFloodFill(_ across: Int) {
        for (seed, down) in [(1, 1), (2, 3), (3, 64), (4, 71)] {
            for share in [4, 9, 13] {
                var chance = SplitMix(seed: UInt64(seed * 1000 + share))
                let isMember = (0..<across * down).map { _ in Int(chance.next() % 16) < share }
                for neighborhood in [Neighborhood.sides, .sidesAndCorners] {
                    let components = GridComponents(isMember, across: across, neighborhood)
                    let expected = floodFill(isMember, across: across, neighborhood)
                    #expect(components.numbers == expected)
                    #expect(components.count == (expected.compactMap(\.self).max() ?? -1) + 1)
                    #expect(components.members.joined().sorted() == isMember.indices.filter { isMember[$0] })
                }
            }
        }
    }

    private func floodFill(_ isMember: [Bool], across: Int, _ neighborhood: Neighborhood) -> [Int?] {
        var numbers = [Int?](repeating: nil, count: isMember.count)
        var count = 0
        for first in isMember.indices where isMember[first] && numbers[first] == nil {
            var open = [first]
            numbers[first] = count
            while let place = open.popLast() {
                for (x, y) in neighbors(of: place, across: across, neighborhood) {
                    let near = y * across + x
                    guard (0..<across).contains(x), isMember.indices.contains(near), isMember[near],
                        numbers[near] == nil
                    else { continue }
                    numbers[near] = count
                    open.append(near)
                }
            }
            count += 1
        }
        return numbers
    }

    private func neighbors(of place: Int, across: Int, _ neighborhood: Neighborhood) -> [(x: Int, y: Int)] {
        var found: [(x: Int, y: Int)] = []
        for down in -1...1 {
            for right in -1...1 where neighborhood == .sidesAndCorners || abs(right) + abs(down) == 1 {
                found.append((place % across + right, place / across + down))
            }
        }
        return found
    }
}

/// Sets that are joined step by step.
@Suite struct DisjointSetTests {
    @Test func theLowestMemberStandsForASet() {
        var sets = DisjointSets(count: 6)
        #expect(sets.join(4, 5)?.kept == 4)
        #expect(sets.join(5, 2)?.dropped == 4)
        #expect(sets.join(2, 4) == nil)
        #expect((0..<6).map { sets.root(of: $0) } == [0, 1, 2, 3, 2, 2])
    }

    @Test func aMemberAddedToASetGetsItsRoot() {
        var sets = DisjointSets(count: 4)
        sets.add(0, to: 3)
        sets.add(1, to: 0)
        sets.add(3, to: 3)
        #expect((0..<4).map { sets.root(of: $0) } == [3, 3, 2, 3])
    }
}
