/// The pages of two books that belong together: first those with equal keys, then those between them.
struct PageMatches {
    /// Two pages that belong together, or a page without a partner.
    struct Pair: Hashable {
        let one: Int?
        let other: Int?
        /// Whether the pages have equal keys.
        let isMatched: Bool
        /// Whether both are in another order than most pages.
        let isMoved: Bool
    }

    /// The partner of each page of the first book, and of the other.
    private var ones: [Int?]
    private var others: [Int?]

    /// - Parameters: the numbers of pages.
    init(_ oneCount: Int, _ otherCount: Int) {
        ones = Array(repeating: nil, count: oneCount)
        others = Array(repeating: nil, count: otherCount)
    }

    /// The places of pages without a partner.
    var freeOnes: [Int] { ones.indices.filter { ones[$0] == nil } }
    var freeOthers: [Int] { others.indices.filter { others[$0] == nil } }

    /// Matches pages with equal keys, among those without a partner.
    ///
    /// Keys that are unique in both books decide first. Pages with a frequent key, such as blank ones, belong to their matched
    /// neighbors. The rest is matched in order.
    mutating func match(_ keysOfOnes: [String?], _ keysOfOthers: [String?]) {
        for (free, partners) in places(keysOfOnes, keysOfOthers) where free.count == 1 && partners.count == 1 {
            link(free[0], partners[0])
        }
        let fences = [(-1, -1)] + run() + [(ones.count, others.count)]
        for step in [1, -1] {
            for (one, other) in step > 0 ? fences : fences.reversed() {
                var (one, other) = (one + step, other + step)
                while ones.indices.contains(one), others.indices.contains(other), ones[one] == nil,
                    others[other] == nil, let key = keysOfOnes[one], key == keysOfOthers[other]
                {
                    link(one, other)
                    (one, other) = (one + step, other + step)
                }
            }
        }
        for (free, partners) in places(keysOfOnes, keysOfOthers) { zip(free, partners).forEach { link($0, $1) } }
    }

    private mutating func link(_ one: Int, _ other: Int) { (ones[one], others[other]) = (other, one) }

    /// Returns the places of each key that free pages of both books have.
    private func places(_ keysOfOnes: [String?], _ keysOfOthers: [String?]) -> [([Int], [Int])] {
        var free: [String: [Int]] = [:]
        for place in freeOnes { if let key = keysOfOnes[place] { free[key, default: []].append(place) } }
        var partners: [String: [Int]] = [:]
        for place in freeOthers { if let key = keysOfOthers[place] { partners[key, default: []].append(place) } }
        return free.compactMap { key, places in partners[key].map { (places, $0) } }
    }

    /// Returns the longest run of matched pages that are in the same order in both books.
    private func run() -> [(Int, Int)] {
        let linked = ones.indices.compactMap { one in ones[one].map { (one, $0) } }
        // The place in `linked` of the smallest end of a run, by its length, and of the page before each.
        var (ends, before): ([Int], [Int?]) = ([], [])
        for (place, pair) in linked.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if linked[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var (run, place): ([(Int, Int)], Int?) = ([], ends.last)
        while let current = place {
            run.append(linked[current])
            place = before[current]
        }
        return run.reversed()
    }

    /// Returns all pages, in the order of the other book. Pages without a partner are paired with those between the same matched
    /// pages.
    ///
    /// - Parameter distance: how different two such pages are, if one book has more of them.
    func pairs(_ distance: (Int, Int) -> Int) -> [Pair] {
        var pairs: [Pair] = []
        var last = (-1, -1)
        for fence in run() + [(ones.count, others.count)] {
            let free = (last.0 + 1..<fence.0).filter { ones[$0] == nil }
            let partners = (last.1 + 1..<fence.1).filter { others[$0] == nil }
            let moved = (last.1 + 1..<fence.1).compactMap { other in
                others[other].map { Pair(one: $0, other: other, isMatched: true, isMoved: true) }
            }
            pairs += PageMatches.merged(PageMatches.paired(free, partners, distance), moved)
            if fence.1 < others.count {
                pairs.append(Pair(one: fence.0, other: fence.1, isMatched: true, isMoved: false))
            }
            last = fence
        }
        return pairs
    }

    /// Returns both lists in the order of the other book.
    private static func merged(_ pairs: [Pair], _ moved: [Pair]) -> [Pair] {
        var (result, rest) = ([Pair](), moved[...])
        for pair in pairs {
            while let next = rest.first, let place = next.other, let limit = pair.other, place < limit {
                result.append(next)
                rest.removeFirst()
            }
            result.append(pair)
        }
        return result + rest
    }

    /// The maximum number of pairs that are considered to find the pages without a partner.
    private static let maximumPairs = 1_000_000

    /// Pairs pages in order. If one book has more, those remain alone whose absence makes the pairs most similar.
    private static func paired(_ ones: [Int], _ others: [Int], _ distance: (Int, Int) -> Int) -> [Pair] {
        guard ones.count <= others.count else {
            return paired(others, ones) { distance($1, $0) }.map {
                Pair(one: $0.other, other: $0.one, isMatched: false, isMoved: false)
            }
        }
        let (count, extra) = (ones.count, others.count - ones.count)
        var skipped = Set(count..<others.count)
        if count > 0, extra > 0, count.multipliedReportingOverflow(by: extra + 1).partialValue <= maximumPairs {
            skipped = leastSimilar(ones, others, distance)
        }
        var pairs: [Pair] = []
        var rest = ones[...]
        for (place, other) in others.enumerated() {
            let one = skipped.contains(place) ? nil : rest.popFirst()
            pairs.append(Pair(one: one, other: other, isMatched: false, isMoved: false))
        }
        return pairs
    }

    /// Returns the places in a longer list without which its pages differ least from those of the shorter list.
    private static func leastSimilar(_ ones: [Int], _ others: [Int], _ distance: (Int, Int) -> Int) -> Set<Int> {
        let extra = others.count - ones.count
        // The least sum of distances after so many pairs, by the number of skipped pages, and whether a page was skipped last.
        var sums = [Int](repeating: 0, count: extra + 1)
        var skips: [[Bool]] = [(0...extra).map { $0 > 0 }]
        for (place, one) in ones.enumerated() {
            var row = [Bool](repeating: false, count: extra + 1)
            for count in 0...extra {
                sums[count] += distance(one, others[place + count])
                if count > 0, sums[count - 1] <= sums[count] {
                    (sums[count], row[count]) = (sums[count - 1], true)
                }
            }
            skips.append(row)
        }
        var (skipped, pairs, count): (Set<Int>, Int, Int) = ([], ones.count, extra)
        while pairs > 0 || count > 0 {
            if skips[pairs][count] {
                count -= 1
                skipped.insert(pairs + count)
            } else {
                pairs -= 1
            }
        }
        return skipped
    }
}
