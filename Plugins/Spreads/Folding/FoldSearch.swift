internal import PageModel

/// A nearly upright line down a scan, and what speaks for a fold along it.
struct FoldLine: Equatable, Sendable {
    /// Column of the bands at mid-height.
    var column: Int
    /// How far it goes right for each pixel down.
    var slope: Double
    /// How much darker it is than what is beside it, in levels.
    var valley = 0.0
    /// The same for the third weakest of the line's parts.
    var leastValley = 0.0
    /// How much both sides of it differ, beyond how much any two columns nearby do, in levels.
    var seam = 0.0
    /// How much they differ in the third weakest of its parts.
    var leastSeam = 0.0
    /// In which share of the bands it is darker than what is beside it.
    var extent = 0.0
    /// At how many of its two ends nothing of it is seen.
    var missingEnds = 0

    /// A valley of so many levels all the way down is a fold; uneven paper has valleys of less than a third of that.
    private static let sureValley = 1.5
    /// A seam whose sides differ by so many levels all the way down is a fold.
    private static let sureSeam = 10.0
    /// How many levels of a fold's valley black strokes may hide in some of its parts.
    private static let mostMissing = 1.5

    /// How strong the evidence for a fold is; from 1 on there almost certainly is one.
    ///
    /// Frames, columns of letters and strokes end before the page does, and then some parts of the line show nothing;
    /// a fold is as long as the scan. A single part may be missing, where what is printed is black.
    var strength: Double {
        openStrength * (1 - 0.5 * Double(missingEnds))
    }

    /// The same where nothing is printed to its left and right.
    var openStrength: Double {
        max(0, min(valley, 2 * leastValley + FoldLine.mostMissing)) * extent * extent / FoldLine.sureValley
            + max(0, min(seam, 3 * leastSeam)) / FoldLine.sureSeam
    }
}

/// Looks for lines that may be the fold.
struct FoldSearch: Sendable {
    private let bands: FoldBands
    private let within: ClosedRange<Int>
    private let valleys: FoldVotes
    private let seams: FoldVotes
    /// All lines by slope and column: how deep a valley they are.
    private let depths: [[Float]]
    /// All lines by slope and column: how much of a seam they are, beyond the columns nearby.
    private let differences: [[Float]]
    let slopes: [Double]

    /// How steep a fold is at most: the tangent of 2.5°, by which scanners and hands may turn a book.
    private static let mostSlope = 0.0437
    /// Seams are compared with the columns within this share of the width.
    private static let neighbourhood = 0.03
    /// So many lines of each kind are looked at closely.
    private static let mostPeaks = 6
    /// Levels that differ by less are the same.
    private static let same: Float = 0.02
    /// What the paper's grain makes of valleys and, four times that, of seams, in levels.
    private static let grain = 0.5
    /// A band with so many levels shows the line.
    private static let seenValley = 1.5
    /// Columns nearer than this see the same edge.
    private static let nearest = 5
    /// The columns whose median a part's seam is compared with.
    private static let around = [-12, -8, -5, 5, 8, 12]
    /// A line's parts, as shares of the height: the ends, where pages have margins, and six between.
    private static let parts = [0, 0.03, 0.2, 0.35, 0.5, 0.65, 0.8, 0.97, 1]

    /// - Parameter within: the columns that folds are looked for in.
    init(_ bands: FoldBands, within: ClosedRange<Int>) {
        self.bands = bands
        self.within = within
        valleys = FoldVotes(bands, .valley)
        seams = FoldVotes(bands, .seam)
        // Slopes differ by two pixels at the ends of a line.
        let step = 2 / max(1, bands.depths.map { abs($0) }.max() ?? 1)
        let half = Int(clamping: (FoldSearch.mostSlope / step).rounded(.up), to: 0...1 << 16)
        let slopes = (-half...half).map { Double($0) * step }
        self.slopes = slopes
        depths = slopes.map(valleys.tally)
        differences = slopes.map(seams.tally).map { FoldSearch.beyondNeighbours($0, bands, within) }
    }

    /// By how much columns within a range exceed the median of their neighbours; 0 for columns outside.
    private static func beyondNeighbours(_ tally: [Float], _ bands: FoldBands, _ within: ClosedRange<Int>) -> [Float] {
        var result = [Float](repeating: 0, count: tally.count)
        let reach = max(8, Int(neighbourhood * bands.scanWidth))
        var near: [Float] = []
        near.reserveCapacity(reach)
        for x in within.clamped(to: 0...max(0, tally.count - 1)) where x < tally.count {
            near.removeAll(keepingCapacity: true)
            for away in stride(from: nearest, through: reach, by: 2) {
                if x - away >= 0 { near.append(tally[x - away]) }
                if x + away < tally.count { near.append(tally[x + away]) }
            }
            near.sort()
            if !near.isEmpty { result[x] = tally[x] - near[near.count / 2] }
        }
        return result
    }

