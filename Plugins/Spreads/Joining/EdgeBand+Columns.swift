extension EdgeBand {
    /// The gray down the page at two neighbouring columns.
    func levels(at column: Int) -> [Float] {
        (0..<EdgeBand.rows).map { row in
            let at = row * EdgeBand.columns + column
            return (levels[at] + levels[at + 1]) / 2
        }
    }

    /// The first column that belongs to the picture.
    ///
    /// Outside it may lie the sheet's or the scanner's edge, which is plain and has nothing to do with its neighbour.
    var firstColumn: Int {
        let joinKey = (0...EdgeBand.mostPassed + 1).map(likenessToNext)
        guard let best = joinKey.max(), best > EdgeBand.leastLikeness else { return 0 }
        return joinKey.prefix(EdgeBand.mostPassed + 1).firstIndex { $0 > EdgeBand.likeEnough * best } ?? 0
    }

    /// A sheet's edge is no wider than this many columns, 1 % of a page's width; what is wider is a margin.
    private static let mostPassed = 5

    /// Below this correlation with its neighbour no column shows anything.
    private static let leastLikeness: Float = 0.3
    /// Columns of one drawing resemble their neighbours about as much as the others do; an edge's do not at all.
    private static let likeEnough: Float = 0.75
    /// The variance that grain and JPEG noise add to a column.
    private static let grain: Float = 9

    /// The correlation of a column with the next.
    private func likenessToNext(_ column: Int) -> Float {
        let count = Float(EdgeBand.rows)
        var (one, two, oneOne, oneTwo, twoTwo) = (Float(0), Float(0), Float(0), Float(0), Float(0))
        for row in 0..<EdgeBand.rows {
            let (a, b) = (levels[row * EdgeBand.columns + column], levels[row * EdgeBand.columns + column + 1])
            one += a
            two += b
            oneOne += a * a
            oneTwo += a * b
            twoTwo += b * b
        }
        // Added to the power, so that plain paper is like nothing.
        let noise = EdgeBand.grain * count
        let powers = (oneOne - one * one / count + noise) * (twoTwo - two * two / count + noise)
        return (oneTwo - one * two / count) / max(1, powers).squareRoot()
    }
}
