internal import PageModel

extension Pairing {
    /// Returns the pages before which a side must stay empty, so that pages are on the sides according to their numbers.
    ///
    /// A few numbers may be misread, or a page may be missing in the middle of a book. So the shifts of the pairing with the
    /// fewest contradicted numbers are chosen. Each shift counts as some of them (Viterbi, "Error bounds for convolutional
    /// codes", 1967). After a cover, a wide page or its halves, pairing begins again, as always.
    ///
    /// - Parameters:
    ///   - printed: each page's side by its number, if any.
    ///   - art: the sides that drawings show, by the indexes of pages.
    static func shifts(
        _ kinds: [Kind], cover: Cover, printed: [Side?], art: [Int: Side] = [:], _ direction: Direction
    ) -> Set<Int> {
        let sides = Pairing(kinds, cover: cover).sides(direction, count: kinds.count)
        var shifts: Set<Int> = []
        var stretch: [Int] = []
        var page = 0
        while page < kinds.count {
            let isPlain = kinds[page] == .plain || kinds[page] == .first && cover == .paired
            if !isPlain || kinds[page] == .first {
                shifts.formUnion(Pairing.shifts(in: stretch, sides, printed, art))
                stretch = []
            }
            if isPlain { stretch.append(page) }
            page += kinds[page] == .bound ? 2 : 1
        }
        return shifts.union(Pairing.shifts(in: stretch, sides, printed, art))
    }

    /// Returns the shifts among some pages that are paired one after the other.
    private static func shifts(
        in stretch: [Int], _ sides: [Side], _ printed: [Side?], _ art: [Int: Side]
    ) -> Set<Int> {
        guard !stretch.isEmpty else { return [] }
        // The cost up to each page with the current pairing, and with it shifted by one.
        let cost = NumberLimits.Pairing.cost
        var costs = (0.0, NumberLimits.Pairing.costAtStart)
        var isShiftedBefore: [(Bool, Bool)] = []
        for page in stretch {
            let stays = (costs.0 <= costs.1 + cost, costs.1 <= costs.0 + cost)
            let first = isShiftedBefore.isEmpty
            isShiftedBefore.append(first ? (false, true) : (!stays.0, stays.1))
            if !first { costs = (min(costs.0, costs.1 + cost), min(costs.1, costs.0 + cost)) }
            for (side, weight) in [(printed[page], 1), (art[page], NumberLimits.Pairing.weightOfArt)] {
                guard let side else { continue }
                if side == sides[page] { costs.1 += weight } else { costs.0 += weight }
            }
        }
        var isShifted = costs.1 < costs.0
        var shifts: Set<Int> = []
        for (page, before) in zip(stretch, isShiftedBefore).reversed() {
            let wasShifted = isShifted ? before.1 : before.0
            if wasShifted != isShifted { shifts.insert(page) }
            if page == stretch[0], isShifted { shifts.insert(page) }
            isShifted = wasShifted
        }
        return shifts
    }
}
