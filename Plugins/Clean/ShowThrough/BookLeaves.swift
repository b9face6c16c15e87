/// The pages of a book that are the two sides of a leaf, as far as each shows the print of the other.
struct BookLeaves {
    /// The comparisons of each page with the next one; nil where nothing correlates.
    private var matches: [LeafMatch?] = []
    private var last: LeafView?
    private var count = 0

    /// The other side of a leaf.
    struct Reverse {
        let index: Int
        let side: LeafMatch.Side
    }

    /// Adds the next page; nil for one that is not seen. Only the last page is kept.
    mutating func append(_ view: LeafView?) {
        if count > 0 { matches.append(last.flatMap { last in view.flatMap { LeafMatch(last, $0) } }) }
        last = view
        count += 1
    }

    /// Returns the other side of the leaf of a page; nil if it does not shine through on either side.
    func reverse(of index: Int) -> Reverse? {
        if let match = leaf(index) { return Reverse(index: index + 1, side: match.front) }
        if let match = leaf(index - 1) { return Reverse(index: index - 1, side: match.back) }
        return nil
    }

    /// Returns the comparison of a page with the next one if they are one leaf.
    private func leaf(_ index: Int) -> LeafMatch? {
        guard matches.indices.contains(index), let match = matches[index],
            match.correlation >= ShowThroughLimits.correlation, match.prominence >= ShowThroughLimits.prominence,
            // Pages of the same layout correlate by that alone, and with both of their neighbors.
            match.correlation >= ShowThroughLimits.ratio * max(correlation(index - 1), correlation(index + 1)),
            votes(like: index) >= votes(like: index + 1)
        else { return nil }
        return match
    }

    private func correlation(_ index: Int) -> Float {
        matches.indices.contains(index) ? matches[index]?.correlation ?? 0 : 0
    }

    /// Returns the sum of the correlations of every second pair of pages around one.
    private func votes(like index: Int) -> Float {
        var sum: Float = 0
        for distance in stride(from: -ShowThroughLimits.voters, through: ShowThroughLimits.voters, by: 2) {
            sum += correlation(index + distance)
        }
        return sum
    }
}
