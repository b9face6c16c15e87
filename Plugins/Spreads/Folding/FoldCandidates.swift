internal import PageModel

/// The line and the gap that may be the fold, among those of some slopes.
struct FoldCandidates {
    let line: FoldLine?
    let gap: FoldGap?
    /// The width of the gap, as a fraction of the scan's width; 0 without one.
    let gapWidth: Double

    /// - Parameter isIncluded: whether a slope is searched.
    private init(_ bands: FoldBands, _ search: FoldSearch, _ isIncluded: (Double) -> Bool, within: ClosedRange<Int>) {
        let gap = FoldGap.widest(bands, slopes: search.slopes.filter(isIncluded), middle: within)
        self.gap = gap
        gapWidth = gap.map { Double($0.columns.count) / bands.scanWidth } ?? 0
        line = FoldCandidates.line(
            search.lines.filter { isIncluded($0.slope) }, gapWidth >= FoldLimits.Gap.wide ? gap : nil, bands)
    }

    /// Returns the candidates among the slopes of scans, or among those of photographs if these are clearer.
    static func clearer(_ bands: FoldBands, within: ClosedRange<Int>) -> FoldCandidates {
        let usual = FoldCandidates(bands, FoldSearch(bands, within: within), { _ in true }, within: within)
        let limit = FoldLimits.Search.maximumSlope
        let search = FoldSearch(bands, within: within, maximumSlope: FoldLimits.Search.maximumSlopeOfPhotograph)
        let steep = FoldCandidates(bands, search, { abs($0) > limit }, within: within)
        return steep.isClearer(than: usual) ? steep : usual
    }

    /// Whether these, which slant more, show the fold and the others do not. A gap is widest, and a line strongest, along the
    /// fold.
    private func isClearer(than other: FoldCandidates) -> Bool {
        let (ratio, others) = (FoldLimits.Line.clearlyStronger, other.line?.strength ?? 0)
        if gapWidth >= FoldLimits.Gap.wide, gapWidth >= ratio * other.gapWidth {
            return others < max(FoldLimits.Line.steepStrength, ratio * (line?.strength ?? 0))
        }
        // In a drawing, a line may be a stroke.
        let minimum = gapWidth < FoldLimits.Gap.wide ? FoldLimits.Line.sureStrength : FoldLimits.Line.steepStrength
        guard let line, line.missingEnds == 0, line.strength >= minimum,
            other.gapWidth < FoldLimits.Gap.wide || other.gapWidth < ratio * gapWidth
        else { return false }
        return line.strength >= ratio * others
    }

    /// Returns the line that is the fold, if any.
    private static func line(_ lines: [FoldLine], _ gap: FoldGap?, _ bands: FoldBands) -> FoldLine? {
        guard let gap else {
            return lines.max { $0.strength < $1.strength }.flatMap {
                $0.strength < FoldLimits.Line.minimumStrength ? nil : $0
            }
        }
        let edge = Int(clamping: FoldLimits.Place.gapEdge * bands.scanWidth, to: 1...max(1, bands.width))
        let reach = gap.columns.lowerBound - edge...gap.columns.upperBound + edge
        return lines.filter { line in
            if line.missingEnds == 0 {
                return line.strength
                    >= (reach.contains(line.column) ? FoldLimits.Line.gapStrength : FoldLimits.Line.sureStrength)
            }
            // A line without print next to it is not a frame, wherever it ends.
            return gap.isEven(from: line.column - 2 * edge, to: line.column + 2 * edge)
                && line.openStrength >= FoldLimits.Line.gapStrength
        }.max { $0.openStrength < $1.openStrength }
    }
}
