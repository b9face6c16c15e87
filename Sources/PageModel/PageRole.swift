/// What a page is for in its book, in the words of ComicInfo.xml (`Page/@Type`).
public enum PageRole: String, Hashable, Sendable, CaseIterable {
    case frontCover = "FrontCover"
    case innerCover = "InnerCover"
    /// A summary of what happened before.
    case roundup = "Roundup"
    case story = "Story"
    case advertisement = "Advertisement"
    case editorial = "Editorial"
    case letters = "Letters"
    case preview = "Preview"
    case backCover = "BackCover"
    case other = "Other"
    /// Readers that know of it do not show the page.
    case deleted = "Deleted"
}
