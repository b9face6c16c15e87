/// The places where frames of panels cross an edge: they are straight, level, and next to a gutter.
///
/// Neighboring pages often have panels of the same height, so frames that meet are not evidence of a continuous drawing.
struct PanelFrames {
    /// For every row, whether a frame is there, or the gutter or the margin outside of one.
    let rows: [Bool]
    /// The gutters between two panels and margins at the ends of the page, with the adjacent frames.
    let gutters: [Range<Int>]

    init(_ band: EdgeBand) {
        let (count, columns) = (SeamLimits.Band.rows, SeamLimits.Band.columns)
        var isGutter = [Bool](repeating: false, count: count)
        var isLevel = [Bool](repeating: false, count: count)
        for row in 1..<count - 1 {
            var (low, high) = (Float(UInt8.max), Float(0))
            var (sum, total) = (Float(0), Float(0))
            for column in 1..<columns {
                let at = row * columns + column
                low = min(low, band.levels[at])
                high = max(high, band.levels[at])
                let down = band.levels[at + columns] - band.levels[at - columns]
                sum += down
                total += abs(down)
            }
            isGutter[row] =
                high - low < SeamLimits.Frames.grain
                && (low > SeamLimits.Frames.white || high < SeamLimits.Frames.black)
            isLevel[row] = total > SeamLimits.Frames.step * Float(columns) && abs(sum) > SeamLimits.Frames.unity * total
        }
        var lines: [Range<Int>] = []
        var row = 0
        while row < count {
            guard isLevel[row] else {
                row += 1
                continue
            }
            let start = row
            while row < count, isLevel[row] { row += 1 }
            let above = max(0, start - 2 * SeamLimits.Frames.margin)..<start
            let below = row..<min(count, row + 2 * SeamLimits.Frames.margin)
            let blank = [above, below].contains { $0.count { isGutter[$0] } >= SeamLimits.Frames.margin }
            if blank {
                lines.append(max(0, start - SeamLimits.Frames.margin)..<min(count, row + SeamLimits.Frames.margin))
            }
        }
        var rows = [Bool](repeating: false, count: count)
        var gutters: [Range<Int>] = []
        if lines.count <= SeamLimits.Frames.maximumLines {
            for line in lines { for row in line { rows[row] = true } }
            for (upper, lower) in zip(lines, lines.dropFirst())
            where lower.lowerBound - upper.upperBound < SeamLimits.Frames.highest {
                gutters.append(upper.lowerBound..<max(upper.upperBound, lower.upperBound))
            }
            if let first = lines.first, let last = lines.last {
                gutters.append(0..<first.upperBound)
                gutters.append(last.lowerBound..<count)
            }
            // The outermost rows may show the paper's edge.
            let inside = 2 * SeamLimits.Frames.margin..<count - 2 * SeamLimits.Frames.margin
            gutters.removeAll { !$0.clamped(to: inside).allSatisfy { isGutter[$0] || rows[$0] } }
            for gutter in gutters { for row in gutter { rows[row] = true } }
        }
        self.rows = rows
        self.gutters = gutters
    }

    /// Returns the levels down the page with gutters and margins filled by interpolation between the levels above and below.
    func filled(_ levels: [Float]) -> [Float] {
        var levels = levels
        for gutter in gutters {
            let above = levels[max(0, gutter.lowerBound - 2 * SeamLimits.Frames.margin)..<gutter.lowerBound]
            let below = levels[gutter.upperBound..<min(levels.count, gutter.upperBound + 2 * SeamLimits.Frames.margin)]
            guard !above.isEmpty || !below.isEmpty else { continue }
            // At an end of the page only one side exists.
            let (upper, lower) = (above.isEmpty ? below : above, below.isEmpty ? above : below)
            let first = upper.reduce(0, +) / Float(upper.count)
            let last = lower.reduce(0, +) / Float(lower.count)
            for row in gutter {
                let share = Float(row - gutter.lowerBound) / Float(gutter.count)
                levels[row] = first * (1 - share) + last * share
            }
        }
        return levels
    }
}
