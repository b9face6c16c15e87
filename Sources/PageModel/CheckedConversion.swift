/// Conversions from `Double` to `Int` that never trap. What a file states may be anything: a page of 1e300 pixels, a
/// resolution of infinity. `Int(_:)` ends the program with such values.
extension Int {
    /// The whole number nearest to `value`; nil when it is not a number or lies outside `range`.
    ///
    /// - Parameter range: all that an `Int` can hold unless a smaller one makes sense.
    public init?(checked value: Double, in range: ClosedRange<Int> = .min ... .max) {
        guard let whole = Int(exactly: value.rounded()), range.contains(whole) else { return nil }
        self = whole
    }

    /// The whole number of `range` that is nearest to `value`; its lower bound for what is not a number.
    public init(clamping value: Double, to range: ClosedRange<Int>) {
        if value.isNaN {
            self = range.lowerBound
        } else if let whole = Int(checked: value) {
            self = Swift.min(Swift.max(whole, range.lowerBound), range.upperBound)
        } else {
            self = value < 0 ? range.lowerBound : range.upperBound
        }
    }
}
