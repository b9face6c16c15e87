internal import PageModel

/// The limits of the comparison of lines by the amounts of ink along them.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`, on which comparing words found 60 of 98 running
/// heads instead of none. No separate measurement of these values is recorded.
enum LineShapeLimits {
    /// The number of columns in a letter's height: a letter has about two to three.
    static let columnsPerLetter = 4.0
    /// The maximum number of columns, as a bound for any image.
    static let columns = 0...100_000
    /// The minimum number of columns of a line: three letter heights. Shorter words are too often alike.
    static let minimumColumns = 12
    /// The minimum correlation coefficient of lines with the same words.
    static let minimumCorrelation: Float = 0.7
    /// The same for lines that are clearly alike: other words have up to 0.72 on two pages.
    static let clearCorrelation: Float = 0.8
    /// The maximum difference of their lengths, as a share of the longer one: letters are set closer in some lines.
    static let lengths = Ratio(15, 100)
    /// The shifts to try more than the difference in length, in columns, either way.
    static let shift = 3
    /// The minimum share of the longer line that overlaps with the other.
    static let overlap = Ratio(4, 5)
}

/// The positions of the letters in a line, which identify a running head on other pages.
///
/// Print and binding degrade it, but the words stay.
package struct LineShape: Hashable, Sendable {
    /// For each quarter of a letter's height along the line, the amount of ink.
    let columns: [Float]

    init(_ blobs: [ConnectedComponent], in box: Bounds, letter: Double) {
        let step = max(1, letter / LineShapeLimits.columnsPerLetter)
        var columns = [Float](
            repeating: 0, count: Int(clamping: Double(box.width) / step, to: LineShapeLimits.columns) + 1)
        for blob in blobs {
            let first = Int(clamping: Double(blob.box.left - box.left) / step, to: 0...columns.count - 1)
            let last = Int(clamping: Double(blob.box.right - 1 - box.left) / step, to: first...columns.count - 1)
            let share = Float(blob.area) / Float(last - first + 1)
            for column in first...last { columns[column] += share }
        }
        // Letters are set a little closer in some lines.
        self.columns = columns.indices.map { place in
            let near = columns[max(0, place - 1)...min(columns.count - 1, place + 1)]
            return near.reduce(0, +) / Float(near.count)
        }
    }

    /// Returns the columns stretched to that number.
    private func stretched(to count: Int) -> [Float] {
        (0..<count).map { columns[$0 * columns.count / count] }
    }

    /// Whether it may have the same words: its ink is alike over the whole length, at the best of some shifts.
    ///
    /// - Parameter correlation: the minimum correlation coefficient.
    func isLike(_ other: LineShape, correlation minimum: Float = LineShapeLimits.minimumCorrelation) -> Bool {
        let (one, count) = (columns, other.columns.count)
        guard min(one.count, count) >= LineShapeLimits.minimumColumns,
            abs(one.count - count).isAtMost(LineShapeLimits.lengths, of: max(one.count, count))
        else { return false }
        let reach = abs(one.count - count) + LineShapeLimits.shift
        return [other.columns, other.stretched(to: one.count)].contains { two in
            (-reach...reach).contains {
                LineShape.correlation(one, two, shift: $0) >= minimum
            }
        }
    }

    private static func correlation(_ one: [Float], _ two: [Float], shift: Int) -> Float {
        let range = max(0, -shift)..<min(one.count, two.count - shift)
        guard range.count.isAtLeast(LineShapeLimits.overlap, of: max(one.count, two.count)) else { return 0 }
        let count = Float(range.count)
        var (sumOne, sumTwo, squaresOne, squaresTwo, products): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
        for place in range {
            let (a, b) = (one[place], two[place + shift])
            sumOne += a
            sumTwo += b
            squaresOne += a * a
            squaresTwo += b * b
            products += a * b
        }
        let spread = (squaresOne - sumOne * sumOne / count) * (squaresTwo - sumTwo * sumTwo / count)
        return spread > 0 ? (products - sumOne * sumTwo / count) / spread.squareRoot() : 0
    }
}
