internal import Thumbnails

extension Thumbnail {
    /// The longest side of a page's, in pixels.
    static let pageSide = 256
    /// The longest side of a cover, in pixels.
    static let coverSide = 400
}
