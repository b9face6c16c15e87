/// Whether what is seen down an edge is drawn, or only the shade of old paper, a binding's or what shows through.
///
/// Such shades run on from page to page, since the sheets lay on each other, but nothing is drawn there.
struct EdgeDoubt: Sendable {
    /// By how much the level varies down the edge: the standard deviation.
    let contrast: Float
    /// How much the log odds of a drawing that runs on are less for this edge.
    let odds: Float

    /// Down a margin the level varies by no more than this, with grain and shade; nor down plain black.
    static let plain: Float = 5

    /// - Parameters:
    ///   - edge: the level down the edge.
    ///   - inside: how the level varies down the page further inside.
    init(_ edge: [Float], inside: [Dispersion]) {
        let spread = Dispersion(Smoothing.bell(edge, reach: 3))
        let contrast = spread.deviation
        let printed = inside.max { $0.deviation < $1.deviation } ?? spread
        self.contrast = contrast
        guard contrast > EdgeDoubt.plain else {
            odds = EdgeDoubt.margin
            return
        }
        func share(_ value: Float, of range: ClosedRange<Float>) -> Float {
            max(0, min(1, (value - range.lowerBound) / (range.upperBound - range.lowerBound)))
        }
        // Strokes are high and narrow; paper is darkened softly.
        let strokes = Dispersion(zip(edge, Smoothing.bell(edge, reach: 10)).map { $0 - $1 }).deviation
        let softness = 1 - share(strokes, of: EdgeDoubt.softToDrawn)
        let faintness = 1 - share(contrast, of: EdgeDoubt.plain...EdgeDoubt.clear + EdgeDoubt.soft * softness)
        // What is printed further inside stands out from the paper much more than its shades do.
        let paleness = 1 - share(contrast / max(1, printed.deviation), of: EdgeDoubt.paleToPrinted)
        // And paper is lighter than the mean of what is printed on it; the scanner's bed may be darker.
        let away = abs(spread.mean - printed.mean) / max(1, printed.deviation)
        let isPaper = paleness * share(away, of: EdgeDoubt.amidToAside)
        odds = EdgeDoubt.faint * faintness + EdgeDoubt.margin * softness * isPaper
    }

    /// Standard deviations of what is only a few rows high: shade and grain have up to 6, a single stroke more than 10.
    private static let softToDrawn: ClosedRange<Float> = 6...10
    /// Contrasts as shares of those inside: shades have up to a third, art that bleeds hardly ever less than 0.4.
    private static let paleToPrinted: ClosedRange<Float> = 0.3...0.4
    /// How far the mean lies from that inside, in standard deviations of what is inside: margins, mostly 0.5 to 2.
    private static let amidToAside: ClosedRange<Float> = 0.25...0.5
    /// From this contrast on, strokes are certainly there; what is soft needs this much more.
    private static let clear: Float = 12
    private static let soft: Float = 10
    /// What an edge counts less that can hardly be told from a plain one, in log odds.
    private static let faint: Float = 4
    /// What a margin counts less: more than anything else can say.
    private static let margin: Float = 25
}
