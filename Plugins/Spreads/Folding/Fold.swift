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
    var evidence: Evidence
    /// The probability that the place is right, 0…1.
    var confidence: Double
    /// Whether a drawing continues across it: one image over both pages, not two.
    var isCrossed: Bool

    /// Whether it is distinguishable from a stroke or from the gap between two words.
    var isClear: Bool {
        switch evidence {
        case .line: !isCrossed
        case .gap: confidence >= Fold.wideGapConfidence && !isCrossed
        case .middle: false
        }
    }

    private static let wideGapConfidence = 0.85
    /// The search range for folds, in fractions of the width: books are placed no further from the middle of the glass.
    private static let range = 0.4...0.6
    /// The analyzed range, in fractions of the width: gaps reach further than the range of folds, and lines are slanted.
    private static let surroundings = 0.33...0.67
    /// The minimum number of pixels along a side for a search.
    private static let minimumSide = 64
    /// The width up to which a gap may be one between frames or columns of letters, as a fraction of the width.
    private static let wideGap = 0.014
    /// The minimum width of a gap.
    private static let minimumGap = 0.005
    /// The strength of a line that is a fold even next to a gap.
    private static let sureStrength = 2.0
    /// The minimum strength of a line that is a fold without a gap.
    private static let minimumStrength = 0.8
    /// The minimum strength of a line in a gap or at its edge: even a faint line is a fold there.
    private static let gapStrength = 0.5
    /// The part of the width beyond a gap's edge that belongs to it: edges are blurred.
    private static let gapEdge = 0.008
    /// The minimum reach of a gap to both sides of the scan's middle, in fractions of the width, that makes the middle the fold.
    ///
    /// So pages that a program joined are split at the joint, even if their margins differ.
    private static let margin = 0.015
    /// The maximum error of an edge's position, in columns of the bands, because these blur it.
    private static let blurredEdge = 2.0
    /// The assumed distance of the fold from the other page's content if one page is blank, as a fraction of the width.
    private static let usualMargin = 0.025
    /// The strength up to which a line in a drawing may be a stroke.
    private static let strokeStrength = 1.1

    /// - Parameter raster: gray of 8 bits, upright; its shorter side should have 300 pixels or more.
    init(_ raster: Raster) {
        self.init(place: 0.5, evidence: .middle, confidence: 0.3, isCrossed: false)
        guard raster.format == .gray(bits: 8), raster.size.width >= Fold.minimumSide,
            raster.size.height >= Fold.minimumSide
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
            isCrossed = FoldCrossing(raster, place: place, slope: line.slope, clearance: FoldCrossing.clearanceAtLine)
                .isOneDrawing(isUnparted: false)
        } else if let gap, gapWidth >= Fold.minimumGap {
            place = Fold.place(in: gap, bands)
            evidence = .gap
            confidence = gapWidth >= Fold.wideGap ? Fold.wideGapConfidence : 0.5
        }
        // The result may be a stroke or a chance gap in a drawing without a fold.
        let isUncertain = line.map { $0.strength < Fold.strokeStrength } ?? (gapWidth < Fold.wideGap)
        if isUncertain, gapWidth < Fold.wideGap, !isCrossed {
            let crossing = FoldCrossing(raster, place: 0.5, slope: 0, clearance: FoldCrossing.clearanceWithoutLine)
            if crossing.isOneDrawing(isUnparted: evidence == .middle) {
                self.init(place: 0.5, evidence: .middle, confidence: 0.3, isCrossed: true)
            }
        }
    }

    init(place: Double, evidence: Evidence, confidence: Double, isCrossed: Bool) {
        self.place = place
        self.evidence = evidence
        self.confidence = confidence
        self.isCrossed = isCrossed
    }

    /// Returns the line that is the fold, if any.
    private static func line(_ lines: [FoldLine], _ gap: FoldGap?, _ bands: FoldBands) -> FoldLine? {
        guard let gap else {
            return lines.max { $0.strength < $1.strength }.flatMap { $0.strength < minimumStrength ? nil : $0 }
        }
        let edge = Int(clamping: gapEdge * bands.scanWidth, to: 1...1 << 20)
        let reach = gap.columns.lowerBound - edge...gap.columns.upperBound + edge
        return lines.filter { line in
            if line.missingEnds == 0 {
                return line.strength >= (reach.contains(line.column) ? gapStrength : sureStrength)
            }
            // A line without print next to it is not a frame, wherever it ends.
            return gap.isEven(from: line.column - 2 * edge, to: line.column + 2 * edge)
                && line.openStrength >= gapStrength
        }.max { $0.openStrength < $1.openStrength }
    }

    /// Returns the place of the cut in a gap, as a fraction of the width.
    private static func place(in gap: FoldGap, _ bands: FoldBands) -> Double {
        let (left, right) = (bands.share(Double(gap.columns.lowerBound)), bands.share(Double(gap.columns.upperBound)))
        if left + margin <= 0.5, 0.5 <= right - margin { return 0.5 }
        // An image that ends in the exact middle was put there.
        let nearest = min(abs(left - 0.5), abs(right - 0.5)) * bands.scanWidth
        if nearest <= blurredEdge { return 0.5 }
        // A gap without an end is a blank page.
        if gap.columns.lowerBound <= gap.unjudgedColumns { return right - usualMargin }
        if gap.columns.upperBound >= bands.width - 1 - gap.unjudgedColumns { return left + usualMargin }
        return (left + right) / 2
    }
}
