internal import PageModel

/// Something small at the top or bottom of a page, apart from the rest: perhaps its number or its running head.
struct Candidate: Hashable, Sendable {
    /// In pixels of the page.
    var rect: PixelRect
    var isAtTop: Bool
    /// Few and narrow enough to be a number.
    var isNumberLike: Bool
}
