internal import PageModel

/// A nearly upright line down a scan, and the evidence for a fold along it.
struct FoldLine: Equatable, Sendable {
    /// The column of the bands at mid-height.
    var column: Int
    /// The pixels to the right for each pixel down.
    var slope: Double
    /// The difference in levels between it and its lighter surroundings.
    var valley: Double = 0
    /// The same for the third weakest of the line's parts.
    var minimumValley: Double = 0
    /// The difference between both its sides in levels, beyond that of any two columns nearby.
    var seam: Double = 0
    /// The same for the third weakest of its parts.
    var minimumSeam: Double = 0
    /// The share of the bands in which it is darker than its surroundings.
    var extent: Double = 0
    /// The number of its ends that are not visible.
    var missingEnds = 0

    /// The strength of the evidence for a fold; from 1 on a fold is almost certain.
    ///
    /// Frames, columns of letters and strokes end before the page does, so some parts of the line show nothing. A fold is as long
    /// as the scan. A single part may be missing, if the print is black.
    var strength: Double {
        openStrength * (1 - FoldLimits.Line.lossPerMissingEnd * Double(missingEnds))
    }

    /// The strength if the areas to its left and right are free of print.
    var openStrength: Double {
        max(0, min(valley, FoldLimits.Line.maximumValleyRatio * minimumValley + FoldLimits.Line.maximumHiddenLevels))
            * extent * extent / FoldLimits.Line.sureValley
            + max(0, min(seam, FoldLimits.Line.maximumSeamRatio * minimumSeam)) / FoldLimits.Line.sureSeam
    }
}

/// A search for lines that may be the fold.
struct FoldSearch: Sendable {
    private let bands: FoldBands
    private let within: ClosedRange<Int>
    private let valleys: FoldVotes
    private let seams: FoldVotes
    /// The depths of all lines as valleys, by slope and column.
    private let depths: [[Float]]
    /// The strengths of all lines as seams beyond the columns nearby, by slope and column.
    private let differences: [[Float]]
    let slopes: [Double]

    /// - Parameters:
    ///   - within: the columns in which folds are searched.
    ///   - maximumSlope: the maximum slope of a fold.
    init(_ bands: FoldBands, within: ClosedRange<Int>, maximumSlope: Double = FoldLimits.Search.maximumSlope) {
        self.bands = bands
        self.within = within
        valleys = FoldVotes(bands, .valley)
        seams = FoldVotes(bands, .seam)
        // Slopes differ by two pixels at the ends of a line.
        let step = 2 / max(1, bands.depths.map { abs($0) }.max() ?? 1)
        let half = Int(
            clamping: (maximumSlope / step).rounded(.up), to: 0...FoldLimits.Search.maximumSlopes)
        let slopes = (-half...half).map { Double($0) * step }
        self.slopes = slopes
        depths = slopes.map(valleys.tally)
        differences = slopes.map(seams.tally).map { FoldSearch.beyondNeighbors($0, bands, within) }
    }

    /// Returns the excess of columns within a range over the median of their neighbors; 0 for columns outside.
    private static func beyondNeighbors(_ tally: [Float], _ bands: FoldBands, _ within: ClosedRange<Int>) -> [Float] {
        var result = [Float](repeating: 0, count: tally.count)
        let reach = max(
            FoldLimits.Search.minimumNeighborhood, Int(FoldLimits.Search.neighborhood * bands.scanWidth))
        var near: [Float] = []
        near.reserveCapacity(reach)
        for x in within.clamped(to: 0...max(0, tally.count - 1)) where x < tally.count {
            near.removeAll(keepingCapacity: true)
            for away in stride(from: FoldLimits.Search.nearest, through: reach, by: 2) {
                if x - away >= 0 { near.append(tally[x - away]) }
                if x + away < tally.count { near.append(tally[x + away]) }
            }
            near.sort()
            if !near.isEmpty { result[x] = tally[x] - near[near.count / 2] }
        }
        return result
    }

    /// The deepest valleys and the clearest seams, without adjacent ones.
    var lines: [FoldLine] { peaks(of: depths) + peaks(of: differences) }

    private func peaks(of scores: [[Float]]) -> [FoldLine] {
        let range = within.clamped(to: 0...max(0, bands.width - 1))
        var best = [(score: Float, slope: Int)](repeating: (-.infinity, 0), count: range.count)
        // Upright lines first: slightly slanted ones detect a sharp edge just as well.
        for slope in scores.indices.sorted(by: { abs(slopes[$0]) < abs(slopes[$1]) }) {
            let row = scores[slope]
            for x in range where row[x] > best[x - range.lowerBound].score + FoldLimits.Search.same {
                best[x - range.lowerBound] = (row[x], slope)
            }
        }
        var lines: [FoldLine] = []
        let apart = max(2, Int(bands.scanWidth / FoldLimits.Search.linesPerWidth))
        for _ in 0..<FoldLimits.Search.maximumPeaks {
            guard let top = best.indices.max(by: { best[$0].score < best[$1].score }), best[top].score > 0 else {
                break
            }
            // The same is true of adjacent columns; the middle one is nearest to the edge.
            let minimum = best[top].score - FoldLimits.Search.same
            let first = (max(0, top - apart)...top).first { best[$0].score >= minimum } ?? top
            let last = (top...min(best.count - 1, top + apart)).last { best[$0].score >= minimum } ?? top
            let middle = (first + last) / 2
            let chosen = best[middle].score >= minimum ? middle : top
            lines.append(judged(column: chosen + range.lowerBound, slope: best[chosen].slope))
            for near in max(0, chosen - apart)...min(best.count - 1, chosen + apart) { best[near].score = -.infinity }
        }
        return lines
    }

