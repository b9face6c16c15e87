/// The position of an image next to a larger one.
public enum Alignment: Sendable {
    /// At the top, or at the left.
    case start
    case center
    /// At the bottom, or at the right.
    case end
    /// Scaled to the larger one.
    case scale

    /// Returns the position of an object of a given length within `whole`.
    public func place(of length: Int, within whole: Int) -> Int {
        switch self {
        case .start: 0
        case .center, .scale: (whole - length) / 2
        case .end: whole - length
        }
    }
}
