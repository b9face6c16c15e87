/// How values lie about their mean.
struct Dispersion {
    let mean: Float
    /// The standard deviation.
    let deviation: Float

    /// - Precondition: there are some.
    init(_ values: [Float]) {
        let mean = values.reduce(0, +) / Float(values.count)
        var squares: Float = 0
        for value in values { squares += (value - mean) * (value - mean) }
        self.mean = mean
        deviation = (squares / Float(values.count)).squareRoot()
    }
}
