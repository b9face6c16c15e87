internal import AdapterKit
internal import PageModel

/// The data of a page for finding out whether a drawing continues over one of its edges: 12 KB at most.
struct PageEdges: Sendable {
    let left: EdgeProfile
    let right: EdgeProfile

    /// - Parameter preview: the preview in gray of 8 bits.
    init(_ preview: PagePreview) {
        let left = -preview.start.x / preview.scale.across
        let top = -preview.start.y / preview.scale.down
        let frame = (
            left: left, top: top, right: left + Double(preview.size.width) / preview.scale.across,
            bottom: top + Double(preview.size.height) / preview.scale.down
        )
        self.left = EdgeProfile(EdgeBand(preview.raster, frame, isRight: false))
        self.right = EdgeProfile(EdgeBand(preview.raster, frame, isRight: true))
    }
}

/// The data of one edge of a page: 6 KB for a drawing, next to nothing for a margin.
struct EdgeProfile: Sendable {
    /// The doubt whether anything is drawn there.
    let uncertainty: EdgeUncertainty
    /// For every gap, the gray levels down the page, extrapolated to the gap's middle; `EdgeBand.rows` values each. Like the
    /// following, it is empty if nothing is drawn.
    let levels: [[UInt8]]
    /// The slants of the strokes, −127 to 127: above 0, they run down towards the edge.
    let slants: [[Int8]]
    /// For every gap and scale, the agreement of the page's own columns over such a gap: −1 to 1.
    let similarity: [[Float]]
    /// The rows at which a frame of a panel continues over the edge.
    let frames: [Bool]

    /// The gaps to try, in columns, between the columns that are extrapolated on either side.
    ///
    /// If no part of a drawing is lost, they are 2 apart; if 3 % of a page's width is lost, 15.
    static let gaps = [4, 7, 10, 14]

    init(_ band: EdgeBand) {
        let first = band.firstColumn
        let frames = PanelFrames(band)
        let edge = frames.filled(band.levels(at: first))
        uncertainty = EdgeUncertainty(edge, inside: band.inside)
        guard uncertainty.contrast > EdgeUncertainty.plain else {
            (levels, slants, similarity, self.frames) = ([], [], [], [])
            return
        }
        let directions = StrokeDirections(band, first)
        let weights = [Float](repeating: 1, count: EdgeBand.rows)
        var levels: [[UInt8]] = []
        var slants: [[Int8]] = []
        var similarity: [[Float]] = []
        for gap in EdgeProfile.gaps {
            let half = Float(gap) / 2
            let beyond = directions.carry(edge, by: half)
            // In range: levels are means of levels.
            levels.append(beyond.levels.map { UInt8(max(0, min(255, $0.rounded()))) })
            slants.append(beyond.slants.map { Int8(max(-127, min(127, $0 * 127))) })
            // The same gap, but within the page, where both sides are known to belong together.
            let inner = StrokeDirections(band, first + gap).carry(frames.filled(band.levels(at: first + gap)), by: half)
            let back = directions.carry(edge, by: -half)
            let one = EdgeSignals(inner.levels, slants: inner.slants)
            let two = EdgeSignals(back.levels, slants: back.slants)
            similarity.append(
                EdgeSignals.scales.indices.map { one.agreement(two, $0, shift: 0, weights).correlation })
        }
        self.levels = levels
        self.slants = slants
        self.similarity = similarity
        self.frames = frames.rows
    }
}

/// The estimate whether the levels down an edge are a drawing, or only a shade: of old paper, of the binding, of show-through.
///
/// Such shades continue from page to page, because the sheets touched each other, but they are not a drawing.
struct EdgeUncertainty: Sendable {
    /// The variation of the level down the edge: the standard deviation.
    let contrast: Float
    /// The amount by which this edge lowers the log odds that a drawing continues.
    let odds: Float

    /// The maximum variation of the level down a margin, with grain and shade, or down plain black.
    static let plain: Float = 5

    /// - Parameters:
    ///   - edge: the levels down the edge.
    ///   - inside: the variation of the level down the page further inside.
    init(_ edge: [Float], inside: [Dispersion]) {
        let spread = Dispersion(Smoothing.bell(edge, reach: 3))
        let contrast = spread.deviation
        let printed = inside.max { $0.deviation < $1.deviation } ?? spread
        self.contrast = contrast
        guard contrast > EdgeUncertainty.plain else {
            odds = EdgeUncertainty.margin
            return
        }
        func share(_ value: Float, of range: ClosedRange<Float>) -> Float {
            max(0, min(1, (value - range.lowerBound) / (range.upperBound - range.lowerBound)))
        }
        // Strokes are high and narrow; paper is darkened softly.
        let strokes = Dispersion(zip(edge, Smoothing.bell(edge, reach: 10)).map { $0 - $1 }).deviation
        let softness = 1 - share(strokes, of: EdgeUncertainty.softToDrawn)
        let faintness =
            1 - share(contrast, of: EdgeUncertainty.plain...EdgeUncertainty.clear + EdgeUncertainty.soft * softness)
        // Print further inside has a much higher contrast to the paper than shades do.
        let paleness = 1 - share(contrast / max(1, printed.deviation), of: EdgeUncertainty.paleToPrinted)
        // Paper is also lighter than the mean of its print; the scanner background may be darker.
        let away = abs(spread.mean - printed.mean) / max(1, printed.deviation)
        let isPaper = paleness * share(away, of: EdgeUncertainty.centerToMargin)
        odds = EdgeUncertainty.faint * faintness + EdgeUncertainty.margin * softness * isPaper
    }

    /// The standard deviations of features only a few rows high: shade and grain have up to 6, a single stroke more than 10.
    private static let softToDrawn: ClosedRange<Float> = 6...10
    /// The contrasts in fractions of those inside: shades have up to a third, art that bleeds hardly ever less than 0.4.
    private static let paleToPrinted: ClosedRange<Float> = 0.3...0.4
    /// The distances of the mean from that inside, in standard deviations inside: margins have mostly 0.5 to 2.
    private static let centerToMargin: ClosedRange<Float> = 0.25...0.5
    /// The contrast from which strokes are certain; soft features need this much more.
    private static let clear: Float = 12
    private static let soft: Float = 10
    /// The amount by which an edge that is hardly distinguishable from a plain one lowers the log odds.
    private static let faint: Float = 4
    /// The amount by which a margin does: more than all evidence can outweigh.
    private static let margin: Float = 25
}
