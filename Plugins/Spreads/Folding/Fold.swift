internal import PageModel

/// The fold between two facing pages in one scan: the place of the cut.
struct Fold: Equatable, Sendable {
    /// The evidence for the place of the fold.
    enum Evidence: String, Sendable {
        /// A dark line, a shadow that deepens towards it, or an edge as long as the scan, of other paper or of an image.
        case line
        /// The even ground between two text blocks or frames.
        case gap
        /// No evidence: the fold is assumed to be in the middle.
        case middle
    }

    /// The distance from the left edge at mid-height, as a fraction of the width.
    var place: Double
    /// The pixels to the right for each pixel down; 0 for an assumed fold.
    var slope = 0.0
    var evidence: Evidence
    /// The probability that the place is right, 0…1.
    var confidence: Double
    /// Whether a drawing continues across it: one image over both pages, not two.
    var isCrossed: Bool

    /// Whether it is distinguishable from a stroke or from the gap between two words.
    var isClear: Bool {
        switch evidence {
        case .line: !isCrossed
        case .gap: confidence >= FoldLimits.Confidence.wideGap && !isCrossed
        case .middle: false
        }
    }

    /// - Parameter raster: gray of 8 bits, upright; its shorter side should have 300 pixels or more.
    init(_ raster: Raster) {
        self = Fold.assumed(isCrossed: false)
        guard raster.format == .gray(bits: 8), raster.size.width >= FoldLimits.minimumSide,
            raster.size.height >= FoldLimits.minimumSide
        else { return }
        let bands = FoldBands(raster, rows: FoldRows.book(raster), share: FoldLimits.surroundings)
        let within = bands.column(FoldLimits.range.lowerBound)...bands.column(FoldLimits.range.upperBound)
        let candidates = FoldCandidates.clearer(bands, within: within)
        let (line, gap, gapWidth) = (candidates.line, candidates.gap, candidates.gapWidth)
        if let line {
            place = bands.share(Double(line.column))
            slope = line.slope
            evidence = .line
            let sure = FoldLimits.Confidence.line
            confidence = min(sure.maximum, sure.minimum + sure.perStrength * line.openStrength)
            isCrossed = FoldCrossing(
                raster, place: place, slope: line.slope, clearance: FoldLimits.Crossing.clearanceAtLine
            )
            .isOneDrawing(isUnparted: false)
        } else if let gap, gapWidth >= FoldLimits.Gap.minimum {
            place = Fold.place(in: gap, bands)
            slope = gap.slope
            evidence = .gap
            confidence =
                gapWidth >= FoldLimits.Gap.wide ? FoldLimits.Confidence.wideGap : FoldLimits.Confidence.narrowGap
        }
        // The result may be a stroke or a chance gap in a drawing without a fold.
        let isUncertain = line.map { $0.strength < FoldLimits.Line.strokeStrength } ?? (gapWidth < FoldLimits.Gap.wide)
        if isUncertain, gapWidth < FoldLimits.Gap.wide, !isCrossed {
            let crossing = FoldCrossing(
                raster, place: FoldLimits.middle, slope: 0, clearance: FoldLimits.Crossing.clearanceWithoutLine)
            if crossing.isOneDrawing(isUnparted: evidence == .middle) {
                self = Fold.assumed(isCrossed: true)
            }
        }
    }

    init(place: Double, evidence: Evidence, confidence: Double, isCrossed: Bool) {
        self.place = place
        self.evidence = evidence
        self.confidence = confidence
        self.isCrossed = isCrossed
    }

    /// Returns the fold of a scan without evidence: in the middle.
    private static func assumed(isCrossed: Bool) -> Fold {
        Fold(
            place: FoldLimits.middle, evidence: .middle, confidence: FoldLimits.Confidence.assumed,
            isCrossed: isCrossed)
    }

    /// Returns the place of the cut in a gap, as a fraction of the width.
    private static func place(in gap: FoldGap, _ bands: FoldBands) -> Double {
        let (left, right) = (bands.share(Double(gap.columns.lowerBound)), bands.share(Double(gap.columns.upperBound)))
        let (middle, margin) = (FoldLimits.middle, FoldLimits.Place.margin)
        if left + margin <= middle, middle <= right - margin { return middle }
        // An image that ends in the exact middle was put there.
        let nearest = min(abs(left - middle), abs(right - middle)) * bands.scanWidth
        if nearest <= FoldLimits.Place.blurredEdge { return middle }
        // A gap without an end is a blank page.
        if gap.columns.lowerBound <= gap.unjudgedColumns { return right - FoldLimits.Place.usualMargin }
        if gap.columns.upperBound >= bands.width - 1 - gap.unjudgedColumns {
            return left + FoldLimits.Place.usualMargin
        }
        return (left + right) / 2
    }
}
