internal import LayoutAnalysis
internal import PageModel

/// The limits of the classes of pages that share a box.
///
/// Chosen on three synthetic books. The boxes of their sides, with margins, have at most 1.06 times the area of the
/// union of all content. No separate measurement of these values is recorded.
enum BookBoxesLimits {
    /// The minimum number of pages of a class with a box; in a smaller class each page gets its own.
    static let minimumPages = 4
    /// The maximum difference in size between pages of one scan, as a share of the size.
    static let sizeTolerance = 0.02
    /// The share of the page by which an outlier's content reaches further out than that of nearly all others.
    static let outlierReach = 0.02
    /// The maximum share of outliers on one side of a class; if there are more, they are the rule.
    static let maximumOutliers = 0.1
    /// The distance between the boxes of left and right pages, as a share of the width, from which they are mirrored.
    static let mirroredShift = 0.01
}

/// The crop boxes that the pages of a book share.
///
/// Pages of one size, or of one size and side, form a class. A class has one box around the content of all its pages except the
/// outliers, whose content reaches much further out. An outlier gets the union of that box and its own, because it
/// may have only a small mark. So does a page of a rare size, with the box of most pages scaled to its size.
struct BookBoxes {
    let decisions: [Int: TrimDecision]
    /// The share of the printed pages that got the book's box.
    let share: Double
    /// The median ratio of the shared boxes' areas to those of the pages' own boxes, 1 and more.
    let excess: Double
    /// Whether left and right pages have their content at different places.
    let isMirrored: Bool

    /// - Parameters:
    ///   - findings: the findings by the pages' indexes.
    ///   - isLeft: for each page, whether it is a left one. Nil to give both sides one box.
    init(_ findings: [Int: PrintFinding], isLeft: [Bool]?, _ margins: Margins) {
        var decisions: [Int: TrimDecision] = [:]
        var (shared, printed) = (0, 0)
        var ratios: [Double] = []
        var isMirrored = false
        var (rare, usual) = ([Int](), [UsualBox]())
        for pages in BookBoxes.sizes(findings) {
            let regular = pages.filter { findings[$0].map { $0.isPrinted && !$0.bleeds } ?? false }
            printed += pages.count { findings[$0]?.isPrinted ?? false }
            // A wide page is a whole spread without a side.
            let isWide = pages.first.flatMap { findings[$0]?.page.size }.map { $0.isWide() } ?? false
            let sides =
                (isWide ? nil : isLeft).map { isLeft in
                    [regular.filter { isLeft[$0] }, regular.filter { !isLeft[$0] }]
                } ?? [regular]
            guard sides.allSatisfy({ $0.count >= BookBoxesLimits.minimumPages }) else {
                rare += pages
                continue
            }
            var boxes = sides.map { BookBoxes.box(around: $0, findings) }
            if boxes.count == 2 {
                let width = Double(findings[pages[0]]?.page.size.width ?? 1)
                isMirrored =
                    isMirrored || abs(Double(boxes[0].left - boxes[1].left)) > BookBoxesLimits.mirroredShift * width
                    || abs(Double(boxes[0].right - boxes[1].right)) > BookBoxesLimits.mirroredShift * width
                // Two pages of a spread belong together.
                let both = boxes[0].union(boxes[1])
                for side in 0..<2 { (boxes[side].top, boxes[side].bottom) = (both.top, both.bottom) }
            }
            // All pages are cropped by the same amount, so that the text does not jump from page to page.
            let sizes = pages.compactMap { findings[$0]?.page.size }
            let smallest = PixelSize(
                width: sizes.map(\.width).min() ?? 0, height: sizes.map(\.height).min() ?? 0)
            let wider = findings[regular[0]].map { margins.shared(boxes, on: $0.page, whole: smallest) } ?? boxes
            if let box = Bounds.union(wider) { usual.append(UsualBox(box: box, size: smallest, count: regular.count)) }
            for page in pages {
                guard let finding = findings[page] else { continue }
                let side = boxes.count == 2 && isLeft?[page] == false ? 1 : 0
                let decision = BookBoxes.decide(finding, boxes[side], wider[side], margins, isSides: boxes.count == 2)
                if finding.isPrinted && !decision.isOutlier {
                    shared += 1
                    let own = finding.content.map { margins.widened(Bounds($0), on: finding.page).size.area } ?? 0
                    ratios.append(Double(decision.box?.size.area ?? own) / Double(max(1, own)))
                }
                decisions[page] = decision
            }
        }
        for page in rare {
            guard let finding = findings[page] else { continue }
            let box = UsualBox.box(on: finding.page.size, among: usual)
            decisions[page] = .own(finding, margins, and: box, because: "few pages are of its size")
        }
        self.decisions = decisions
        self.isMirrored = isMirrored
        excess = ratios.isEmpty ? 1 : ratios.median
        share = printed == 0 ? 0 : Double(shared) / Double(printed)
    }

