internal import PageModel

/// The amount of a drawing that continues from the left of a line to its right.
///
/// A stroke that crosses a line at some angle looks the same on both sides when it is followed along that angle. So both sides
/// are read along many angles, and short pieces of the two readings are compared. They are compared where they should match. They
/// are also compared where they should not, to measure the frequency of chance matches.
struct FoldCrossing: Sendable {
    /// The number of matching pieces, less the chance matches.
    let excess: Double
    /// The number of tenths of the height with matching pieces.
    let tenths: Int

    /// Whether one drawing is on both sides of the line.
    ///
    /// - Parameter isUnparted: whether there is not any other evidence for a fold.
    func isOneDrawing(isUnparted: Bool) -> Bool {
        if isUnparted {
            return tenths >= FoldLimits.Crossing.minimumPartsOtherwise
                && excess >= FoldLimits.Crossing.minimumExcessWithoutDivider
        }
        return tenths >= FoldLimits.Crossing.minimumParts && excess >= FoldLimits.Crossing.minimumExcess
            || tenths >= FoldLimits.Crossing.minimumPartsOtherwise && excess >= FoldLimits.Crossing.minimumExcessInPart
    }

    /// - Parameters:
    ///   - place: the place of the line at mid-height. It is a fraction of the width.
    ///   - slope: pixels right per pixel down.
    ///   - clearance: the distance from it at which reading begins. Its unit is a pixel of a scan 900 pixels wide.
    init(_ raster: Raster, place: Double, slope: Double, clearance: Int) {
        let (limits, height) = (FoldLimits.Crossing.self, raster.size.height)
        let step = Int(clamping: Double(raster.size.width) / limits.width, to: 1...max(1, raster.size.width))
        func row(_ share: Double) -> Int { Int(clamping: (share * Double(height)).rounded(.down), to: 0...height) }
        let sides = FoldSides(
            raster, x: place * Double(raster.size.width), slope: slope, step: step,
            rows: row(limits.edge)..<row(1 - limits.edge), angles: limits.angles, clearance: clearance,
            reading: limits.reading)
        let whole = Double(height) / Double(step)
        let length = Int(
            clamping: (limits.piece * whole).rounded(.down),
            to: limits.minimumPiece...max(limits.minimumPiece, height))
        let misfit = Int(clamping: limits.misfit * whole, to: 1...max(1, height))
        let starts = Array(stride(from: 0, to: max(0, sides.count - length), by: length / 2))
        let left = starts.map { start in sides.left.map { FoldSides.variance($0, start..<start + length) } }
        let right = starts.map { start in sides.right.map { FoldSides.variance($0, start..<start + length) } }
        let maximum = (left: left.map { $0.max() ?? 0 }, right: right.map { $0.max() ?? 0 })

        /// Returns the weight of a match of two pieces; 0 if they do not match.
        func match(_ one: Int, _ other: Int) -> Double {
            let (low, high) = (
                min(maximum.left[one], maximum.right[other]), max(maximum.left[one], maximum.right[other])
            )
            guard high > limits.minimumVariance, low > limits.minimumBalance * high else { return 0 }
            let allowed = limits.maximumDifference * high
            for (index, angle) in limits.angles.enumerated() {
                // An angle that blurs the content is not that of the strokes.
                let blur = max(maximum.left[one] - left[one][index], maximum.right[other] - right[other][index])
                guard blur < allowed else { continue }
                let lost = Int(clamping: angle * limits.swallowed, to: -limits.maximumLost...limits.maximumLost)
                for shift in min(0, lost) - misfit...max(0, lost) + misfit {
                    let difference = sides.difference(
                        index, starts[one], starts[other] + shift, length, maximum: allowed - blur)
                    if difference < allowed - blur { return min(1, low / limits.fullVariance) }
                }
            }
            return 0
        }

        var (found, tenths): (Double, Set<Int>) = (0, [])
        for piece in starts.indices {
            let weight = match(piece, piece)
            found += weight
            if weight > 0 { tenths.insert((starts[piece] + length / 2) * limits.parts / sides.count) }
        }
        self.tenths = tenths.count
        var chance: Double = 0
        if found >= limits.minimumExcessWithoutDivider {
            for move in limits.moves {
                let away = Int(
                    clamping: (move * Double(starts.count)).rounded(.towardZero), to: -starts.count...starts.count)
                for piece in starts.indices {
                    chance += match(piece, (piece + away + starts.count) % starts.count)
                }
            }
        }
        excess = found - limits.chanceWeight * chance / Double(limits.moves.count)
    }
}

/// The levels left and right of a line, read along several angles.
struct FoldSides: Sendable {
    /// For each angle the levels along the line from the top down.
    let left: [[Float]]
    /// The same on the other side, scaled to the average level of the left.
    let right: [[Float]]
    /// The number of levels.
    let count: Int

    /// - Parameters:
    ///   - x: the position of the line at mid-height, in pixels.
    ///   - slope: the pixels to the right for each pixel down.
    ///   - step: the distance between the rows and columns that are read.
    ///   - angles: pixels down for each pixel across.
    ///   - clearance: the distance from the line at which reading begins, in steps.
    ///   - reading: the length of a reading, in steps.
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
                    let whole = Int(clamping: down.rounded(.down), to: -height...height)
                    let part = Float(down - Double(whole))
                    for (index, row) in rows.enumerated() {
                        let y = min(max(0, row + whole), height - 2)
                        // In range: a slope is below 1, and all other values are within the scan or just outside it.
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
        // A fold shades its two sides differently, and in the same ratio over the whole height.
        let level = angles.count / 2
        let ratios = rows.indices.map { left[level][$0] / max(1, right[level][$0]) }.sorted()
        let gain = ratios.isEmpty ? 1 : ratios[ratios.count / 2]
        self.left = left
        self.right = right.map { $0.map { $0 * gain } }
        count = rows.count
    }

    /// Returns the mean of three neighbors, which removes screentone.
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

    /// Returns the mean squared difference of a piece of the left side from one of the right. Both are read along one of the
    /// angles.
    ///
    /// - Parameter maximum: the difference at which the sum ends. The result is then at least that.
    func difference(_ angle: Int, _ left: Int, _ right: Int, _ length: Int, maximum: Double) -> Double {
        guard left >= 0, right >= 0, left + length <= count, right + length <= count else { return .infinity }
        let limit = Float(maximum) * Float(length)
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
