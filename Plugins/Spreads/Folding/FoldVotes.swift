/// How strongly each place of each band speaks for a fold there, and what all bands together say of a line.
struct FoldVotes: Sendable {
    enum Kind {
        /// How much darker a place is than what is to its left and right: a line, or a shade that deepens to it.
        case valley
        /// How much what is left of a place differs from what is right of it: the edge of something.
        case seam
    }

    private let bands: FoldBands
    private var votes: [Int16]

    /// No valley counts more than this many levels, so that a few bands of black strokes do not outvote the others.
    private static let mostValley: Int16 = 10
    /// An edge of a drawing on paper is stronger than any of the drawing's own, so that seams may count more.
    private static let mostSeam: Int16 = 40
    /// How far to both sides a valley is looked for, as shares of the width of the scan: from a line to a wide shade.
    private static let reaches = [1 / 300.0, 1 / 150.0, 1 / 75.0, 1 / 37.5]
    /// A seam may be blurred by the scanner over this share of the width.
    private static let blur = 1 / 450.0

    init(_ bands: FoldBands, _ kind: Kind) {
        self.bands = bands
        let width = bands.width
        let unit = FoldBands.unit
        var votes = [Int16](repeating: 0, count: bands.means.count)
        func reach(_ share: Double) -> Int { max(1, Int((share * bands.scanWidth).rounded())) }
        bands.means.withUnsafeBufferPointer { means in
            votes.withUnsafeMutableBufferPointer { votes in
                switch kind {
                case .valley:
                    let most = FoldVotes.mostValley * unit
                    let count = Int16(FoldVotes.reaches.count)
                    for reach in FoldVotes.reaches.map(reach) where width > 2 * reach {
                        for row in stride(from: 0, to: votes.count, by: width) {
                            for x in row + reach..<row + width - reach {
                                let depth = min(means[x - reach], means[x + reach]) &- means[x]
                                votes[x] &+= max(-most, min(most, depth)) / count
                            }
                        }
                    }
                case .seam:
                    let most = FoldVotes.mostSeam * unit
                    let reach = reach(FoldVotes.blur)
                    guard width > 2 * reach else { return }
                    for row in stride(from: 0, to: votes.count, by: width) {
                        for x in row + reach..<row + width - reach {
                            votes[x] = min(most, abs(means[x + reach] &- means[x - reach]))
                        }
                    }
                }
            }
        }
        self.votes = votes
    }

    /// For each column, the mean vote along the line through it at mid-height, in levels.
    func tally(slope: Double) -> [Float] {
        let width = bands.width
        var sums = [Int32](repeating: 0, count: width)
        votes.withUnsafeBufferPointer { votes in
            sums.withUnsafeMutableBufferPointer { sums in
                for band in 0..<bands.count {
                    let shift = bands.shift(band, slope)
                    let row = band * width + shift
                    let (first, end) = (max(0, -shift), min(width, width - shift))
                    guard first < end else { continue }
                    for x in first..<end { sums[x] &+= Int32(votes[row + x]) }
                }
            }
        }
        let whole = Float(max(1, bands.count) * Int(FoldBands.unit))
        return sums.map { Float($0) / whole }
    }

    /// The mean vote of some bands along a line, in levels.
    func mean(column: Int, slope: Double, of some: Range<Int>) -> Double {
        var sum = 0
        for band in some {
            let x = column + bands.shift(band, slope)
            if (0..<bands.width).contains(x) { sum += Int(votes[band * bands.width + x]) }
        }
        return Double(sum) / Double(max(1, some.count) * Int(FoldBands.unit))
    }

    /// In which share of the bands the vote along a line is at least so many levels.
    func extent(column: Int, slope: Double, least: Double) -> Double {
        let least = Int16(least * Double(FoldBands.unit))
        let seen = (0..<bands.count).count { band in
            let x = column + bands.shift(band, slope)
            return (0..<bands.width).contains(x) && votes[band * bands.width + x] >= least
        }
        return Double(seen) / Double(max(1, bands.count))
    }
}
