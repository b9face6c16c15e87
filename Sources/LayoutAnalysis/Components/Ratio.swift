/// An exact ratio of two whole numbers, for comparing lengths, areas and counts without rounding.
public struct Ratio: Sendable {
    @usableFromInline let numerator: Int
    @usableFromInline let denominator: Int

    @inlinable public init(_ numerator: Int, _ denominator: Int) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// Returns the number times the ratio, rounded toward zero.
    @inlinable public func of(_ number: Int) -> Int { number * numerator / denominator }

    @inlinable func compare(_ one: Int, _ other: Int, _ areInOrder: (Int, Int) -> Bool) -> Bool {
        areInOrder(denominator * one, numerator * other)
    }
}

extension Int {
    @inlinable public func isAtLeast(_ ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, >=) }
    @inlinable public func isMore(than ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, >) }
    @inlinable public func isAtMost(_ ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, <=) }
    @inlinable public func isLess(than ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, <) }
}

extension ClosedRange<Double> {
    /// Returns the range in pixels of one that is in letter heights or units.
    @inlinable public func scaled(by pixels: Double) -> ClosedRange<Double> {
        lowerBound * pixels...upperBound * pixels
    }
}

extension Double {
    /// The radians of an angle in degrees.
    public var radians: Double { self * .pi / 180 }
}
