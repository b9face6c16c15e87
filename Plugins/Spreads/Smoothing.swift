/// Running means over a line of values.
enum Smoothing {
    /// The mean of every value and its neighbours up to `reach` away; at the ends, of those there are.
    static func mean(_ values: [Float], reach: Int) -> [Float] {
        guard reach > 0 else { return values }
        let count = values.count
        var result = [Float](repeating: 0, count: count)
        // A sum of half the precision drifts: what is taken out again must be what was put in.
        var sum = 0.0
        for index in 0..<min(reach, count) { sum += Double(values[index]) }
        var held = min(reach, count)
        for index in 0..<count {
            if index + reach < count {
                sum += Double(values[index + reach])
                held += 1
            }
            if index - reach - 1 >= 0 {
                sum -= Double(values[index - reach - 1])
                held -= 1
            }
            result[index] = Float(sum / Double(held))
        }
        return result
    }

    /// Close to a Gaussian: a running mean taken three times over (Wells, "Efficient synthesis of Gaussian filters by
    /// cascaded uniform filters", 1986). Its standard deviation is √(reach² + reach).
    static func bell(_ values: [Float], reach: Int) -> [Float] {
        mean(mean(mean(values, reach: reach), reach: reach), reach: reach)
    }
}
