/// Running means over a line of values.
enum Smoothing {
    /// Returns the mean of every value and its neighbors up to `reach` away; at the ends, of the existing ones.
    static func mean(_ values: [Float], reach: Int) -> [Float] {
        guard reach > 0, values.count > 2 * reach else { return values }
        let count = values.count
        return [Float](unsafeUninitializedCapacity: count) { result, filled in
            values.withUnsafeBufferPointer { values in
                // A sum of `Float`s would drift: the subtracted value must equal the added one.
                var sum: Double = 0
                for index in 0..<reach { sum += Double(values[index]) }
                func put(_ index: Int, _ share: Double) {
                    (result.baseAddress.unsafelyUnwrapped + index).initialize(to: Float(sum * share))
                }
                for index in 0...reach {
                    sum += Double(values[index + reach])
                    put(index, 1 / Double(index + reach + 1))
                }
                let share = 1 / Double(2 * reach + 1)
                for index in reach + 1..<count - reach {
                    sum += Double(values[index + reach]) - Double(values[index - reach - 1])
                    put(index, share)
                }
                for index in count - reach..<count {
                    sum -= Double(values[index - reach - 1])
                    put(index, 1 / Double(count - index + reach))
                }
            }
            filled = count
        }
    }

    /// Returns an approximation of a Gaussian: three running means (Wells, "Efficient synthesis of Gaussian filters by cascaded
    /// uniform filters", 1986). Its standard deviation is √(reach² + reach).
    static func bell(_ values: [Float], reach: Int) -> [Float] {
        mean(mean(mean(values, reach: reach), reach: reach), reach: reach)
    }
}

/// The mean and the standard deviation of some values.
struct Dispersion {
    let mean: Float
    /// The standard deviation.
    let deviation: Float

    /// - Precondition: there is at least one value.
    init(_ values: [Float]) {
        let mean = values.reduce(0, +) / Float(values.count)
        var squares: Float = 0
        for value in values { squares += (value - mean) * (value - mean) }
        self.mean = mean
        deviation = (squares / Float(values.count)).squareRoot()
    }
}
