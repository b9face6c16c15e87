/// How much is looked at to find out in which direction a book is read, and how sure it must be.
///
/// Measured on 12 books of 5 to 46 pages, of which four are read from right to left: with these limits none was taken for
/// what it is not.
struct DirectionLimits: Sendable {
    /// Pages, spread over the book: a page of 2 megapixels takes about 30 ms of one core.
    var pages = 16
    /// Pixels: previews are not reduced below this length of their shorter side, where a sign of a dense page is 8 pixels
    /// high.
    var pixels = 600
    /// Pages that must agree. A single sheet with a table or a caption tells nothing of a book.
    var agreeing = 3
    /// Of the pages that tell anything, the share that must agree.
    var share = 0.75
    /// Pages whose numbers must agree, since other numbers stand in corners as well.
    var numbers = 5
    /// Characters: a page with fewer tells nothing by its text.
    var characters = 20
    /// Of a page's characters, the share that must run in one direction.
    var shareOfCharacters = 0.8
    /// How far from the top or the bottom a page's number stands, at most, as a share of the height.
    var band = 0.16
    /// How far from its side a number stands that is no number in the middle, at most, as a share of the width.
    var outer = 0.4
}
