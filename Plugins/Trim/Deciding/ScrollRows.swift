internal import PageModel

/// The limits for the parts of a horizontal scroll.
///
/// Chosen without a measurement: the open corpora have no scroll.
enum ScrollLimits {
    /// The minimum number of consecutive parts: two pages may be a double page.
    static let minimumParts = 3
}

extension Trim {
    /// Gives the parts of a horizontal scroll, such as an emakimono, the same rows: its picture continues from part to part.
    ///
    /// Parts are consecutive pages of one height whose print reaches the left and the right edge. The first and the last one may
    /// have a margin on one side. Dark pages may be such pages as well. A box only grows, so nothing more is cut.
    static func matchScrolls(_ decisions: inout [Int: TrimDecision], _ findings: [Int: PrintFinding], _ pages: [Page]) {
        var start = 0
        while start < pages.count {
            var end = start
            while end + 1 < pages.count, continues(from: end, isFirst: end == start, findings, pages) { end += 1 }
            if end - start + 1 >= ScrollLimits.minimumParts { match(start...end, &decisions, findings) }
            start = end + 1
        }
    }

    /// Whether the picture may continue from a page to the next one.
    private static func continues(
        from index: Int, isFirst: Bool, _ findings: [Int: PrintFinding], _ pages: [Page]
    ) -> Bool {
        guard let one = findings[index], let next = findings[index + 1], pages[index].book == pages[index + 1].book,
            !pages[index].facesNextPage, one.page.size.height == next.page.size.height
        else { return false }
        let isWithin = one.bleedsOn[0] && one.bleedsOn[2]
        return (isWithin || isFirst && one.bleedsOn[0] != one.bleedsOn[2]) && (next.bleedsOn[0] || next.bleedsOn[2])
    }

    private static func match(
        _ parts: ClosedRange<Int>, _ decisions: inout [Int: TrimDecision], _ findings: [Int: PrintFinding]
    ) {
        let heights = parts.compactMap { findings[$0]?.page.size.height }
        let whole = heights.max() ?? 0
        let boxes = parts.map { decisions[$0]?.box }
        let top = boxes.map { $0?.y ?? 0 }.min() ?? 0
        let bottom = boxes.map { $0.map { $0.y + $0.height } ?? whole }.max() ?? whole
        for part in parts {
            guard let box = decisions[part]?.box, box.y != top || box.y + box.height != bottom else { continue }
            decisions[part]?.box = PixelRect(x: box.x, y: top, width: box.width, height: bottom - top)
            if let remark = decisions[part]?.remark {
                decisions[part]?.remark =
                    "\(remark); to the same rows as the pages next to it, because all reach the side edges"
            }
        }
    }
}
