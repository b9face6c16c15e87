/// An exact ratio of two whole numbers, for comparing lengths, areas and counts without rounding.
struct Ratio: Sendable {
    private let numerator: Int
    private let denominator: Int

    init(_ numerator: Int, _ denominator: Int) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// Returns the number times the ratio, rounded toward zero.
    func of(_ number: Int) -> Int { number * numerator / denominator }

    fileprivate func compare(_ one: Int, _ other: Int, _ areInOrder: (Int, Int) -> Bool) -> Bool {
        areInOrder(denominator * one, numerator * other)
    }
}

extension Int {
    func isAtLeast(_ ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, >=) }
    func isMore(than ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, >) }
    func isAtMost(_ ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, <=) }
    func isLess(than ratio: Ratio, of other: Int) -> Bool { ratio.compare(self, other, <) }
}

extension ClosedRange<Double> {
    /// Returns the range in pixels of one that is in letter heights or units.
    func scaled(by pixels: Double) -> ClosedRange<Double> { lowerBound * pixels...upperBound * pixels }
}

extension Double {
    /// The radians of an angle in degrees.
    var radians: Double { self * .pi / 180 }
}
