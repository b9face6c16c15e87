/// Pixels per inch.
public struct Resolution: Hashable, Sendable {
    public var horizontal: Double
    public var vertical: Double

    public init(horizontal: Double, vertical: Double) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    public init(_ both: Double) {
        self.init(horizontal: both, vertical: both)
    }

    /// The resolution after turning by a number of quarter turns.
    public func turned(quarters: Int) -> Resolution {
        quarters.isMultiple(of: 2) ? self : Resolution(horizontal: vertical, vertical: horizontal)
    }
}
