internal import AdapterKit
internal import PageModel

/// What is kept around what is printed.
struct Surround: Equatable, Sendable {
    var margin: Margin
    /// Width to height that boxes are brought to by widening them, as far as the page goes; nil for any.
    var aspect: Double?

    /// A box with what is to be kept around it. Nothing of it is ever cut.
    func widened(_ box: Box, on page: SeenPage) -> PixelRect {
        let (across, down) = margin.pixels(around: box.rect.size, page.resolution) ?? (0, 0)
        var wider = Box(
            left: max(0, box.left - across), top: max(0, box.top - down),
            right: min(page.size.width, box.right + across), bottom: min(page.size.height, box.bottom + down))
        guard let aspect else { return wider.rect }
        let width = Int(min(1e9, (Double(wider.height) * aspect).rounded()))
        let height = Int(min(1e9, (Double(wider.width) / aspect).rounded()))
        (wider.left, wider.right) = Surround.stretched(wider.left, wider.right, to: width, within: page.size.width)
        (wider.top, wider.bottom) = Surround.stretched(wider.top, wider.bottom, to: height, within: page.size.height)
        return wider.rect
    }

    /// Boxes for pages that are alike, with what is to be kept around them: all of one size, and from the same top to the
    /// same bottom.
    ///
    /// They begin where the pages can be cut without loss. Rather than to keep more for that, up to half a margin is
    /// moved from one side to the other.
    ///
    /// - Parameter whole: the size that all of the pages have at least.
    func shared(_ boxes: [Box], on page: SeenPage, whole: PixelSize) -> [Box] {
        guard let all = Box.union(boxes), let widest = boxes.max(by: { $0.width < $1.width }) else { return [] }
        let size = PixelSize(width: widest.width, height: all.height)
        let (across, down) = margin.pixels(around: size, page.resolution) ?? (0, 0)
        let columns = boxes.map { Span($0.left, $0.right, margin: across, within: whole.width) }
        let rows = [Span(all.top, all.bottom, margin: down, within: whole.height)]
        var (width, height) = (columns.map(\.length).max() ?? 0, rows[0].length)
        if let aspect {
            let wanted = (Double(height) * aspect, Double(width) / aspect)
            width = min(max(width, Int(min(1e9, wanted.0.rounded()))), whole.width)
            height = min(max(height, Int(min(1e9, wanted.1.rounded()))), whole.height)
        }
        let lefts = Span.starts(
            columns, length: &width, step: page.grid?.step.width ?? 1, first: page.grid?.first.x ?? 0)
        let tops = Span.starts(rows, length: &height, step: page.grid?.step.height ?? 1, first: page.grid?.first.y ?? 0)
        return lefts.map { Box(left: $0, top: tops[0], right: $0 + width, bottom: tops[0] + height) }
    }

    /// A span made so long, on both sides alike where there is room; one that is longer stays.
    private static func stretched(_ start: Int, _ end: Int, to wanted: Int, within whole: Int) -> (Int, Int) {
        let length = min(max(wanted, end - start), whole)
        let first = max(0, min(start - (length - (end - start)) / 2, whole - length))
        return (first, first + length)
    }
}
