package import PageModel

/// A small item at the top or bottom of a page, separate from the rest: possibly its page number or running head.
package struct Candidate: Hashable, Sendable {
    /// The rectangle in pixels of the page.
    package let rect: PixelRect
    /// The rectangle without rules, which may be wider than it.
    private let core: PixelRect
    package let isAtTop: Bool
    /// Whether its blobs are few and narrow enough for a number.
    package let isNumberLike: Bool
    /// The shape of its words; nil if it was not analyzed.
    let shape: LineShape?
    /// The shape of its longest piece, if it consists of several.
    let mainShape: LineShape?
    /// Whether it is as near to the text as a line of it. It is a head or number only if it repeats on other pages, and content
    /// otherwise.
    let isClose: Bool
    /// Whether the text's lines extend beyond it on both sides, and whether it is short and centered over them.
    let (isInset, isCentered): (Bool, Bool)
    /// Whether its distance from the text is more than that between lines.
    let isSeparate: Bool
    /// Whether it is the only item in its line, at the right end of it.
    let isAtRightEnd: Bool
    /// Whether it is the only item in its line, and digits between brackets with blanks.
    let isInBrackets: Bool
    /// Whether it is in the middle of its line with a separate number at one end.
    ///
    /// This is unusual for a line of text or a table.
    let isWithNumber: Bool
    /// Whether the gap between a number and a head is so small that it may be a word space.
    let isTight: Bool
    /// Whether its line stands apart from the text, and whether the line is set like those of the text.
    let (standsApart, isLikeText): (Bool, Bool)
    /// Whether the lines below fill the text from edge to edge.
    let isAboveFullLines: Bool
    /// Whether another number is above its line.
    let isBelowNumber: Bool

    /// - Parameters:
    ///   - strip: the item in pixels of the preview.
    ///   - rect: its rectangle in pixels of the page.
    ///   - core: that of `TextLineItem.core`.
    package init(_ strip: TextLineItem, rect: PixelRect, core: PixelRect? = nil) {
        (self.rect, self.core) = (rect, core ?? rect)
        (isAtTop, isNumberLike) = (strip.isAtTop, strip.isNumberLike)
        (shape, mainShape) = (strip.shape, strip.mainShape)
        isClose = !strip.blobs.isEmpty
        (isInset, isCentered, isSeparate) = (strip.isInset, strip.isCentered, strip.isSeparate)
        (isAtRightEnd, isWithNumber, isTight) = (strip.isAtRightEnd, strip.isWithNumber, strip.isTight)
        (standsApart, isLikeText) = (strip.standsApart, strip.isLikeText)
        isAboveFullLines = strip.isAboveFullLines
        (isBelowNumber, isInBrackets) = (strip.isBelowNumber, strip.isInBrackets)
    }

    /// Whether it is in the same line.
    func isOnSameLine(as other: Candidate) -> Bool { Bounds(rect).isOnSameLine(as: Bounds(other.rect)) }

    /// Whether it is a number found in the line of a head, or a little lower.
    func isNext(to head: Candidate) -> Bool {
        isClose && head.isClose && isNumberLike && !head.isNumberLike && (isBelowNumber || !head.isBelowNumber)
    }

    /// Returns the rectangle, without the rules that extend to the other items of its line if those are left out.
    package func rect(without others: Set<Candidate>) -> PixelRect {
        guard others.contains(where: { $0.isNext(to: self) }) else { return rect }
        return PixelRect(x: core.x, y: rect.y, width: core.width, height: rect.height)
    }

    /// Whether it may have the same words, or the same longest piece: specks may be next to it.
    func isLike(_ other: Candidate, correlation: Float) -> Bool {
        guard isAtTop == other.isAtTop, let shape, let otherShape = other.shape else { return false }
        if shape.isLike(otherShape, correlation: correlation) { return true }
        guard mainShape != nil || other.mainShape != nil else { return false }
        return (mainShape ?? shape).isLike(other.mainShape ?? otherShape, correlation: correlation)
    }
}
