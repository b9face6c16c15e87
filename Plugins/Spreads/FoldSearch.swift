/// Looks for lines that may be the fold.
struct FoldSearch: Sendable {
    let bands: FoldBands
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
    /// A line's parts, as shares of the height: the ends, where pages have margins, and six between.
    private static let parts = [0, 0.03, 0.2, 0.35, 0.5, 0.65, 0.8, 0.97, 1]

    init(_ bands: FoldBands) {
        self.bands = bands
        valleys = FoldVotes(bands, .valley)
        seams = FoldVotes(bands, .seam)
        // Two pixels at the ends of a line make a difference.
        let step = 2 / max(1, bands.depths.map { abs($0) }.max() ?? 1)
        let half = Int((FoldSearch.mostSlope / step).rounded(.up))
        let slopes = (-half...half).map { Double($0) * step }
        self.slopes = slopes
        depths = slopes.map(valleys.tally)
        let reach = max(8, Int(FoldSearch.neighbourhood * bands.scanWidth))
        differences = slopes.map(seams.tally).map { tally in
            tally.indices.map { x in
                // The median of some columns to both sides, but for the nearest, which see the same edge.
                var near: [Float] = []
                for away in stride(from: 5, through: reach, by: 2) {
                    if x - away >= 0 { near.append(tally[x - away]) }
                    if x + away < tally.count { near.append(tally[x + away]) }
                }
                near.sort()
                return near.isEmpty ? 0 : tally[x] - near[near.count / 2]
            }
        }
    }

    /// The deepest valleys and the clearest seams in a range of columns, no two side by side.
    func lines(in range: ClosedRange<Int>) -> [FoldLine] {
        peaks(of: depths, in: range) + peaks(of: differences, in: range)
    }

    private func peaks(of scores: [[Float]], in range: ClosedRange<Int>) -> [FoldLine] {
        let range = range.clamped(to: 0...max(0, bands.width - 1))
        var best = [(score: Float, slope: Int)](repeating: (-.infinity, 0), count: range.count)
        for (slope, row) in scores.enumerated() {
            for x in range where row[x] > best[x - range.lowerBound].score { best[x - range.lowerBound] = (row[x], slope) }
        }
        var lines: [FoldLine] = []
        let apart = max(2, Int(bands.scanWidth / 150))
        for _ in 0..<FoldSearch.mostPeaks {
            guard let top = best.indices.max(by: { best[$0].score < best[$1].score }), best[top].score > 0 else { break }
            lines.append(judged(column: top + range.lowerBound, slope: best[top].slope))
            for near in max(0, top - apart)...min(best.count - 1, top + apart) { best[near].score = -.infinity }
        }
        return lines
    }

    /// So many are looked at closely.
    private static let mostPeaks = 6

    private func judged(column: Int, slope: Int) -> FoldLine {
        var line = FoldLine(column: column, slope: slopes[slope])
        line.valley = Double(depths[slope][column])
        line.seam = Double(differences[slope][column])
        let edges = FoldSearch.parts.map { Int(($0 * Double(bands.count)).rounded()) }
        let parts = zip(edges, edges.dropFirst()).map { $0..<$1 }
        let valley = parts.map { valleys.mean(column: column, slope: slopes[slope], of: $0) }
        let seam = parts.map { part in
            let around = [-12, -8, -5, 5, 8, 12].map { seams.mean(column: column + $0, slope: slopes[slope], of: part) }
            return seams.mean(column: column, slope: slopes[slope], of: part) - around.sorted()[2]
        }
        (line.leastValley, line.leastSeam) = (valley.sorted()[2], seam.sorted()[2])
        line.missingEnds = [0, parts.count - 1].count { end in
            valley[end] < max(0.5, 0.2 * line.valley) && seam[end] < 2 + 0.1 * line.seam
        }
        line.extent = valleys.extent(column: column, slope: slopes[slope], least: 1.5)
        return line
    }
}
