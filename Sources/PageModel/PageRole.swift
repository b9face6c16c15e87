/// The type of a page in its book, in the words of ComicInfo.xml (`Page/@Type`).
public enum PageRole: String, Hashable, Sendable, CaseIterable {
    case frontCover = "FrontCover"
    case innerCover = "InnerCover"
    /// A summary of the story so far.
    case roundup = "Roundup"
    case story = "Story"
    case advertisement = "Advertisement"
    case editorial = "Editorial"
    case letters = "Letters"
    case preview = "Preview"
    case backCover = "BackCover"
    case other = "Other"
    /// A page that reading apps with support for this type do not show.
    case deleted = "Deleted"
}
