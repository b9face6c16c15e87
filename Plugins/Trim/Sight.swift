internal import PageModel

/// What came of looking at a page.
enum Sight: Sendable {
    case seen(SeenPage)
    /// It cannot be judged: why stands in the layout.
    case unseen(PageLayout)

    var page: SeenPage? { if case .seen(let page) = self { page } else { nil } }
    var layout: PageLayout? { if case .unseen(let layout) = self { layout } else { nil } }

    /// - Parameter damage: what is wrong with the page's data; nil when that will show anyway.
    static func unseen(because reason: String, damage: String? = nil) -> Sight {
        .unseen(
            PageLayout(
                content: nil, confidence: 0, remark: "kept whole: \(reason)", isOutlier: true, damage: damage))
    }
}
