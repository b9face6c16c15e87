internal import PageModel

/// Where a scan of two facing pages is to be cut.
struct Fold: Equatable, Sendable {
    /// What tells where the fold is.
    enum Evidence: String, Sendable {
        /// A dark line, a shade that deepens to it, or an edge as long as the scan: of another paper, of art that bleeds.
        case line
        /// The even ground between two text blocks or frames.
        case gap
        /// Nothing: it is taken to be in the middle.
        case middle
    }

    /// Distance from the left edge at mid-height, as a share of the width.
    var place: Double
    var evidence: Evidence
    /// 0…1.
    var confidence: Double
    /// Whether a drawing runs on across it: one picture over both pages, not two.
    var isCrossed: Bool

    /// The share of the width that folds are looked for in; scans are not so far off the middle.
    private static let range = 0.4...0.6
    /// What is looked at around it: gaps reach further, and lines are slanted.
    private static let surroundings = 0.33...0.67
    /// Gaps narrower than this share of the width may be those between frames or between columns of letters.
    private static let wideGap = 0.012
    /// Narrower ones are nothing.
    private static let leastGap = 0.005
    /// A line this strong is a fold wherever it is.
    private static let sureStrength = 2.0
    /// A line this strong is a fold where there is no gap.
    private static let leastStrength = 0.8
    /// In a gap or at its edge even a faint line is a fold.
    private static let gapStrength = 0.5
    /// So much of the width beyond a gap's edge still belongs to it.
    private static let gapEdge = 0.008
    /// The middle of the scan is taken for the fold when it lies within this part of a gap, around the gap's middle.
    ///
    /// Then two pages that were put together are parted where they met, though their margins may differ.
    private static let middlePart = 0.5
    /// How far a fold is from the text of the one page where the other is blank, as a share of the width.
    private static let margin = 0.025
    /// How far from the fold its own line and what it swallows reach, as a share of the width.
    private static let clearance = 1 / 300.0

    nonisolated(unsafe) static var log: (String) -> Void = { _ in }

    init(_ raster: Raster) {
        let bands = FoldBands(raster, share: Fold.surroundings)
        let search = FoldSearch(bands)
        let within = bands.column(Fold.range.lowerBound)...bands.column(Fold.range.upperBound)
        let gap = FoldGap.widest(
            bands, slopes: search.slopes, middle: Double(within.lowerBound)...Double(within.upperBound))
        let gapWidth = gap.map { Double($0.columns.count) / bands.scanWidth } ?? 0
        let lines = search.lines(in: within)
        if let gap { Fold.log("gap \(bands.share(Double(gap.columns.lowerBound)))-\(bands.share(Double(gap.columns.upperBound)))") }
        for l in lines { Fold.log("\(bands.share(Double(l.column))) V \(l.valley) \(l.leastValley) A \(l.seam) \(l.leastSeam) S \(l.strength)") }
        isCrossed = false
        var fold = lines.max { $0.strength < $1.strength }
        if let gap, gapWidth >= Fold.wideGap {
            let edge = Int((Fold.gapEdge * bands.scanWidth).rounded())
            let reach = gap.columns.lowerBound - edge...gap.columns.upperBound + edge
            let own = lines.filter { reach.contains($0.column) }.max { $0.strength < $1.strength }
            if let own, own.strength >= Fold.gapStrength { fold = own } else if fold?.strength ?? 0 < Fold.sureStrength { fold = nil }
        } else if fold?.strength ?? 0 < Fold.leastStrength {
            fold = nil
        }
        if let fold {
            place = bands.share(Double(fold.column))
            evidence = .line
            confidence = min(1, fold.strength)
            let crossing = FoldCrossing(raster, x: place * Double(raster.size.width), slope: fold.slope, clearance: 3)
            isCrossed = crossing.isContinuous
            Fold.log("crossing \(crossing)")
        } else if let gap, gapWidth >= Fold.leastGap {
            let (left, right) = (bands.share(Double(gap.columns.lowerBound)), bands.share(Double(gap.columns.upperBound)))
            let middle = (left + right) / 2
            evidence = .gap
            confidence = 0.8
            if abs(middle - 0.5) <= Fold.middlePart / 2 * gapWidth {
                place = 0.5
            } else if gap.columns.lowerBound <= 5 {
                place = right - Fold.margin
            } else if gap.columns.upperBound >= bands.width - 6 {
                place = left + Fold.margin
            } else {
                place = middle
            }
        } else {
            place = 0.5
            evidence = .middle
            confidence = 0.1
            let crossing = FoldCrossing(raster, x: place * Double(raster.size.width), slope: 0, clearance: 3)
            isCrossed = crossing.isContinuous
            Fold.log("crossing \(crossing)")
        }
    }
}
