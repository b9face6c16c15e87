internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

/// The limits of the marks on the contact sheet. They affect no crop; no measurement is recorded.
enum MarkLimits {
    /// The maximum number of printed parts of a page: more than a page of text has lines.
    static let maximumPrinted = 300
    /// The maximum number of marks of each other kind: a page of screentone has a hundred thousand.
    static let maximumOfKind = 100
    /// The share of its box that a hollow mark covers less than.
    static let hollowCover = Ratio(1, 4)
    /// The shorter side that a hollow mark has more than, in units of 1/620 of the page's shorter side: a smaller box
    /// hides nothing.
    static let minimumHollowSize = 20.0
    /// The maximum size of a speck, in letter heights; a larger mark is a streak.
    static let maximumSpeckSize = 8.0
}

/// A dark mark on a page and its classification. The contact sheet shows it, so that people see the reason for a crop.
struct Mark: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case print
        /// A mark at the image's edge, or outside the paper.
        case edge
        /// A streak, a ruler, a chart, or letters of the facing page.
        case streak
        /// A mark with edges too soft for print: a stain, a shadow, show-through.
        case stain
        /// An isolated or too small mark.
        case speck

        /// The text for a person.
        var label: Message {
            switch self {
            case .print: "print"
            case .edge: "at or beyond the edge of the paper"
            case .streak: "streak, ruler, chart or facing page"
            case .stain: "stain, shade or other side"
            case .speck: "speck"
            }
        }
    }

    let kind: Kind
    /// The box in pixels of the page.
    let box: PixelRect
    /// Whether it fills little of its box, which may contain other marks: for example two edges of the paper.
    var isHollow = false
}

extension RasterReading {
    /// Returns the printed marks, group by group, and the others, the largest of each kind.
    ///
    /// - Parameter preview: the mapping of pixels to the page.
    func marks(_ preview: PagePreview) -> [Mark] {
        let printed = printedParts.sorted { ($0.extent, $1.top, $1.left) > ($1.extent, $0.top, $0.left) }.prefix(
            MarkLimits.maximumPrinted
        )
        .map { Mark(kind: .print, box: preview.page($0.rect)) }
        let rest = ink.blobs.indices.filter { ink.blobs[$0].group < 0 && Double(ink.blobs[$0].box.extent) >= 2 * unit }
        let kinds = Dictionary(grouping: rest) { kind(of: $0) }
        return Mark.Kind.allCases.flatMap { kind in
            (kinds[kind] ?? []).sorted { (ink.blobs[$0].box.extent, $1) > (ink.blobs[$1].box.extent, $0) }
                .prefix(MarkLimits.maximumOfKind).map { index in
                    let blob = ink.blobs[index]
                    return Mark(
                        kind: kind, box: preview.page(blob.box.rect),
                        isHollow: blob.area.isLess(than: MarkLimits.hollowCover, of: blob.box.width * blob.box.height)
                            && Double(min(blob.box.width, blob.box.height)) > MarkLimits.minimumHollowSize * unit)
                }
        } + printed
    }

    /// The boxes of the printed parts: of each row of letters, if the page has rows.
    private var printedParts: [Bounds] {
        guard let classifier else { return groups.map(\.box) }
        let printed = ink.blobs.indices.filter {
            ink.blobs[$0].group >= 0 && classifier.rows.number.indices.contains($0)
        }
        return Dictionary(grouping: printed) { classifier.rows.number[$0] }.values
            .compactMap { Bounds.union($0.map { ink.blobs[$0].box }) }
    }

    /// Returns the reason that a blob is not print.
    private func kind(of blob: Int) -> Mark.Kind {
        let box = ink.blobs[blob].box
        if box.touchesEdge(of: size) { return .edge }
        guard let classifier, classifier.roles.indices.contains(blob) else { return .speck }
        if classifier.isOutsidePaper[blob] { return .edge }
        if !classifier.isFree[blob] || Double(box.extent) > MarkLimits.maximumSpeckSize * classifier.letter {
            return .streak
        }
        return classifier.sharpness(blob) < SharpnessLimits.punctuation ? .stain : .speck
    }
}
