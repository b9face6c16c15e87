internal import AdapterKit
internal import OrderedWork
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

    /// Returns the edges of a book's pages; nil for a page that is wide or cannot be analyzed.
    static func all(
        _ pages: [SizedPage], wideRatio: Double, _ request: TransformRequest
    ) async throws -> [PageEdges?] {
        try await mapInOrder(pages, width: request.width) { page in
            if page.showsSpread(wideRatio) { return nil }
            return try await request.previews.look(at: page.page, pixels: SeamLimits.minimumPixels, as: .brightness)
                .preview.map(PageEdges.init)
        }
    }
}

/// The data of one edge of a page: 6 KB for a drawing, next to nothing for a margin.
struct EdgeProfile: Sendable {
    /// The doubt whether anything is drawn there.
    let uncertainty: EdgeUncertainty
    /// For every gap, the gray levels down the page, extrapolated to the gap's middle; `SeamLimits.Band.rows` values
    /// each. Like the following, it is empty if nothing is drawn.
    let levels: [[UInt8]]
    /// The slants of the strokes, −127 to 127: above 0, they run down towards the edge.
    let slants: [[Int8]]
    /// For every gap and scale, the agreement of the page's own columns over such a gap: −1 to 1.
    let similarity: [[Float]]
    /// The rows at which a frame of a panel continues over the edge.
    let frames: [Bool]

    /// The number by which a slant of 1 is stored.
    static let slantUnit: Float = 127

    init(_ band: EdgeBand) {
        let first = band.firstColumn
        let frames = PanelFrames(band)
        let edge = frames.filled(band.levels(at: first))
        uncertainty = EdgeUncertainty(edge, inside: band.inside)
        guard uncertainty.contrast > SeamLimits.Uncertainty.plain else {
            (levels, slants, similarity, self.frames) = ([], [], [], [])
            return
        }
        let directions = StrokeDirections(band, first)
        let unit = EdgeProfile.slantUnit
        let weights = [Float](repeating: 1, count: SeamLimits.Band.rows)
        var levels: [[UInt8]] = []
        var slants: [[Int8]] = []
        var similarity: [[Float]] = []
        for gap in SeamLimits.Strokes.gaps {
            let half = Float(gap) / 2
            let beyond = directions.carry(edge, by: half)
            // In range: levels are means of levels.
            levels.append(beyond.levels.map { UInt8(max(0, min(Float(UInt8.max), $0.rounded()))) })
            slants.append(beyond.slants.map { Int8(max(-unit, min(unit, $0 * unit))) })
            // The same gap, but within the page, where both sides are known to belong together.
            let inner = StrokeDirections(band, first + gap).carry(frames.filled(band.levels(at: first + gap)), by: half)
            let back = directions.carry(edge, by: -half)
            let one = EdgeSignals(inner.levels, slants: inner.slants)
            let two = EdgeSignals(back.levels, slants: back.slants)
            similarity.append(
                SeamLimits.Signals.scales.indices.map { one.agreement(two, $0, shift: 0, weights).correlation })
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

    /// - Parameters:
    ///   - edge: the levels down the edge.
    ///   - inside: the variation of the level down the page further inside.
    init(_ edge: [Float], inside: [Dispersion]) {
        let spread = Dispersion(Smoothing.bell(edge, reach: SeamLimits.Uncertainty.grainReach))
        let contrast = spread.deviation
        let printed = inside.max { $0.deviation < $1.deviation } ?? spread
        self.contrast = contrast
        guard contrast > SeamLimits.Uncertainty.plain else {
            odds = SeamLimits.Uncertainty.margin
            return
        }
        func share(_ value: Float, of range: ClosedRange<Float>) -> Float {
            max(0, min(1, (value - range.lowerBound) / (range.upperBound - range.lowerBound)))
        }
        // Strokes are high and narrow; paper is darkened softly.
        let strokes = Dispersion(
            zip(edge, Smoothing.bell(edge, reach: SeamLimits.Uncertainty.strokeReach)).map { $0 - $1 }
        ).deviation
        let softness = 1 - share(strokes, of: SeamLimits.Uncertainty.softToDrawn)
        let faintness =
            1
            - share(
                contrast,
                of: SeamLimits.Uncertainty.plain...SeamLimits.Uncertainty.clear + SeamLimits.Uncertainty.soft * softness
            )
        // Print further inside has a much higher contrast to the paper than shades do.
        let paleness = 1 - share(contrast / max(1, printed.deviation), of: SeamLimits.Uncertainty.paleToPrinted)
        // Paper is also lighter than the mean of its print; the scanner background may be darker.
        let away = abs(spread.mean - printed.mean) / max(1, printed.deviation)
        let isPaper = paleness * share(away, of: SeamLimits.Uncertainty.centerToMargin)
        odds = SeamLimits.Uncertainty.faint * faintness + SeamLimits.Uncertainty.margin * softness * isPaper
    }
}
