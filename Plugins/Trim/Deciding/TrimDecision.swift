internal import LayoutAnalysis
internal import PageModel

/// The finding for one page after the analysis of the whole book, in pixels of the page.
struct PrintFinding {
    let page: PageReading
    /// The content box around all printed content to keep; nil if the page has no such content.
    let content: PixelRect?
    let pageNumber: PixelRect?
    let head: PixelRect?
    /// The box around the words that the pixels do not show to be print; nil without such words.
    private let words: Bounds?

    /// - Parameter strays: the marks above its head or number. They are left out with it.
    init(
        _ page: PageReading, numbers: [Candidate], heads: [Candidate], strays: [Candidate], _ options: TrimOptions
    ) {
        self.page = page
        pageNumber = numbers.first?.rect
        head = heads.first?.rect
        var left: Set<Candidate> = []
        if options.leavesOutNumbers { left.formUnion(numbers) }
        if options.leavesOutHeads { left.formUnion(heads) }
        if !left.isEmpty { left.formUnion(strays) }
        let found = page.candidates + numbers.filter { !page.candidates.contains($0) }
        let kept = found.filter { !left.contains($0) }.map { Bounds($0.rect(without: left)) }
        let rest = left.isEmpty ? page.whole : page.body
        var shown = Bounds.union(kept + (rest.map { [Bounds($0)] } ?? []))
        // Nothing else is left out, also no dirt that may be print.
        if let whole = page.whole.map({ Bounds($0) }), let box = shown, !left.isEmpty {
            if !left.contains(where: \.isAtTop) { shown?.top = min(box.top, whole.top) }
            if left.allSatisfy(\.isAtTop) { shown?.bottom = max(box.bottom, whole.bottom) }
        }
        words = Bounds.union(
            page.words.outside(
                shown, leavingOut: left.map { Bounds($0.rect) }, leavesOutNumbers: options.leavesOutNumbers))
        // A page that looks blank stays whole rather than being cropped to a single word.
        content = page.kind == .printed ? Bounds.union([shown, words].compactMap(\.self))?.rect : shown?.rect
    }

    /// Whether a crop box leaves out a word on a page without content.
    func losesWords(with box: Bounds) -> Bool { content == nil && words.map { !box.contains($0) } ?? false }

    var isPrinted: Bool { page.kind == .printed && content != nil }

    /// The probability that its content box is right. It is lower if the box reaches the image's edge, where dark areas may not
    /// be print.
    ///
    /// The one side that an image does not reach may be as light as paper, like a sky above a landscape. Panels that end there
    /// rule this out.
    var confidence: Double { doubt.map { ConfidenceLimits.probability($0) } ?? page.confidence }

    /// The doubt about its content box; nil without one.
    var doubt: PageLayout.Doubt? {
        words == nil ? doubtOfPixels : PrintFinding.stronger(doubtOfPixels, .unseenWords)
    }

    private var doubtOfPixels: PageLayout.Doubt? {
        switch bledSides {
        case 0: page.doubt
        case ConfidenceLimits.sidesOfFadingImage: hasFrame ? .edge : .openArt
        default: PrintFinding.stronger(page.doubt, fillsScan ? .filledScan : .edge)
        }
    }

    /// Whether it is a scan of text, and its content is nearly as large as the image.
    private var fillsScan: Bool {
        guard page.isScan, page.letterHeight != nil, let content else { return false }
        return Double(content.size.area) >= ConfidenceLimits.filledShare * Double(page.size.area)
    }

    /// Returns the doubt with the lower probability.
    private static func stronger(_ one: PageLayout.Doubt?, _ other: PageLayout.Doubt) -> PageLayout.Doubt {
        guard let one, ConfidenceLimits.probability(one) < ConfidenceLimits.probability(other) else { return other }
        return one
    }

    /// Whether panels end on the one side that does not reach the page's edge.
    private var hasFrame: Bool { zip(bleedsOn, page.hasFrames).contains { !$0 && $1 } }

    /// For the left, top, right and bottom, whether the content reaches the page's edge.
    var bleedsOn: [Bool] {
        guard let content else { return [false, false, false, false] }
        let (near, size) = (max(2, min(page.size.width, page.size.height) / ConfidenceLimits.edgeDivisor), page.size)
        return [
            content.x <= near, content.y <= near, content.x + content.width >= size.width - near,
            content.y + content.height >= size.height - near,
        ]
    }

    /// The number of sides on which the content reaches the page's edge.
    private var bledSides: Int { bleedsOn.count { $0 } }

