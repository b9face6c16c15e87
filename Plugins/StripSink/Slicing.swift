/// Where a strip is cut into files.
enum Slicing {
    /// The slices of a strip, each no longer than `most`, made at the quietest places within reach.
    ///
    /// No row is lost or doubled: each slice begins where the one before it ends. A cut is looked for in the last half
    /// of what a slice may hold; of equally quiet places the last run of them is taken, in its middle, so that slices are
    /// long and art keeps its distance from the edge.
    ///
    /// - Parameter unrest: for each row how much happens in it; 0 where it is of one colour.
    static func slices(of length: Int, most: Int, unrest: [UInt8]) -> [Range<Int>] {
        precondition(most > 0 && unrest.count == length)
        var slices: [Range<Int>] = []
        var start = 0
        while length - start > most {
            let window = (start + (most + 1) / 2)...(start + most)
            let end = cut(in: window, unrest)
            slices.append(start..<end)
            start = end
        }
        if start < length { slices.append(start..<length) }
        return slices
    }

    /// The row before which to cut.
    private static func cut(in window: ClosedRange<Int>, _ unrest: [UInt8]) -> Int {
        // A cut lies between two rows: the louder of them counts.
        func noise(_ place: Int) -> UInt8 { max(unrest[place - 1], unrest[place]) }
        let least = window.map(noise).min() ?? 0
        // What a JPEG does to a plain colour is as good as quiet.
        let bound = max(least, quiet)
        guard let last = window.last(where: { noise($0) <= bound }) else { return window.upperBound }
        var first = last
        while first > window.lowerBound && noise(first - 1) <= bound { first -= 1 }
        return max((first + last + 1) / 2, last - reach)
    }

    /// Differences up to this are noise.
    private static let quiet: UInt8 = 6
    /// How far from the last quiet row a cut may stay.
    private static let reach = 64
}
