/// How far what should be upright leans on a page: its text has straight edges, or else it is turned as a whole.
struct Uprights {
    /// The height that nothing is moved sideways at, in pixels of the flat page.
    let middle: Double
    private let edges: [(x: Double, lean: Double)]

    /// In pixels across for each down: what leans further is no edge.
    private static let mostLean = 0.2
    /// How many lines begin or end at an edge at least, and what share of all lines.
    private static let (leastLines, leastShare) = (6, 0.4)
    /// How far from the edge, in heights of letters.
    private static let ragged = 0.4
    /// In shares of the text's height: two lines that are to tell the lean are no nearer to each other.
    private static let leastApart = 0.3
    /// More lines than these tell nothing more.
    private static let mostLines = 150

    init(_ page: CurvedLines) {
        let down = page.surface.down
        let middle = (down.lowerBound + down.upperBound) / 2
        self.middle = middle
        func end(_ piece: Letters.Piece, _ x: Double) -> (x: Double, y: Double) {
            (x, (piece.top + piece.bottom) / 2 - middle)
        }
        let lines = stride(from: 0, to: page.lines.count, by: max(1, page.lines.count / Uprights.mostLines)).map {
            page.lines[$0]
        }
        let ends = [
            lines.map { end($0[0], $0[0].left) }, lines.map { end($0[$0.count - 1], $0[$0.count - 1].right) },
        ]
        let found = ends.compactMap {
            Uprights.edge($0, height: page.height, text: down.upperBound - down.lowerBound)
        }
        if found.isEmpty {
            let slopes = page.long.map { LineCurve($0, height: page.height, rise: page.surface.fall).slope }.sorted()
            edges = [(0, slopes.isEmpty ? 0 : -slopes[slopes.count / 2])]
        } else {
            edges = found
        }
    }

    /// How far it leans at a place, in pixels to the right for each downwards.
    func lean(at x: Double) -> Double {
        guard edges.count == 2, edges[1].x > edges[0].x else { return edges[0].lean }
        let share = min(1, max(0, (x - edges[0].x) / (edges[1].x - edges[0].x)))
        return edges[0].lean + share * (edges[1].lean - edges[0].lean)
    }

    /// The straight line at which most lines begin, or end; nil where too few do.
    private static func edge(
        _ ends: [(x: Double, y: Double)], height: Double, text: Double
    ) -> (x: Double, lean: Double)? {
        var best: (count: Int, x: Double, lean: Double) = (0, 0, 0)
        for (index, one) in ends.enumerated() {
            for other in ends[(index + 1)...] where abs(other.y - one.y) > leastApart * text {
                let lean = (other.x - one.x) / (other.y - one.y)
                guard abs(lean) <= mostLean else { continue }
                let x = one.x - lean * one.y
                let count = ends.count { abs($0.x - x - lean * $0.y) < ragged * height }
                if count > best.count { best = (count, x, lean) }
            }
        }
        guard best.count >= leastLines, Double(best.count) >= leastShare * Double(ends.count) else { return nil }
        return (best.x, best.lean)
    }
}
