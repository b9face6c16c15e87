/// The few functions of mathematics that are needed, so that no C library is.
enum Numbers {
    /// The natural logarithm of a positive number, to about six digits.
    static func log(_ value: Float) -> Float {
        // value = m · 2^e with m near 1; ln m = 2 artanh((m − 1) ∕ (m + 1)), a series that converges fast there.
        let share = (value.significand - 1.4142135) / (value.significand + 1.4142135)
        let square = share * share
        let series = 1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7)))
        return (Float(value.exponent) + 0.5) * 0.6931472 + 2 * share * series
    }

    /// Fisher's transform of a correlation within ±0.99, whose spread does not depend on its size.
    static func fisher(_ correlation: Float) -> Float {
        let held = max(-0.99, min(0.99, correlation))
        return log((1 + held) / (1 - held)) / 2
    }

    /// 1 ∕ (1 + e⁻ˣ): what log odds mean as a probability.
    static func logistic(_ odds: Double) -> Double {
        // e^x = (1 + x ∕ 2^20)^(2^20), by squaring; beyond ±30 nothing changes that could be seen.
        var power = 1 - max(-30, min(30, odds)) / 1_048_576
        for _ in 0..<20 { power *= power }
        return 1 / (1 + power)
    }
}
