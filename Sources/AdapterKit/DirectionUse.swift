/// The use that an adapter makes of the reading direction, with given settings.
public enum DirectionUse: Hashable, Comparable, Sendable {
    /// Not used: another direction changes nothing.
    case none
    /// Stated in the output if the book has evidence of it: reading apps turn pages by it. A copy of a document keeps
    /// that of the document.
    case stating
    /// Used to arrange pages, in the output or in reading apps: another direction makes other images or pairs.
    case arranging
}
