internal import PageModel

internal import func Glibc.cos
internal import func Glibc.sin

/// The test whether cells of a block belong to a screentone.
///
/// The two waves of the lattice are measured in windows of 24 pixels. Screentone has their amplitude; paper, letters and
/// drawings have little of it. Strokes across a screentone are found by the mean over a period of the dots: there it differs from
/// the gray of the tone.
struct LatticeArea {
    /// The side of a square in pixels; three by three squares form a window.
    private static let square = 8
    /// The least squared amplitude in a window, as a share of that of the lattice. Light and dark tones have less than middle
    /// ones.
    private static let minimumShare: Float = 0.15
    /// The difference from the gray of the tone, in levels, from which a pixel belongs to a stroke in part, and entirely.
    private static let strokes: ClosedRange<Float> = 14...30
    /// The largest such difference of a place that still counts as tone for its mean.
    private static let maximumDifference: Float = 32

    private let lattice: ToneLattice
    private let gray: GrayRows

    init(_ lattice: ToneLattice, _ gray: GrayRows) {
        (self.lattice, self.gray) = (lattice, gray)
    }

    /// The sums over the pixels of a square: of the levels, and of both waves with and without them.
    private struct Sums {
        var count: Float = 0
        var levels: Float = 0
        var waves = SIMD4<Float>()
        var products = SIMD4<Float>()

        static func += (sums: inout Sums, other: Sums) {
            sums.count += other.count
            sums.levels += other.levels
            sums.waves += other.waves
            sums.products += other.products
        }
    }

    /// Calls `found` with each cell of screentone and its weight.
    ///
    /// - Parameters:
    ///   - columns: the columns of the block, in pixels.
    ///   - rows: the rows of the block.
    func find(columns: Range<Int>, rows: Range<Int>, _ found: (_ column: Int, _ row: Int, _ weight: Float) -> Void) {
        let unit = LatticeArea.square
        let (across, down) = ((columns.count + unit - 1) / unit, (rows.count + unit - 1) / unit)
        let (left, top) = (columns.lowerBound / unit, rows.lowerBound / unit)
        // One more square on each side, for the windows.
        let (places, lines) = (
            (left - 1) * unit..<(left + across + 1) * unit, (top - 1) * unit..<(top + down + 1) * unit
        )
        let waves = (
            LatticeArea.waves(places, lattice.first.across, lattice.second.across),
            LatticeArea.waves(lines, lattice.first.down, lattice.second.down)
        )
        var sums: [Sums] = []
        for row in top - 1...top + down {
            for column in left - 1...left + across { sums.append(measure(column, row, waves)) }
        }
        let means = PeriodMeans(lattice, gray, columns: columns, rows: rows)
        for row in 0..<down {
            for column in 0..<across {
                var window = Sums()
                for y in row...row + 2 {
                    for x in column...column + 2 { window += sums[y * (across + 2) + x] }
                }
                if follows(window) { weigh(left + column, top + row, means, columns, rows, found) }
            }
        }
    }

    /// Returns whether a window has the waves of the lattice.
    private func follows(_ window: Sums) -> Bool {
        if window.count == 0 { return false }
        let waves = window.products - window.waves * (window.levels / window.count)
        let amplitude = waves * (2 / window.count)
        return (amplitude * amplitude).sum() >= LatticeArea.minimumShare * lattice.strength
    }

    /// Weighs the cells of a square: less where a stroke crosses the tone.
    private func weigh(
        _ column: Int, _ row: Int, _ means: PeriodMeans, _ columns: Range<Int>, _ rows: Range<Int>,
        _ found: (_ column: Int, _ row: Int, _ weight: Float) -> Void
    ) {
        let step = LatticeArea.square / TextureMap.cell
        let tone = means.tone(around: column * step, row * step, cells: step, within: LatticeArea.maximumDifference)
        for y in row * step..<(row + 1) * step where y * TextureMap.cell < rows.upperBound {
            for x in column * step..<(column + 1) * step where x * TextureMap.cell < columns.upperBound {
                let difference = abs(means.mean(x, y) - tone)
                let range = LatticeArea.strokes
                let stroke = (difference - range.lowerBound) / (range.upperBound - range.lowerBound)
                found(x, y, 1 - min(max(stroke, 0), 1))
            }
        }
    }

    /// Both waves along a line: real and imaginary parts by place.
    private typealias Waves = (start: Int, values: [SIMD4<Float>])

    private static func waves(_ places: Range<Int>, _ one: Float, _ other: Float) -> Waves {
        let turn = 2 * Double.pi / Double(BlockSpectrum.side)
        func wave(at place: Double) -> SIMD4<Double> {
            let (first, second) = (turn * Double(one) * place, turn * Double(other) * place)
            return SIMD4(cos(first), sin(first), cos(second), sin(second))
        }
        // Each value is the product of the one before and a constant.
        let step = wave(at: 1)
        var current = wave(at: Double(places.lowerBound))
        let values = places.map { _ in
            defer { current = product(current, step) }
            return SIMD4<Float>(current)
        }
        return (places.lowerBound, values)
    }

