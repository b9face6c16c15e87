internal import Marks
internal import PageModel

/// A small item at the top or bottom of a page, separate from the rest: possibly its page number or running head.
struct Candidate: Hashable, Sendable {
    /// The rectangle in pixels of the page.
    var rect: PixelRect
    var isAtTop: Bool
    /// Whether its blobs are few and narrow enough for a number.
    var isNumberLike: Bool
    /// The shape of its words; nil if it was not analyzed.
    var shape: LineShape?
    /// The shape of its longest piece, if it consists of several.
    var mainShape: LineShape?
    /// Whether it is as near to the text as a line of it. It is a head or number only if it repeats on other pages, and content
    /// otherwise.
    var isClose = false
    /// Whether the text's lines extend beyond it on both sides, and whether it is short and centered over them.
    var (isInset, isCentered) = (false, false)
    /// Whether its distance from the text is more than that between lines.
    var isSeparate = false
    /// Whether it is the only item in its line, at the right end of it.
    var isAtRightEnd = false
    /// Whether it is in the middle of its line with a separate number at one end.
    ///
    /// This is unusual for a line of text or a table.
    var isWithNumber = false
    /// Whether the gap between a number and a head is so small that it may be a word space.
    var isTight = false

    /// Whether it is in the same line.
    func isOnSameLine(as other: Candidate) -> Bool { Bounds(rect).isOnSameLine(as: Bounds(other.rect)) }

    /// Whether it may have the same words, or the same longest piece: specks may be next to it.
    func isLike(_ other: Candidate) -> Bool {
        guard isAtTop == other.isAtTop, let shape, let otherShape = other.shape else { return false }
        if shape.isLike(otherShape) { return true }
        guard mainShape != nil || other.mainShape != nil else { return false }
        return (mainShape ?? shape).isLike(other.mainShape ?? otherShape)
    }
}
