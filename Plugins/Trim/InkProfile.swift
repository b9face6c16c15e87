/// Ink projected onto a line across the lines of text: how dark each place of it is.
struct InkProfile {
    /// One run of ink, from the middle of the text.
    struct Point {
        /// Across the lines of text, and along them, in pixels.
        var across: Double
        var along: Double
        var weight: Double
    }

    private let points: [Point]
    /// How far from the middle a point lies at most, across and along.
    private let reach: Double

    init(_ points: [Point]) {
        self.points = points
        reach = points.reduce(0) { max($0, abs($1.across), abs($1.along)) }
    }

    /// How uneven the profile is when the lines rise by `slope`: the sum of the squares over places of this width.
    func unevenness(slope: Double, width: Double) -> Double {
        let middle = Int(reach * (1 + abs(slope)) / width) + 1
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * middle + 2) { bins in
            bins.initialize(repeating: 0)
            let scale = 1 / width
            for point in points {
                let place = (point.across + point.along * slope) * scale + Double(middle)
                let bin = Int(place)
                let part = (place - Double(bin)) * point.weight
                bins[bin] += point.weight - part
                bins[bin + 1] += part
            }
            var sum = 0.0
            for bin in bins { sum += bin * bin }
            return sum
        }
    }
}
