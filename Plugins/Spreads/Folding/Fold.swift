internal import PageModel

/// The fold between two facing pages in one scan: where it is to be cut.
struct Fold: Equatable, Sendable {
    /// What the place of the fold was found by.
    enum Evidence: String, Sendable {
        /// A dark line, a shade that deepens towards it, or an edge as long as the scan, of other paper or of a
        /// picture.
        case line
        /// The even ground between two text blocks or frames.
        case gap
        /// Nothing: it is assumed to be in the middle.
        case middle
    }

    /// Distance from the left edge at mid-height, as a share of the width.
    var place: Double
    var evidence: Evidence
    /// How likely the place is right, 0…1.
    var confidence: Double
    /// Whether a drawing runs on across it: one picture over both pages, not two.
    var isCrossed: Bool

    /// Whether it can be told from a stroke or from the gap between two words.
    var isClear: Bool {
        switch evidence {
        case .line: !isCrossed
        case .gap: confidence >= Fold.wideGapConfidence && !isCrossed
        case .middle: false
        }
    }

    private static let wideGapConfidence = 0.85
    /// Where folds are looked for, as shares of the width: books are not put on the glass further off its middle.
    private static let range = 0.4...0.6
    /// What is looked at, as shares of the width: gaps reach further than the range of folds, and lines are slanted.
    private static let surroundings = 0.33...0.67
    /// In a picture whose side has fewer pixels, no fold is looked for.
    private static let leastSide = 64
    /// Gaps narrower than this share of the width may be those between frames or between columns of letters.
    private static let wideGap = 0.014
    /// Narrower gaps count for nothing.
    private static let leastGap = 0.005
    /// A line this strong is a fold even beside a gap.
    private static let sureStrength = 2.0
    /// A line this strong is a fold where there is no gap.
    private static let leastStrength = 0.8
    /// In a gap or at its edge even a faint line is a fold.
    private static let gapStrength = 0.5
    /// So much of the width beyond a gap's edge belongs to it: edges are blurred.
    private static let gapEdge = 0.008
    /// When a gap reaches this far to both sides of the scan's middle, as a share of the width, the middle is the fold.
    ///
    /// So pages that were put together by a program are parted where they met, even if their margins differ.
    private static let margin = 0.015
    /// How far an edge may lie from its true place, in columns of the bands, since these blur it.
    private static let blurredEdge = 2.0
    /// Where one page is blank, the fold is taken to be this far from what the other one shows, as a share of the
    /// width.
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
            confidence = gapWidth >= Fold.wideGap ? Fold.wideGapConfidence : 0.5
        }
        // What was found may be a stroke or a chance gap in a drawing that has no fold.
        let isDoubtful = line.map { $0.strength < Fold.strokeStrength } ?? (gapWidth < Fold.wideGap)
        if isDoubtful, gapWidth < Fold.wideGap, !isCrossed {
            let crossing = FoldCrossing(raster, place: 0.5, slope: 0, clearance: FoldCrossing.besideNothing)
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

    /// The line that is the fold, if any is.
    private static func line(_ lines: [FoldLine], _ gap: FoldGap?, _ bands: FoldBands) -> FoldLine? {
        guard let gap else {
            return lines.max { $0.strength < $1.strength }.flatMap { $0.strength < leastStrength ? nil : $0 }
        }
        let edge = Int(clamping: gapEdge * bands.scanWidth, to: 1...1 << 20)
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
        // A picture that ends at the very middle was put there.
        let nearest = min(abs(left - 0.5), abs(right - 0.5)) * bands.scanWidth
        if nearest <= blurredEdge { return 0.5 }
        // A gap without an end is a blank page.
        if gap.columns.lowerBound <= gap.unseen { return right - usualMargin }
        if gap.columns.upperBound >= bands.width - 1 - gap.unseen { return left + usualMargin }
        return (left + right) / 2
    }
}
