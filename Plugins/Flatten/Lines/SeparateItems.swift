internal import LayoutAnalysis
internal import PageModel

/// The search for several pieces of paper on one sheet, such as tickets or receipts: they are not one curved page.
///
/// Their text is in blocks, side by side and one below the other, with gaps between them over the whole sheet. Each piece is
/// rotated by itself. On a page, blocks of one column slant alike.
enum SeparateItems {
    static func areShown(by letters: Letters) -> Bool {
        let pieces = letters.pieces { _, _ in 0 }
        let columns = stretches(pieces.map { ($0.left, $0.right) }, letters.height)
        let rows = stretches(pieces.map { ($0.top, $0.bottom) }, letters.height)
        let limits = FlattenLimits.Items.self
        guard columns.count >= limits.minimumBlocks, rows.count >= limits.minimumBlocks,
            rows.allSatisfy({ $0.upperBound - $0.lowerBound >= limits.minimumHeight * letters.height })
        else { return false }
        let lines = TextLines(
            pieces, height: letters.height, width: Double(letters.size.width),
            maximumGap: FlattenLimits.Curve.wordGap
        ).lines
        var (alike, different) = (0, 0)
        for column in columns {
            let slopes = rows.map { slope(of: lines, column, $0, letters.height) }
            for (one, next) in zip(slopes, slopes.dropFirst()) {
                guard let one, let next else { continue }
                if abs(one - next) >= limits.minimumDifference { different += 1 } else { alike += 1 }
            }
        }
        return different >= limits.minimumBlocks && different >= alike
    }

    /// Returns the stretches of an axis with letters, which are separated by wide gaps. Stretches of a few letters are dirt.
    private static func stretches(_ extents: [(Double, Double)], _ height: Double) -> [ClosedRange<Double>] {
        var stretches: [(range: ClosedRange<Double>, count: Int)] = []
        for (start, end) in extents.sorted(by: { $0.0 < $1.0 }) where end >= start {
            if let last = stretches.last, start - last.range.upperBound < FlattenLimits.Items.gap * height {
                stretches[stretches.count - 1] = (
                    last.range.lowerBound...max(last.range.upperBound, end), last.count + 1
                )
            } else {
                stretches.append((start...end, 1))
            }
        }
        return stretches.filter { Double($0.count) >= FlattenLimits.Items.minimumShare * Double(extents.count) }
            .map(\.range)
    }

    /// Returns the median slope of the lines in a block; nil for too few.
    private static func slope(
        of lines: [[Letters.Piece]], _ column: ClosedRange<Double>, _ row: ClosedRange<Double>, _ height: Double
    ) -> Double? {
        let slopes = lines.filter { column.contains($0[0].middle) && row.contains($0[0].top) }
            .map { LineCurve($0, height: height).slope }.sorted()
        return slopes.count < FlattenLimits.Items.minimumLines ? nil : slopes[slopes.count / 2]
    }
}
