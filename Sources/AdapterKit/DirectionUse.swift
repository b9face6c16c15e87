/// What an adapter uses the reading direction for, with given settings.
public enum DirectionUse: Int, Hashable, Comparable, Sendable {
    /// Nothing that would be otherwise with another direction.
    case none
    /// Readers are told of it, and pair and turn pages by it.
    case telling
    /// Pages are arranged by it: another direction makes other pictures or pairs.
    case arranging

    public static func < (one: DirectionUse, other: DirectionUse) -> Bool { one.rawValue < other.rawValue }
}
