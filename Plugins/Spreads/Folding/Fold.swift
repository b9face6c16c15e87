internal import PageModel

/// Where a scan of two facing pages is to be cut.
struct Fold: Equatable, Sendable {
    /// What tells where the fold is.
    enum Evidence: String, Sendable {
        /// A dark line, a shade that deepens to it, or an edge as long as the scan: of other paper, of art that bleeds.
        case line
        /// The even ground between two text blocks or frames.
        case gap
        /// Nothing: it is taken to be in the middle.
        case middle
    }

    /// Distance from the left edge at mid-height, as a share of the width.
    var place: Double
    var evidence: Evidence
    /// How likely the place is right, 0…1.
    var confidence: Double
    /// Whether a drawing runs on across it: one picture over both pages, not two.
    var isCrossed: Bool

    /// The share of the width that folds are looked for in: books are not laid down further off.
    private static let range = 0.4...0.6
    /// What is looked at around it: gaps reach further, and lines are slanted.
    private static let surroundings = 0.33...0.67
    /// Smaller pictures show too little, in pixels.
    private static let leastSide = 64
    /// Gaps narrower than this share of the width may be those between frames or between columns of letters.
    private static let wideGap = 0.014
    /// Narrower ones are none.
    private static let leastGap = 0.005
    /// A line this strong is a fold even beside a gap.
    private static let sureStrength = 2.0
    /// A line this strong is a fold where there is no gap.
    private static let leastStrength = 0.8
    /// In a gap or at its edge even a faint line is a fold.
    private static let gapStrength = 0.5
    /// So much of the width beyond a gap's edge belongs to it: edges are blurred.
    private static let gapEdge = 0.008
    /// The scan's middle is taken for the fold when a gap reaches so much further to both sides, as a share of the width.
    ///
    /// Then two pages that were put together are parted where they met, though their margins differ.
    private static let margin = 0.015
    /// So many columns of the bands may an edge be from where it was, since they blur it.
    private static let blurredEdge = 2.0
    /// Where a page is blank, the fold is as far from what the other one shows as margins mostly are.
    private static let usualMargin = 0.025
    /// A line in a drawing can be this strong without being a fold.
    private static let strokeStrength = 1.1

    /// - Parameter raster: gray of 8 bits, upright; its shorter side should have 300 pixels or more.
    init(_ raster: Raster) {
        self.init(place: 0.5, evidence: .middle, confidence: 0.3, isCrossed: false)
        guard raster.format == .gray(bits: 8), raster.size.width >= Fold.leastSide, raster.size.height >= Fold.leastSide
        else { return }
        let bands = FoldBands(raster, rows: FoldRows.book(raster), share: Fold.surroundings)
        let within = bands.column(Fold.range.lowerBound)...bands.column(Fold.range.upperBound)
        let search = FoldSearch(bands, within: within)
        let gap = FoldGap.widest(bands, slopes: search.slopes, middle: within)
        let gapWidth = gap.map { Double($0.columns.count) / bands.scanWidth } ?? 0
        let line = Fold.line(search.lines, gapWidth >= Fold.wideGap ? gap : nil, bands)
        if let line {
            place = bands.share(Double(line.column))
            evidence = .line
            confidence = min(0.98, 0.7 + 0.1 * line.openStrength)
            isCrossed = FoldCrossing(raster, place: place, slope: line.slope, clearance: FoldCrossing.besideLine)
                .isOneDrawing(isUnparted: false)
        } else if let gap, gapWidth >= Fold.leastGap {
            place = Fold.place(in: gap, bands)
            evidence = .gap
            confidence = gapWidth >= Fold.wideGap ? 0.85 : 0.5
        }
        // What was found may be a stroke, or a gap by chance, in a drawing without any fold.
        let isDoubtful = line.map { $0.strength < Fold.strokeStrength } ?? (gapWidth < Fold.wideGap)
        if isDoubtful, gapWidth < Fold.wideGap, !isCrossed {
            let crossing = FoldCrossing(raster, place: 0.5, slope: 0, clearance: FoldCrossing.besideNothing)
            if crossing.isOneDrawing(isUnparted: evidence == .middle) {
                self.init(place: 0.5, evidence: .middle, confidence: 0.3, isCrossed: true)
            }
        }
    }

    private init(place: Double, evidence: Evidence, confidence: Double, isCrossed: Bool) {
        self.place = place
        self.evidence = evidence
        self.confidence = confidence
        self.isCrossed = isCrossed
    }

    /// The line that is the fold, if any is.
    private static func line(_ lines: [FoldLine], _ gap: FoldGap?, _ bands: FoldBands) -> FoldLine? {
        guard let gap else {
            return lines.max { $0.strength < $1.strength }.flatMap { $0.strength < leastStrength ? nil : $0 }
        }
        let edge = max(1, Int((gapEdge * bands.scanWidth).rounded()))
        let reach = gap.columns.lowerBound - edge...gap.columns.upperBound + edge
        return lines.filter { line in
            if line.missingEnds == 0 {
                return line.strength >= (reach.contains(line.column) ? gapStrength : sureStrength)
            }
            // A line with nothing printed beside it is no frame, wherever it ends.
            return gap.isEven(from: line.column - 2 * edge, to: line.column + 2 * edge)
                && line.openStrength >= gapStrength
        }.max { $0.openStrength < $1.openStrength }
    }

    /// Where in a gap to cut, as a share of the width.
    private static func place(in gap: FoldGap, _ bands: FoldBands) -> Double {
        let (left, right) = (bands.share(Double(gap.columns.lowerBound)), bands.share(Double(gap.columns.upperBound)))
        if left + margin <= 0.5, 0.5 <= right - margin { return 0.5 }
        // Art that ends at the very middle was put there.
        let nearest = min(abs(left - 0.5), abs(right - 0.5)) * bands.scanWidth
        if nearest <= blurredEdge { return 0.5 }
        // A gap without an end is a blank page.
        if gap.columns.lowerBound <= gap.unseen { return right - usualMargin }
        if gap.columns.upperBound >= bands.width - 1 - gap.unseen { return left + usualMargin }
        return (left + right) / 2
    }
}
