internal import LayoutAnalysis
internal import PageModel

/// The limits of print at the edges of a page on a table.
enum TablePageLimits {
    /// The maximum distance of print from the left or right edge of the page at which the box includes the edge, in letter
    /// heights. Print may run over the fold of a leaf.
    ///
    /// On five photographs of folded leaves with half characters outside of the box, it ended up to 0.5 letters from the
    /// edge.
    static let foldDistance = 1.0
}

extension TablePhotograph {
    /// Returns the part of a box that is on the page, and up to the edge of a leaf if it nearly reaches it.
    ///
    /// The outermost part of the page is not analyzed, because it may show some of the table.
    ///
    /// - Parameter letter: the height of letters in pixels; nil on a page without text.
    func box(_ printed: Bounds, in size: PixelSize, letter: Double?) -> Bounds {
        guard let page = box(in: size), let leaf = boxWithRim(in: size), page.intersects(printed) else {
            return printed
        }
        var box = printed.intersection(page)
        guard let letter else { return box }
        let reach = Int(clamping: TablePageLimits.foldDistance * letter, to: 0...size.width)
        if box.left - page.left <= reach { box.left = leaf.left }
        if page.right - box.right <= reach { box.right = leaf.right }
        return box
    }
}
