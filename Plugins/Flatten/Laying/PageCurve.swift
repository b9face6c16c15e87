internal import LayoutAnalysis
internal import PageModel

/// The curvature of a page according to its lines of text.
enum PageCurve {
    case tooFewLines
    case straight(CurvedLines)
    /// The curve of one half of the lines does not straighten the other.
    case disagreeing(CurvedLines)
    case curved(CurvedLines)
    /// Several pieces of paper, each rotated by itself.
    case separateItems

    /// - Parameter raster: gray of 8 bits. If its lines run down the page, it is to be transposed.
    init(_ raster: Raster) {
        guard let letters = Letters(raster) else {
            self = .tooFewLines
            return
        }
        // Words may be far apart, as in tables and lists.
        let gaps = [FlattenLimits.Curve.wordGap, FlattenLimits.Curve.columnGap]
        let found = gaps.lazy.compactMap { gap in
            CurvedLines(letters, .soft, maximumGap: gap).map { (lines: $0, gap: gap) }
        }
        guard let (soft, gap) = found.first(where: { $0.lines.areEnough }) else {
            self = .tooFewLines
            return
        }
        guard soft.areBowed || soft.diverge else {
            self = .straight(soft)
            return
        }
        var better = (lines: soft, left: soft.remainderByOthers)
        if let stiff = CurvedLines(letters, .stiff, maximumGap: gap), stiff.areEnough {
            let left = stiff.remainderByOthers
            if left < FlattenLimits.Curve.clearlyBetter * better.left { better = (stiff, left) }
        }
        guard better.left <= soft.maximumRemainder else {
            self = .disagreeing(better.lines)
            return
        }
        self = SeparateItems.areShown(by: letters) ? .separateItems : .curved(better.lines)
    }
}