    /// Returns the products of two pairs of complex numbers.
    @inline(__always)
    private static func product<Part: BinaryFloatingPoint & SIMDScalar>(
        _ one: SIMD4<Part>, _ other: SIMD4<Part>
    ) -> SIMD4<Part> {
        let turned = SIMD4(-one.y, one.x, -one.w, one.z)
        return one * SIMD4(other.x, other.x, other.z, other.z) + turned * SIMD4(other.y, other.y, other.w, other.w)
    }

    /// Sums a square up. A wave at a pixel is the product of those across and down, so one down is multiplied once a line.
    private func measure(_ column: Int, _ row: Int, _ waves: (across: Waves, down: Waves)) -> Sums {
        let unit = LatticeArea.square
        var sums = Sums()
        let lines = (max(0, row * unit)..<max(0, (row + 1) * unit)).clamped(to: gray.rows)
        let places = (max(0, column * unit)..<max(0, (column + 1) * unit)).clamped(to: 0..<gray.width)
        guard !lines.isEmpty, !places.isEmpty else { return sums }
        waves.across.values.withUnsafeBufferPointer { across in
            let start = waves.across.start
            let plain = places.reduce(SIMD4<Float>()) { $0 + across[$1 - start] }
            for line in lines {
                let pixels = gray.row(line)
                var (levels, products): (Float, SIMD4<Float>) = (0, SIMD4())
                for x in places {
                    let level = Float(pixels[x])
                    levels += level
                    products += across[x &- start] * level
                }
                let down = waves.down.values[line - waves.down.start]
                sums.levels += levels
                sums.products += LatticeArea.product(products, down)
                sums.waves += LatticeArea.product(plain, down)
            }
        }
        sums.count = Float(lines.count * places.count)
        return sums
    }
}

/// The mean level over a period of a screentone's dots at the cells of a block and around it.
private struct PeriodMeans {
    private static let margin = 2
    private let left: Int
    private let top: Int
    private let across: Int
    private let down: Int
    private var means: [Float] = []

    init(_ lattice: ToneLattice, _ gray: GrayRows, columns: Range<Int>, rows: Range<Int>) {
        let (cell, margin) = (TextureMap.cell, PeriodMeans.margin)
        left = columns.lowerBound / cell - margin
        top = rows.lowerBound / cell - margin
        across = (columns.count + cell - 1) / cell + 2 * margin
        down = (rows.count + cell - 1) / cell + 2 * margin
        // The dots of most screens are at 45°: a row or column meets them at this distance.
        let side = Int(clamping: lattice.pitch * 2.0.squareRoot(), to: 4...24)
        means.reserveCapacity(across * down)
        let before = (side - cell) / 2 + 1
        let all = (left * cell - before..<(left + across) * cell + side).clamped(to: 0..<gray.width)
        var columnSums = [Int32](repeating: 0, count: all.count)
        for row in 0..<down {
            let start = (top + row) * cell + (cell - side) / 2
            let lines = (start..<start + side).clamped(to: gray.rows)
            for place in columnSums.indices { columnSums[place] = 0 }
            for line in lines {
                let pixels = gray.row(line) + all.lowerBound
                for place in columnSums.indices { columnSums[place] &+= Int32(pixels[place]) }
            }
            for column in 0..<across {
                let start = (left + column) * cell + (cell - side) / 2
                let places = (start..<start + side).clamped(to: all)
                var sum: Int32 = 0
                for place in places { sum &+= columnSums[place &- all.lowerBound] }
                let count = lines.count * places.count
                means.append(count > 0 ? Float(sum) / Float(count) : -1)
            }
        }
    }

    func mean(_ column: Int, _ row: Int) -> Float { means[(row - top) * across + column - left] }

    /// Returns the gray of the tone around a square: the mean without places that differ, as those on a stroke do.
    func tone(around column: Int, _ row: Int, cells: Int, within difference: Float) -> Float {
        let margin = PeriodMeans.margin
        func average(_ isCounted: (Float) -> Bool) -> Float? {
            var (sum, count): (Float, Float) = (0, 0)
            for y in max(top, row - margin)..<min(top + down, row + cells + margin) {
                for x in max(left, column - margin)..<min(left + across, column + cells + margin) {
                    let mean = mean(x, y)
                    if mean >= 0, isCounted(mean) { (sum, count) = (sum + mean, count + 1) }
                }
            }
            return count > 0 ? sum / count : nil
        }
        let all = average { _ in true } ?? 0
        return average { abs($0 - all) <= difference } ?? all
    }
}
