internal import LayoutAnalysis

/// The lean of upright lines on a page: its text has straight edges, or else it is rotated as a whole.
struct Uprights {
    /// The height at which nothing is moved sideways, in pixels of the flat page.
    let middle: Double
    private let edges: [(x: Double, lean: Double)]

    init(_ page: CurvedLines) {
        let down = page.surface.down
        let middle = (down.lowerBound + down.upperBound) / 2
        self.middle = middle
        func end(_ piece: Letters.Piece, _ x: Double) -> (x: Double, y: Double) {
            (x, (piece.top + piece.bottom) / 2 - middle)
        }
        let lines = stride(
            from: 0, to: page.long.count, by: max(1, page.long.count / FlattenLimits.Uprights.maximumLines)
        ).map { page.long[$0] }
        let ends = [
            lines.map { end($0[0], $0[0].left) }, lines.map { end($0[$0.count - 1], $0[$0.count - 1].right) },
        ]
        let found = ends.compactMap {
            Uprights.edge($0, height: page.height, text: down.upperBound - down.lowerBound)
        }
        if found.isEmpty {
            // The page is rotated as a line at half its height is.
            let across = page.surface.across
            let rises = [across.lowerBound, across.upperBound].map { page.surface.rise(onFlat: middle, at: $0) }
            edges = [(0, (rises[1] - rises[0]) / (across.upperBound - across.lowerBound))]
        } else {
            edges = found
        }
    }

    /// Returns the lean at a place, in pixels to the right for each pixel downwards.
    func lean(at x: Double) -> Double {
        guard edges.count == 2, edges[1].x > edges[0].x else { return edges[0].lean }
        let share = min(1, max(0, (x - edges[0].x) / (edges[1].x - edges[0].x)))
        return edges[0].lean + share * (edges[1].lean - edges[0].lean)
    }

    /// Returns the straight line at which most lines begin, or end; nil if too few do.
    private static func edge(
        _ ends: [(x: Double, y: Double)], height: Double, text: Double
    ) -> (x: Double, lean: Double)? {
        var best: (count: Int, x: Double, lean: Double) = (0, 0, 0)
        for (index, one) in ends.enumerated() {
            for other in ends[(index + 1)...] where abs(other.y - one.y) > FlattenLimits.Uprights.minimumDistance * text
            {
                let lean = (other.x - one.x) / (other.y - one.y)
                guard abs(lean) <= FlattenLimits.Uprights.maximumLean else { continue }
                let x = one.x - lean * one.y
                let count = ends.count { abs($0.x - x - lean * $0.y) < FlattenLimits.Uprights.ragged * height }
                if count > best.count { best = (count, x, lean) }
            }
        }
        guard best.count >= FlattenLimits.Uprights.minimumLines,
            Double(best.count) >= FlattenLimits.Uprights.minimumShare * Double(ends.count)
        else { return nil }
        return (best.x, best.lean)
    }
}
