internal import PageModel

/// Something small at the top or bottom of a page, apart from the rest: its page number or running head, perhaps.
struct Candidate: Hashable, Sendable {
    /// In pixels of the page.
    var rect: PixelRect
    var isAtTop: Bool
    /// Few and narrow enough to be a number.
    var isNumberLike: Bool
    /// What its words look like; nil where that was not looked at.
    var shape: LineShape?
    /// That of the longest of its pieces, where it falls into some.
    var mainShape: LineShape?
    /// Whether it stands as near to the text as a line of it: it is furniture only if it comes back, and content else.
    var isClose = false
    /// Whether the text's lines go on at both sides of it, and whether it is short and stands in their middle.
    var (isInset, isCentred) = (false, false)
    /// Whether it stands further from the text than its lines from each other.
    var isApart = false
    /// Whether it is all of its line, and stands at the right end of it.
    var isAtRightEnd = false
    /// Whether it stands in the middle of its line, and a number apart from it at one end, as hardly a line of a text or a
    /// table does.
    var isWithNumber = false
    /// Whether so little parts a number from a head that it may as well be the space between two words.
    var isTight = false

    /// Whether it lies in the same line.
    func isBeside(_ other: Candidate) -> Bool { Bounds(rect).isBeside(Bounds(other.rect)) }

    /// Whether the same words may stand there, or the same longest piece: specks may lie beside it.
    func isLike(_ other: Candidate) -> Bool {
        guard isAtTop == other.isAtTop, let shape, let otherShape = other.shape else { return false }
        if shape.isLike(otherShape) { return true }
        guard mainShape != nil || other.mainShape != nil else { return false }
        return (mainShape ?? shape).isLike(other.mainShape ?? otherShape)
    }
}
