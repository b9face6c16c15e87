internal import PageModel

/// What is known about one page once the whole book has been looked at, in pixels of the page.
struct PageFinding {
    let page: PageReading
    /// The content box: around all that is printed and to be kept; nil when there is nothing.
    let content: PixelRect?
    let pageNumber: PixelRect?
    let head: PixelRect?

    init(_ page: PageReading, numbers: [Candidate], heads: [Candidate], _ options: TrimOptions) {
        self.page = page
        pageNumber = numbers.first?.rect
        head = heads.first?.rect
        var left: Set<Candidate> = []
        if options.leavesOutNumbers { left.formUnion(numbers) }
        if options.leavesOutHeads { left.formUnion(heads) }
        let found = page.candidates + numbers.filter { !page.candidates.contains($0) }
        let kept = found.filter { !left.contains($0) }.map { Bounds($0.rect) }
        let rest = left.isEmpty ? page.whole : page.body
        content = Bounds.union(kept + (rest.map { [Bounds($0)] } ?? []))?.rect
    }

    var isPrinted: Bool { page.kind == .printed && content != nil }

    /// How likely its content box is right: less where it reaches the picture's edge, for what lies there may be no print.
    ///
    /// The one side that a picture does not reach may be as light as paper, a sky above a landscape, unless panels end there.
    var confidence: Double {
        switch bledSides {
        case 0: page.confidence
        case 3: hasFrame ? 0.6 : 0.4
        default: min(page.confidence, 0.6)
        }
    }

    /// Whether panels end on the one side that does not reach the page's edge.
    private var hasFrame: Bool { zip(bleedsOn, page.hasFrames).contains { !$0 && $1 } }

    /// For the left, top, right and bottom, whether the content reaches the page's edge.
    private var bleedsOn: [Bool] {
        guard let content else { return [false, false, false, false] }
        let (near, size) = (max(2, min(page.size.width, page.size.height) / 200), page.size)
        return [
            content.x <= near, content.y <= near, content.x + content.width >= size.width - near,
            content.y + content.height >= size.height - near,
        ]
    }

    /// On how many sides the content reaches the page's edge.
    private var bledSides: Int { bleedsOn.count { $0 } }

    /// Whether it must be asked if the picture goes on as light as paper.
    var mayGoOn: Bool { bledSides == 3 && !hasFrame }

    var bleeds: Bool { bledSides > 0 }
}

/// What is done with one page.
struct TrimDecision {
    /// The crop box: what is kept, with its margins; nil when the page stays whole.
    var box: PixelRect?
    /// Why; a half sentence.
    var remark: String
    /// How likely it is right, 0 to 1.
    var confidence: Double
    /// Whether the page is treated by itself although the book has a box.
    var isOutlier = false
    /// Why its box may be wrong; nil where there is no reason but the confidence.
    var doubt: String?
    /// Why the page stays whole while it has no box; nil where it is not to be trimmed.
    var why: PageLayout.Trimming?

    /// What the page's layout tells of it.
    var trimming: PageLayout.Trimming? { box == nil ? why : .trimmed }

    static func whole(
        _ remark: String, as why: PageLayout.Trimming, _ confidence: Double = 0.9, isOutlier: Bool = false
    ) -> TrimDecision {
        TrimDecision(
            box: nil, remark: "kept whole: \(remark)", confidence: confidence, isOutlier: isOutlier, why: why)
    }

    /// The decision for a page that is only deskewed, or looked at for it.
    static func untrimmed(_ finding: PageFinding) -> TrimDecision {
        let remark =
            switch (finding.page.skew, finding.page.isDeskewed) {
            case (nil, _): "no lines of text to deskew it by"
            case (let skew?, true): "turned by \(skew)°"
            case (_?, false): "its lines are level"
            }
        return TrimDecision(box: nil, remark: remark, confidence: 0.95)
    }

    /// The decision for a page by itself.
    ///
    /// - Parameter reason: why it does not get the book's box; nil where the book has none.
    static func own(_ finding: PageFinding, _ margins: Margins, because reason: String? = nil) -> TrimDecision {
        switch finding.page.kind {
        case .dark: return whole("it is dark or coloured up to its edges", as: .fullBleed, isOutlier: reason != nil)
        case .fullBleed: return whole("the picture fills it", as: .fullBleed, 0.8, isOutlier: reason != nil)
        case .blank, .printed: break
        }
        guard let content = finding.content else {
            let what =
                finding.pageNumber == nil ? "nothing is printed on it" : "nothing but its number is printed on it"
            return whole(what, as: .blank, isOutlier: reason != nil)
        }
        if content.size == finding.page.size {
            return whole("it is printed up to its edges", as: .fullBleed, isOutlier: reason != nil)
        }
        let why = reason.map { ", since \($0)" } ?? ""
        return TrimDecision(
            box: margins.widened(Bounds(content), on: finding.page), remark: "trimmed to its own content\(why)",
            confidence: finding.confidence, isOutlier: reason != nil,
            // The fourth side of a picture may be as light as paper: a sky above a landscape.
            doubt: finding.mayGoOn ? "it is printed up to three of its edges" : nil)
    }

    /// The decision when boxes are cut to only of which so much is sure; a page whose box is less sure stays whole.
    func settled(least: Double) -> TrimDecision {
        guard box != nil, confidence < least else { return self }
        let percent = Int(clamping: (confidence * 100).rounded(), to: 0...100)
        return .whole(
            doubt ?? "what to cut is only \(percent) % sure", as: .doubtful, 1 - confidence, isOutlier: isOutlier)
    }

    /// Pages stay whole when it is less likely that their box is right.
    static let leastConfidence = 0.5
}