    /// Whether the image may continue in an area as light as paper.
    var mayContinue: Bool { bledSides == ConfidenceLimits.sidesOfFadingImage && !hasFrame }

    var bleeds: Bool { bledSides > 0 }

    /// Whether the print of a page on that side of a spread reaches the other page.
    func reachesFold(_ side: Side) -> Bool { bleedsOn[side == .left ? 2 : 0] }
}

/// The decision for one page.
struct TrimDecision {
    /// The crop box, with its margins; nil if the page is not cropped.
    var box: PixelRect?
    /// The reason, a sentence fragment.
    var remark: Message
    /// The probability that it is right, 0 to 1.
    var confidence: Double
    /// The doubt about the box; nil without one.
    var doubt: PageLayout.Doubt?
    /// Whether the page is treated separately although the book has a box.
    var isOutlier = false
    /// The reason that its box may be wrong; nil if the confidence is the only reason.
    var uncertainty: Message?
    /// The reason for not cropping a page without a box; nil if it is not to be trimmed.
    var why: PageLayout.Trimming?

    /// The entry in the page's layout.
    var trimming: PageLayout.Trimming? { box == nil ? why : .trimmed }

    static func whole(
        _ remark: Message, as why: PageLayout.Trimming, _ confidence: Double = ConfidenceLimits.whole,
        isOutlier: Bool = false, doubt: PageLayout.Doubt? = nil
    ) -> TrimDecision {
        TrimDecision(
            box: nil, remark: "kept whole: \(remark)", confidence: confidence, doubt: doubt, isOutlier: isOutlier,
            why: why)
    }

    /// Returns the decision for a page that is only deskewed, or analyzed for it.
    static func untrimmed(_ finding: PrintFinding) -> TrimDecision {
        let remark: Message =
            switch (finding.page.skew, finding.page.isDeskewed) {
            case (nil, _): "no lines of text to deskew it by"
            case (let skew?, true): "rotated by \(skew)°"
            case (_?, false): "its lines are level"
            }
        return TrimDecision(box: nil, remark: remark, confidence: ConfidenceLimits.untrimmed)
    }

    /// Returns the decision for a page by itself.
    ///
    /// - Parameters:
    ///   - shared: the crop box of other pages, which it keeps as well. It may extend beyond the page.
    ///   - reason: the reason that it does not get the book's box. Nil if the book has no box.
    static func own(
        _ finding: PrintFinding, _ margins: Margins, and shared: Bounds? = nil, because reason: Message? = nil
    ) -> TrimDecision {
        switch finding.page.kind {
        case .dark:
            return whole(
                "it is dark or colored up to its edges", as: .fullBleed, isOutlier: reason != nil, doubt: .fullPage)
        case .fullBleed:
            return whole(
                "the image fills it", as: .fullBleed, ConfidenceLimits.edge, isOutlier: reason != nil,
                doubt: .fullPage)
        case .blank, .printed: break
        }
        guard let content = finding.content else {
            let what: Message =
                finding.pageNumber == nil ? "nothing is printed on it" : "nothing but its number is printed on it"
            return whole(what, as: .blank, isOutlier: reason != nil)
        }
        if content.size == finding.page.size {
            return whole("it is printed up to its edges", as: .fullBleed, isOutlier: reason != nil, doubt: .edge)
        }
        let own = margins.widened(Bounds(content), on: finding.page)
        let box = shared.map { Bounds(own).union($0.clamped(to: finding.page.size)).rect } ?? own
        return TrimDecision(
            box: box,
            remark: reason.map { reason in
                box == own
                    ? "trimmed to its own content, because \(reason)"
                    : "trimmed to its own content and the book's box, because \(reason)"
            } ?? "trimmed to its own content",
            confidence: finding.confidence, doubt: finding.doubt, isOutlier: reason != nil,
            // The fourth side of an image may be as light as paper: a sky above a landscape.
            uncertainty: finding.mayContinue ? "it is printed up to three of its edges" : nil)
    }

    /// Returns this decision, or "not cropped" if its confidence is below `minimum`. The confidence stays that of the box.
    func applyingThreshold(minimum: Double) -> TrimDecision {
        guard box != nil, confidence < minimum else { return self }
        let percent = Int(clamping: (confidence * 100).rounded(), to: 0...100)
        return .whole(
            uncertainty ?? "only \(percent) % sure of its box", as: .doubtful, confidence, isOutlier: isOutlier,
            doubt: doubt)
    }
}
