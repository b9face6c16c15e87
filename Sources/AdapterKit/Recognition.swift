/// What a source says of an input it was shown.
public enum Recognition: Hashable, Sendable {
    /// Not mine.
    case no
    /// Mine, with this much certainty out of 100, judged by content alone.
    case maybe(Int)
    /// I know what it is and will not read it as it stands; finishes the sentence "it is …".
    case declined(String)

    /// A signature was verified.
    public static let certain = Recognition.maybe(90)
    /// The container is mine; what is in it may be someone else's.
    public static let plausible = Recognition.maybe(25)
}
