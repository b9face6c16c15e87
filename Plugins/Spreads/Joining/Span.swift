/// A stretch of a line of pixels that may begin and end within a pixel.
struct Span {
    private let first: Int
    private let last: Int
    /// What of the first and of the last pixel belongs to it.
    private let firstShare: Float
    private let lastShare: Float

    /// - Parameter limit: the number of pixels; what lies outside is replaced by the pixel at the end.
    init(_ start: Double, _ end: Double, limit: Int) {
        let low = min(max(0, start), Double(limit) - 0.001)
        let high = min(max(low + 0.001, end), Double(limit))
        first = min(limit - 1, Int(low))
        last = max(first, min(limit - 1, Int(high.rounded(.up)) - 1))
        firstShare = first == last ? 1 : Float(Double(first + 1) - low)
        lastShare = first == last ? 0 : Float(high - Double(last))
    }

    /// The mean of the levels, given by their place.
    func mean(_ level: (Int) -> Float) -> Float {
        guard last > first else { return level(first) }
        var sum = firstShare * level(first) + lastShare * level(last)
        var weight = firstShare + lastShare
        for place in first + 1..<max(first + 1, last) {
            sum += level(place)
            weight += 1
        }
        return sum / weight
    }
}
