internal import PageModel

/// What is left and right of a line, read along several angles.
struct FoldSides: Sendable {
    /// For each angle the levels along the line from the top down.
    let left: [[Float]]
    /// The same on the other side, as light on the whole as the left.
    let right: [[Float]]
    /// How many levels there are.
    let count: Int

    /// - Parameters:
    ///   - x: where the line is at mid-height, in pixels.
    ///   - slope: how far it goes right for each pixel down.
    ///   - step: only every so many rows and columns are read.
    ///   - angles: pixels down for each pixel across.
    ///   - clearance: how far from the line reading begins, in steps.
    ///   - reading: how far it goes, in steps.
    init(
        _ raster: Raster, x: Double, slope: Double, step: Int, rows: Range<Int>, angles: [Double], clearance: Int,
        reading: Int
    ) {
        let (width, height) = (raster.size.width, raster.size.height)
        let rows = Array(stride(from: rows.lowerBound, to: rows.upperBound, by: step))

        func read(_ angle: Double, side: Int) -> [Float] {
            var levels = [Float](repeating: 0, count: rows.count)
            guard height > 1 else { return levels }
            raster.samples.withUnsafeBufferPointer { samples in
                for away in clearance..<clearance + reading {
                    let across = Double(side * away * step)
                    let down = across * angle
                    let whole = Int(down.rounded(.down))
                    let part = Float(down - Double(whole))
                    for (index, row) in rows.enumerated() {
                        let y = min(max(0, row + whole), height - 2)
                        let column = Int(x + slope * (Double(y) - Double(height) / 2) + across)
                        let place = y * width + min(max(0, column), width - 1)
                        levels[index] += Float(samples[place]) * (1 - part) + Float(samples[place + width]) * part
                    }
                }
            }
            return FoldSides.smoothed(levels).map { $0 / Float(reading) }
        }

        let left = angles.map { read($0, side: -1) }
        let right = angles.map { read($0, side: 1) }
        // A fold shades its two sides unlike: where something runs on, this is the same everywhere.
        let level = angles.count / 2
        let ratios = rows.indices.map { left[level][$0] / max(1, right[level][$0]) }.sorted()
        let gain = ratios.isEmpty ? 1 : ratios[ratios.count / 2]
        self.left = left
        self.right = right.map { $0.map { $0 * gain } }
        count = rows.count
    }

    /// The mean of three neighbours, which takes screentone out.
    private static func smoothed(_ levels: [Float]) -> [Float] {
        levels.indices.map { index in
            let (before, after) = (max(0, index - 1), min(levels.count - 1, index + 1))
            return (levels[before] + levels[index] + levels[after]) / 3
        }
    }

    static func variance(_ levels: [Float], _ piece: Range<Int>) -> Double {
        var (sum, squares): (Float, Float) = (0, 0)
        for index in piece {
            sum += levels[index]
            squares += levels[index] * levels[index]
        }
        let mean = sum / Float(piece.count)
        return Double(squares / Float(piece.count) - mean * mean)
    }

    /// The mean squared difference of a piece of the left side from one of the right, read along one of the angles.
    ///
    /// - Parameter most: once it is sure to be no less than that, it may be anything that is no less.
    func difference(_ angle: Int, _ left: Int, _ right: Int, _ length: Int, most: Double) -> Double {
        guard left >= 0, right >= 0, left + length <= count, right + length <= count else { return .infinity }
        let limit = Float(most) * Float(length)
        var sum: Float = 0
        self.left[angle].withUnsafeBufferPointer { one in
            self.right[angle].withUnsafeBufferPointer { other in
                var index = 0
                while index < length, sum < limit {
                    let difference = one[left + index] - other[right + index]
                    sum += difference * difference
                    index += 1
                }
            }
        }
        return Double(sum) / Double(length)
    }
}
