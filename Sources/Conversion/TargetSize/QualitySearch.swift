/// The search for the highest quality at which a book has at most a given size.
///
/// Sampled pages show how the size depends on the quality. Each book that was written shows the ratio of its size to the
/// estimate.
struct QualitySearch {
    /// The bytes of the output.
    let limit: Int
    /// The highest quality that fits, and the lowest that does not.
    private(set) var fitting: Int?
    private var exceeding = qualities.upperBound + 1
    /// The bytes of the output for each byte of the estimate.
    private(set) var factor = 1.0

    /// The qualities that are tried. A lower one shows little but blocks, and a higher one makes files larger at equal look.
    static let qualities = 10...95

    init(limit: Int) { self.limit = limit }

    /// Notes the size of a written book.
    ///
    /// - Parameters:
    ///   - quality: nil for the quality of the sources.
    ///   - estimate: the estimate of the size.
    mutating func note(_ bytes: Int, at quality: Int?, estimate: Double) {
        factor = Double(bytes) / max(1, estimate)
        guard let quality else { return }
        if bytes <= limit { fitting = max(fitting ?? quality, quality) } else { exceeding = min(exceeding, quality) }
    }

    /// Returns the quality to write the book with; nil if no better one can fit.
    ///
    /// - Parameter estimate: returns the estimate of the size at a quality. It grows with the quality.
    func next(_ estimate: (Int) async throws -> Double) async throws -> Int? {
        var (low, high) = ((fitting ?? QualitySearch.qualities.lowerBound - 1) + 1, exceeding - 1)
        guard low <= high else { return nil }
        let least = low
        while low <= high {
            let middle = (low + high) / 2
            if try await estimate(middle) * factor <= Double(limit) { low = middle + 1 } else { high = middle - 1 }
        }
        if high >= least { return high }
        // The estimate may be wrong, and the lowest quality decides whether the book can have the size.
        return fitting == nil ? least : nil
    }
}