    /// - Parameters:
    ///   - box: the content box of the page's class.
    ///   - wider: the crop box made from it.
    private static func decide(
        _ finding: PrintFinding, _ box: Bounds, _ wider: Bounds, _ margins: Margins, isSides: Bool
    ) -> TrimDecision {
        if finding.page.kind == .dark || finding.page.kind == .fullBleed { return .own(finding, margins, because: "") }
        let page = Bounds(left: 0, top: 0, right: finding.page.size.width, bottom: finding.page.size.height)
        if let content = finding.content {
            if finding.bleeds && !box.contains(Bounds(content)) {
                return .own(finding, margins, and: wider, because: "it is printed up to an edge")
            }
            if !box.contains(Bounds(content)) {
                return .own(finding, margins, and: wider, because: "it reaches beyond the book's box")
            }
        }
        if finding.losesWords(with: wider) {
            return .whole("its words reach beyond the book's box", as: .doubtful, isOutlier: true)
        }
        guard page.contains(box) else {
            return .own(finding, margins, and: wider, because: "the page is smaller than the book's box")
        }
        let whose = isSides ? "the box of its side" : "the book's box"
        return TrimDecision(
            box: Bounds(
                left: wider.left, top: wider.top, right: min(wider.right, page.right),
                bottom: min(wider.bottom, page.bottom)
            ).rect, remark: "trimmed to \(whose)",
            // A page that agrees with the other pages was analyzed as reliably as they were.
            confidence: finding.content == nil
                ? ConfidenceLimits.shared : max(ConfidenceLimits.shared, finding.confidence),
            doubt: finding.doubt)
    }

    /// Returns the indexes of the pages by size, those of each class in order. A page is compared with the first of a class.
    private static func sizes(_ findings: [Int: PrintFinding]) -> [[Int]] {
        var classes: [(size: PixelSize, pages: [Int])] = []
        for page in findings.keys.sorted() {
            guard let size = findings[page]?.page.size else { continue }
            func isNear(_ one: Int, _ other: Int) -> Bool {
                Double(abs(one - other)) <= BookBoxesLimits.sizeTolerance * Double(max(one, other))
            }
            let place = classes.firstIndex {
                isNear($0.size.width, size.width) && isNear($0.size.height, size.height)
            }
            if let place { classes[place].pages.append(page) } else { classes.append((size, [page])) }
        }
        return classes.map(\.pages)
    }

    /// Returns the box around the content of pages, except where the content of outliers reaches further.
    private static func box(around pages: [Int], _ findings: [Int: PrintFinding]) -> Bounds {
        let boxes = pages.compactMap { findings[$0]?.content.map { Bounds($0) } }
        let sizes = pages.compactMap { findings[$0]?.page.size }
        let width = sizes.map(\.width).max() ?? 1
        let height = sizes.map(\.height).max() ?? 1
        return Bounds(
            left: outermost(boxes.map(\.left), width), top: outermost(boxes.map(\.top), height),
            right: -outermost(boxes.map { -$0.right }, width), bottom: -outermost(boxes.map { -$0.bottom }, height))
    }

    /// Returns the outermost value that is not an outlier's; outer values are the smaller ones.
    ///
    /// - Parameters:
    ///   - length: the length of the page.
    ///   - reach: the share of it by which an outlier exceeds nearly all others.
    static func outermost(_ values: [Int], _ length: Int, reach: Double = BookBoxesLimits.outlierReach) -> Int {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return 0 }
        let outliers = (Double(sorted.count) * BookBoxesLimits.maximumOutliers).rounded(.down)
        let reference = sorted[Int(clamping: outliers, to: min(1, last)...last)]
        let limit = Double(reference) - reach * Double(length)
        return sorted.first { Double($0) >= limit } ?? reference
    }
}

/// The box of a class of pages, around both sides.
private struct UsualBox {
    let box: Bounds
    let size: PixelSize
    let count: Int

    /// Returns the box of the largest class, scaled to a page of another size; nil if no class has pages of its orientation.
    static func box(on page: PixelSize, among usual: [UsualBox]) -> Bounds? {
        let alike = usual.filter { $0.size.isWide() == page.isWide() && $0.size.width > 0 && $0.size.height > 0 }
        guard let most = alike.max(by: { $0.count < $1.count }) else { return nil }
        func scaled(_ place: Int, _ from: Int, _ to: Int) -> Int { place * to / from }
        return Bounds(
            left: scaled(most.box.left, most.size.width, page.width),
            top: scaled(most.box.top, most.size.height, page.height),
            right: scaled(most.box.right, most.size.width, page.width),
            bottom: scaled(most.box.bottom, most.size.height, page.height))
    }
}
