internal import PageModel

/// What becomes of a page.
struct Decision {
    /// What is kept, with its margins; nil when the page stays whole.
    var box: PixelRect?
    /// Why; a half sentence.
    var remark: String
    /// 0 to 1.
    var confidence: Double
    /// Whether the page was treated by itself although the book has a box.
    var isOutlier = false

    static func whole(_ remark: String, _ confidence: Double = 0.9, isOutlier: Bool = false) -> Decision {
        Decision(box: nil, remark: "kept whole: \(remark)", confidence: confidence, isOutlier: isOutlier)
    }

    /// A page that is not to be trimmed.
    static func untrimmed(_ finding: PageFinding) -> Decision {
        let remark =
            switch (finding.page.skew, finding.page.isDeskewed) {
            case (nil, _): "no lines of text to straighten it by"
            case (let skew?, true): "turned by \(skew)°"
            case (_?, false): "its lines are level"
            }
        return Decision(box: nil, remark: remark, confidence: 0.95)
    }

    /// A page decided by itself.
    ///
    /// - Parameter reason: why it is, where the book has a box.
    static func own(_ finding: PageFinding, _ surround: Surround, because reason: String? = nil) -> Decision {
        switch finding.page.kind {
        case .dark: return whole("it is dark or coloured up to its edges", isOutlier: reason != nil)
        case .fullBleed: return whole("the picture fills it", 0.8, isOutlier: reason != nil)
        case .blank, .printed: break
        }
        guard let content = finding.content else {
            let what =
                finding.pageNumber == nil ? "nothing is printed on it" : "nothing but its number is printed on it"
            return whole(what, isOutlier: reason != nil)
        }
        // The fourth side of a picture may be as light as paper: a sky above a landscape.
        if finding.bledSides == 3 {
            return whole("it is printed up to three of its edges", 0.8, isOutlier: reason != nil)
        }
        if content.size == finding.page.size { return whole("it is printed up to its edges", isOutlier: reason != nil) }
        let why = reason.map { ", since \($0)" } ?? ""
        return Decision(
            box: surround.widened(Box(content), on: finding.page), remark: "trimmed to its own content\(why)",
            confidence: reason == nil ? 0.95 : 0.7,
            isOutlier: reason != nil)
    }
}
