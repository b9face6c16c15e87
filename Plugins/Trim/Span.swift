/// A stretch of a page's width or height that is printed on, and the margins it is to have.
struct Span {
    private let start: Int
    private let end: Int
    private let margin: Int
    private let whole: Int

    /// - Parameters:
    ///   - end: the first pixel behind it.
    ///   - whole: the length of the page.
    init(_ start: Int, _ end: Int, margin: Int, within whole: Int) {
        (self.start, self.end) = (max(0, start), min(end, whole))
        (self.margin, self.whole) = (margin, whole)
    }

    /// With its margins, as far as the page goes.
    var length: Int { min(whole, end + margin) - max(0, start - margin) }

    /// Where stretches of one length begin that hold one span each with at least half its margins, each as near to its
    /// middle as can be. They begin at one of the pixels that lie `step` apart from `first` on.
    ///
    /// - Parameter length: at least that of each span; becomes greater where there is no such place.
    static func starts(_ spans: [Span], length: inout Int, step: Int, first: Int) -> [Int] {
        for longer in length..<length + step {
            let starts = spans.compactMap { $0.start(longer, step, first) }
            if starts.count == spans.count {
                length = longer
                return starts
            }
        }
        return spans.map { $0.middle(length) }
    }

    private func middle(_ length: Int) -> Int {
        let middle = (max(0, start - margin) + min(whole, end + margin) - length) / 2
        return max(0, min(middle, whole - length))
    }

    private func start(_ length: Int, _ step: Int, _ first: Int) -> Int? {
        let least = (margin + 1) / 2
        let range = (
            low: max(0, min(end + least, whole) - length), high: min(max(0, start - least), whole - length)
        )
        let wanted = middle(length)
        let before = wanted - ((wanted - first) % step + step) % step
        // The page's own edge can be cut at anyhow.
        return [before, before + step, 0].filter { $0 >= range.low && $0 <= range.high }.min {
            abs($0 - wanted) < abs($1 - wanted)
        }
    }
}
