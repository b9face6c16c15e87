/// Looks for lines that may be the fold.
struct FoldSearch: Sendable {
    private let bands: FoldBands
    private let within: ClosedRange<Int>
    private let valleys: FoldVotes
    private let seams: FoldVotes
    /// All lines by slope and column: how deep a valley they are.
    private let depths: [[Float]]
    /// All lines by slope and column: how much of a seam they are, beyond the columns nearby.
    private let differences: [[Float]]
    let slopes: [Double]

    /// What scanners and hands turn a book by at most: the tangent of 2.5°.
    private static let mostSlope = 0.0437
    /// Seams are compared with the columns within this share of the width.
    private static let neighbourhood = 0.03
    /// So many lines of each kind are looked at closely.
    private static let mostPeaks = 6
    /// Levels that differ by less are the same.
    private static let same: Float = 0.02
    /// What the paper's grain makes of valleys and, four times that, of seams, in levels.
    private static let grain = 0.5
    /// A band with so many levels shows the line.
    private static let seenValley = 1.5
    /// What is nearer than that many columns sees the same edge.
    private static let nearest = 5
    /// The columns whose median a part's seam is compared with.
    private static let around = [-12, -8, -5, 5, 8, 12]
    /// A line's parts, as shares of the height: the ends, where pages have margins, and six between.
    private static let parts = [0, 0.03, 0.2, 0.35, 0.5, 0.65, 0.8, 0.97, 1]

    /// - Parameter within: the columns that folds are looked for in.
    init(_ bands: FoldBands, within: ClosedRange<Int>) {
        self.bands = bands
        self.within = within
        valleys = FoldVotes(bands, .valley)
        seams = FoldVotes(bands, .seam)
        // Two pixels at the ends of a line make a difference.
        let step = 2 / max(1, bands.depths.map { abs($0) }.max() ?? 1)
        let half = Int((FoldSearch.mostSlope / step).rounded(.up))
        let slopes = (-half...half).map { Double($0) * step }
        self.slopes = slopes
        depths = slopes.map(valleys.tally)
        differences = slopes.map(seams.tally).map { FoldSearch.beyondNeighbours($0, bands, within) }
    }

    /// By how much columns within a range exceed the median of some to both sides; 0 for others.
    private static func beyondNeighbours(_ tally: [Float], _ bands: FoldBands, _ within: ClosedRange<Int>) -> [Float] {
        var result = [Float](repeating: 0, count: tally.count)
        let reach = max(8, Int(neighbourhood * bands.scanWidth))
        var near: [Float] = []
        near.reserveCapacity(reach)
        for x in within.clamped(to: 0...max(0, tally.count - 1)) where x < tally.count {
            near.removeAll(keepingCapacity: true)
            for away in stride(from: nearest, through: reach, by: 2) {
                if x - away >= 0 { near.append(tally[x - away]) }
                if x + away < tally.count { near.append(tally[x + away]) }
            }
            near.sort()
            if !near.isEmpty { result[x] = tally[x] - near[near.count / 2] }
        }
        return result
    }

    /// The deepest valleys and the clearest seams, no two side by side.
    var lines: [FoldLine] { peaks(of: depths) + peaks(of: differences) }

    private func peaks(of scores: [[Float]]) -> [FoldLine] {
        let range = within.clamped(to: 0...max(0, bands.width - 1))
        var best = [(score: Float, slope: Int)](repeating: (-.infinity, 0), count: range.count)
        // The upright ones first: a sharp edge looks the same to lines that are slanted a little.
        for slope in scores.indices.sorted(by: { abs(slopes[$0]) < abs(slopes[$1]) }) {
            let row = scores[slope]
            for x in range where row[x] > best[x - range.lowerBound].score + FoldSearch.same {
                best[x - range.lowerBound] = (row[x], slope)
            }
        }
        var lines: [FoldLine] = []
        let apart = max(2, Int(bands.scanWidth / 150))
        for _ in 0..<FoldSearch.mostPeaks {
            guard let top = best.indices.max(by: { best[$0].score < best[$1].score }), best[top].score > 0 else {
                break
            }
            // And so it does to columns side by side, of which the middle one is nearest to it.
            let least = best[top].score - FoldSearch.same
            let first = (max(0, top - apart)...top).first { best[$0].score >= least } ?? top
            let last = (top...min(best.count - 1, top + apart)).last { best[$0].score >= least } ?? top
            let middle = (first + last) / 2
            let chosen = best[middle].score >= least ? middle : top
            lines.append(judged(column: chosen + range.lowerBound, slope: best[chosen].slope))
            for near in max(0, chosen - apart)...min(best.count - 1, chosen + apart) { best[near].score = -.infinity }
        }
        return lines
    }

    private func judged(column: Int, slope: Int) -> FoldLine {
        var line = FoldLine(column: column, slope: slopes[slope])
        line.valley = Double(depths[slope][column])
        line.seam = Double(differences[slope][column])
        let edges = FoldSearch.parts.map { Int(($0 * Double(bands.count)).rounded()) }
        let parts = zip(edges, edges.dropFirst()).map { $0..<$1 }
        let valley = parts.map { valleys.mean(column: column, slope: slopes[slope], of: $0) }
        let seam = parts.map { part in
            let around = FoldSearch.around.map { seams.mean(column: column + $0, slope: slopes[slope], of: part) }
            return seams.mean(column: column, slope: slopes[slope], of: part) - around.sorted()[2]
        }
        (line.leastValley, line.leastSeam) = (valley.sorted()[2], seam.sorted()[2])
        line.missingEnds = [0, parts.count - 1].count { end in
            valley[end] < max(FoldSearch.grain, 0.2 * line.valley)
                && seam[end] < 4 * FoldSearch.grain + 0.1 * line.seam
        }
        line.extent = valleys.extent(column: column, slope: slopes[slope], least: FoldSearch.seenValley)
        return line
    }
}
