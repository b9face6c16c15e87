internal import PageModel

/// How far what is drawn left of a line runs on to the right of it.
///
/// A stroke that crosses a line at some angle looks alike on both sides when it is followed along that angle up to the
/// line. So both sides are read along many angles, and short pieces of the two readings are compared.
struct FoldCrossing: Equatable, Sendable {
    /// How alike both sides are where either has something drawn, 0…1.
    let likeness: Double
    /// In how many tenths of the height something runs on.
    let parts: Int
    var isContinuous: Bool { parts >= 3 || parts >= 2 && likeness >= 0.08 }

    /// How steeply strokes may cross, in pixels down for each pixel across.
    private static let steepness = stride(from: -2.0, through: 2.0, by: 0.25)
    /// How many pixels on each side are read along an angle; fewer are taken in by grain, more are too many for a curve.
    private static let reading = 6
    /// A stroke and the white above and below it, as a share of the height.
    private static let piece = 0.04
    /// The halves of a book are seldom sewn together exactly: so far one may be shifted, as a share of the height.
    private static let shift = 0.004
    /// The least deviation of the levels that is a drawing and no grain.
    private static let leastDeviation = 5.0
    /// A drawing need not count more than this deviation of levels makes it.
    private static let mostDeviation = 40.0
    /// Pieces as alike as this run on.
    private static let alike = 0.6
    /// The share of the height at the top and bottom that is not looked at: the scanner's edges and what is beyond the book.
    private static let edge = 0.06

    /// - Parameter clearance: how far from the line its own shade ends, in pixels.
    init(_ raster: Raster, x: Double, slope: Double, clearance: Double) {
        let height = raster.size.height
        let rows = Int(FoldCrossing.edge * Double(height))..<Int((1 - FoldCrossing.edge) * Double(height))
        let length = max(6, Int(FoldCrossing.piece * Double(height)))
        let slack = max(1, Int((FoldCrossing.shift * Double(height)).rounded()))
        guard rows.count > 2 * length else {
            (likeness, parts) = (0, 0)
            return
        }
        let angles = Array(FoldCrossing.steepness)
        let left = angles.map { FoldCrossing.read(raster, x, slope, rows, side: -1, clearance: clearance, angle: $0) }
        var right = angles.map { FoldCrossing.read(raster, x, slope, rows, side: 1, clearance: clearance, angle: $0) }
        let level = angles.count / 2
        var (cross, square): (Float, Float) = (0, 0)
        for row in rows.indices {
            let r = row - rows.lowerBound
            cross += left[level][r] * right[level][r]
            square += right[level][r] * right[level][r]
        }
        let gain = square > 0 ? cross / square : 1
        right = right.map { $0.map { $0 * gain } }
        let far = [-0.3, -0.21, -0.13, 0.13, 0.21, 0.3].map { Int($0 * Double(rows.count)) }
        var (here, there) = (0.0, 0.0); var (n, m) = (0, 0)
        var seen: Set<Int> = []
        for start in stride(from: slack, to: rows.count - length - slack, by: length / 2) {
            let piece = start..<start + length
            let leftSpreads = left.map { FoldCrossing.spread($0, piece) }
            let leftMost = leftSpreads.max() ?? 0
            func cost(_ offset: Int) -> Double? {
                guard start + offset - slack >= 0, start + offset + length + slack < rows.count else { return nil }
                let moved = start + offset..<start + offset + length
                let rightSpreads = right.map { FoldCrossing.spread($0, moved) }
                let rightMost = rightSpreads.max() ?? 0
                var best = Double.infinity
                for angle in angles.indices {
                    let loss = max(leftMost - leftSpreads[angle], rightMost - rightSpreads[angle])
                    let extra = Int((angles[angle] * 4).rounded())
                    for shift in min(0, extra) - slack...max(0, extra) + slack {
                        guard moved.lowerBound + shift >= 0, moved.upperBound + shift <= rows.count else { continue }
                        var sum: Float = 0
                        for row in piece { let d = left[angle][row] - right[angle][row + offset + shift]; sum += d * d }
                        best = min(best, Double(sum) / Double(length) + loss)
                    }
                }
                return best
            }
            guard let own = cost(0) else { continue }
            let others = far.compactMap(cost)
            let other = others.reduce(0, +) / Double(max(1, others.count))
            here += own
            there += other
            let most = max(leftMost, right.map { FoldCrossing.spread($0, piece) }.max() ?? 0)
            if most > FoldCrossing.t1 { n += 1; if min(leftMost, right.map { FoldCrossing.spread($0, piece) }.max() ?? 0) > 0.4 * most, own < FoldCrossing.t2 * most { m += 1; seen.insert((start + length / 2) * 10 / rows.count) } }
        }
        likeness = Double(m) / Double(max(4, n))
        parts = seen.count
    }

    nonisolated(unsafe) static var t1 = 36.0, t2 = 0.3
    /// The mean level beside a line at each row of it, read along an angle.
    private static func read(
        _ raster: Raster, _ atMiddle: Double, _ slope: Double, _ rows: Range<Int>, side: Double, clearance: Double, angle: Double
    ) -> [Float] {
        let (width, height) = (raster.size.width, raster.size.height)
        var levels = [Float](repeating: 0, count: rows.count)
        raster.samples.withUnsafeBufferPointer { samples in
            for step in 0..<reading {
                let away = side * (clearance + Double(step))
                let down = away * angle
                let whole = Int(down.rounded(.down))
                let part = Float(down - Double(whole))
                for row in rows {
                    let y = min(max(0, row + whole), height - 2)
                    let x = Int(atMiddle + slope * (Double(y) - Double(height) / 2) + away)
                    guard x >= 0, x < width else { continue }
                    let place = y * width + x
                    levels[row - rows.lowerBound] +=
                        Float(samples[place]) * (1 - part) + Float(samples[place + width]) * part
                }
            }
        }
        return levels.map { $0 / Float(reading) }
    }

    /// The variance of a piece.
    private static func spread(_ levels: [Float], _ piece: Range<Int>) -> Double {
        product(levels, levels, piece, shift: 0)
    }

    /// The covariance of a piece of one side with a piece of the other.
    private static func product(_ one: [Float], _ other: [Float], _ piece: Range<Int>, shift: Int) -> Double {
        var (sum, otherSum, product) = (Float(0), Float(0), Float(0))
        for row in piece {
            sum += one[row]
            otherSum += other[row + shift]
            product += one[row] * other[row + shift]
        }
        let count = Float(piece.count)
        return Double(product / count - sum / count * (otherSum / count))
    }
}