    private func judged(column: Int, slope: Int) -> FoldLine {
        var line = FoldLine(column: column, slope: slopes[slope])
        line.valley = Double(depths[slope][column])
        line.seam = Double(differences[slope][column])
        let edges = FoldLimits.Search.parts.map { Int(clamping: $0 * Double(bands.count), to: 0...bands.count) }
        let parts = zip(edges, edges.dropFirst()).map { $0..<$1 }
        let valley = parts.map { valleys.mean(column: column, slope: slopes[slope], of: $0) }
        let seam = parts.map { part in
            let around = FoldLimits.Search.around.map {
                seams.mean(column: column + $0, slope: slopes[slope], of: part)
            }
            return seams.mean(column: column, slope: slopes[slope], of: part)
                - around.sorted()[FoldLimits.Search.median]
        }
        let weak = FoldLimits.Line.weakPart
        (line.minimumValley, line.minimumSeam) = (valley.sorted()[weak], seam.sorted()[weak])
        line.missingEnds = [0, parts.count - 1].count { end in
            valley[end] < max(FoldLimits.Search.grain, FoldLimits.Search.endValley * line.valley)
                && seam[end] < FoldLimits.Search.seamGrain + FoldLimits.Search.endSeam * line.seam
        }
        line.extent = valleys.extent(column: column, slope: slopes[slope], minimum: FoldLimits.Search.seenValley)
        return line
    }
}

/// The votes of each place of each band for a fold there, and their sums along lines.
struct FoldVotes: Sendable {
    enum Kind {
        /// The difference between a place and its lighter surroundings: a line, or a shadow that deepens towards it.
        case valley
        /// The difference between the left and the right of a place: an edge.
        case seam
    }

    private let bands: FoldBands
    private var votes: [Int16]

    init(_ bands: FoldBands, _ kind: Kind) {
        self.bands = bands
        let width = bands.width
        let unit = FoldBands.unit
        var votes = [Int16](repeating: 0, count: bands.means.count)
        func reach(_ share: Double) -> Int { Int(clamping: share * bands.scanWidth, to: 1...max(1, bands.width)) }
        bands.means.withUnsafeBufferPointer { means in
            votes.withUnsafeMutableBufferPointer { votes in
                switch kind {
                case .valley:
                    let maximum = FoldLimits.Search.maximumValley * unit
                    let count = Int16(FoldLimits.Search.reaches.count)
                    for reach in FoldLimits.Search.reaches.map(reach) where width > 2 * reach {
                        for row in stride(from: 0, to: votes.count, by: width) {
                            for x in row + reach..<row + width - reach {
                                let depth = min(means[x - reach], means[x + reach]) &- means[x]
                                votes[x] &+= max(-maximum, min(maximum, depth)) / count
                            }
                        }
                    }
                case .seam:
                    let maximum = FoldLimits.Search.maximumSeam * unit
                    let reach = reach(FoldLimits.Search.blur)
                    guard width > 2 * reach else { return }
                    for row in stride(from: 0, to: votes.count, by: width) {
                        for x in row + reach..<row + width - reach {
                            votes[x] = min(maximum, abs(means[x + reach] &- means[x - reach]))
                        }
                    }
                }
            }
        }
        self.votes = votes
    }

    /// Returns for each column the mean vote along the line through it at mid-height, in levels.
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

    /// Returns the mean vote of some bands along a line, in levels.
    func mean(column: Int, slope: Double, of some: Range<Int>) -> Double {
        var sum = 0
        for band in some {
            let x = column + bands.shift(band, slope)
            if (0..<bands.width).contains(x) { sum += Int(votes[band * bands.width + x]) }
        }
        return Double(sum) / Double(max(1, some.count) * Int(FoldBands.unit))
    }

    /// Returns the share of the bands in which the vote along a line has at least that many levels.
    func extent(column: Int, slope: Double, minimum: Double) -> Double {
        let minimum = Int16(
            Int(clamping: (minimum * Double(FoldBands.unit)).rounded(.towardZero), to: Int(Int16.min)...Int(Int16.max)))
        let seen = (0..<bands.count).count { band in
            let x = column + bands.shift(band, slope)
            return (0..<bands.width).contains(x) && votes[band * bands.width + x] >= minimum
        }
        return Double(seen) / Double(max(1, bands.count))
    }
}