    /// The deepest valleys and the clearest seams, no two side by side.
    var lines: [FoldLine] { peaks(of: depths) + peaks(of: differences) }

    private func peaks(of scores: [[Float]]) -> [FoldLine] {
        let range = within.clamped(to: 0...max(0, bands.width - 1))
        var best = [(score: Float, slope: Int)](repeating: (-.infinity, 0), count: range.count)
        // Upright lines first: those that slant a little see a sharp edge just as well.
        for slope in scores.indices.sorted(by: { abs(slopes[$0]) < abs(slopes[$1]) }) {
            let row = scores[slope]
            for x in range where row[x] > best[x - range.lowerBound].score + FoldSearch.same {
                best[x - range.lowerBound] = (row[x], slope)
            }
        }
        var lines: [FoldLine] = []
        let apart = max(2, Int(bands.scanWidth / 150))
        for _ in 0..<FoldSearch.mostPeaks {
            guard let top = best.indices.max(by: { best[$0].score < best[$1].score }), best[top].score > 0 else {
                break
            }
            // And so do columns side by side, of which the middle one is nearest to the edge.
            let least = best[top].score - FoldSearch.same
            let first = (max(0, top - apart)...top).first { best[$0].score >= least } ?? top
            let last = (top...min(best.count - 1, top + apart)).last { best[$0].score >= least } ?? top
            let middle = (first + last) / 2
            let chosen = best[middle].score >= least ? middle : top
            lines.append(judged(column: chosen + range.lowerBound, slope: best[chosen].slope))
            for near in max(0, chosen - apart)...min(best.count - 1, chosen + apart) { best[near].score = -.infinity }
        }
        return lines
    }

    private func judged(column: Int, slope: Int) -> FoldLine {
        var line = FoldLine(column: column, slope: slopes[slope])
        line.valley = Double(depths[slope][column])
        line.seam = Double(differences[slope][column])
        let edges = FoldSearch.parts.map { Int(clamping: $0 * Double(bands.count), to: 0...bands.count) }
        let parts = zip(edges, edges.dropFirst()).map { $0..<$1 }
        let valley = parts.map { valleys.mean(column: column, slope: slopes[slope], of: $0) }
        let seam = parts.map { part in
            let around = FoldSearch.around.map { seams.mean(column: column + $0, slope: slopes[slope], of: part) }
            return seams.mean(column: column, slope: slopes[slope], of: part) - around.sorted()[2]
        }
        (line.leastValley, line.leastSeam) = (valley.sorted()[2], seam.sorted()[2])
        line.missingEnds = [0, parts.count - 1].count { end in
            valley[end] < max(FoldSearch.grain, 0.2 * line.valley)
                && seam[end] < 4 * FoldSearch.grain + 0.1 * line.seam
        }
        line.extent = valleys.extent(column: column, slope: slopes[slope], least: FoldSearch.seenValley)
        return line
    }
}

/// Votes of each place of each band for a fold there, and their sums along lines.
struct FoldVotes: Sendable {
    enum Kind {
        /// How much darker a place is than what is to its left and right: a line, or a shade that deepens to it.
        case valley
        /// How much what is left of a place differs from what is right of it: the edge of something.
        case seam
    }

    private let bands: FoldBands
    private var votes: [Int16]

    /// The strongest vote for a valley, in levels, so that a few bands of black strokes do not outvote the others.
    private static let mostValley: Int16 = 10
    /// The strongest vote for a seam: the edge between a picture and paper is stronger than edges within the picture.
    private static let mostSeam: Int16 = 40
    /// How far to both sides a valley may reach, as shares of the scan's width: from a line to a wide shade.
    private static let reaches = [1 / 300.0, 1 / 150.0, 1 / 75.0, 1 / 37.5]
    /// A seam may be blurred by the scanner over this share of the width.
    private static let blur = 1 / 450.0

    init(_ bands: FoldBands, _ kind: Kind) {
        self.bands = bands
        let width = bands.width
        let unit = FoldBands.unit
        var votes = [Int16](repeating: 0, count: bands.means.count)
        func reach(_ share: Double) -> Int { Int(clamping: share * bands.scanWidth, to: 1...1 << 20) }
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
        let least = Int16(Int(clamping: (least * Double(FoldBands.unit)).rounded(.towardZero), to: -32768...32767))
        let seen = (0..<bands.count).count { band in
            let x = column + bands.shift(band, slope)
            return (0..<bands.width).contains(x) && votes[band * bands.width + x] >= least
        }
        return Double(seen) / Double(max(1, bands.count))
    }
}
