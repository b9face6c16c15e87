internal import Files

/// A part of a list of books. Machines convert the parts independently.
public struct Shard: Hashable, Sendable {
    /// The number of this part, from 1.
    public let index: Int
    public let count: Int

    /// - Returns: nil unless the number is among those of the parts.
    public init?(_ index: Int, of count: Int) {
        guard count >= 1, (1...count).contains(index) else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// Reads "2/16"; nil for anything else.
    public init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
        self.init(index, of: count)
    }

    /// Returns the paths of this part in their order. Every machine that sees the same files gets the same parts, of about
    /// equal numbers of bytes.
    public func part(of paths: [String]) -> [String] {
        let sizes = paths.map { FileStamp(of: $0)?.byteCount ?? 0 }
        let chosen = places(of: sizes, paths)
        return paths.indices.filter(chosen.contains).map { paths[$0] }
    }

    /// Returns the places of this part. The largest book comes first, and each goes to the part with the fewest bytes.
    ///
    /// - Parameter names: the names that decide between books of one size.
    func places(of sizes: [Int], _ names: [String]) -> Set<Int> {
        let order = sizes.indices.sorted { one, other in
            sizes[one] != sizes[other] ? sizes[one] > sizes[other] : names[one] < names[other]
        }
        var loads = LoadHeap(count: count)
        var chosen: Set<Int> = []
        for place in order {
            // Books of unknown size are spread evenly too.
            if loads.addToSmallest(sizes[place] + 1) == index - 1 { chosen.insert(place) }
        }
        return chosen
    }
}

/// The loads of parts, ordered so that the smallest is found at once.
private struct LoadHeap {
    /// A binary heap: each is at most as large as the two after it, at twice its place.
    private var parts: [(load: Int, part: Int)]

    init(count: Int) {
        parts = (0..<count).map { (0, $0) }
    }

    /// Adds to the part with the smallest load, the first of several, and returns its number.
    mutating func addToSmallest(_ load: Int) -> Int {
        let part = parts[0].part
        parts[0].load += load
        var place = 0
        while true {
            let least = [2 * place + 1, 2 * place + 2].filter { $0 < parts.count }.min { parts[$0] < parts[$1] }
            guard let least, parts[least] < parts[place] else { return part }
            parts.swapAt(place, least)
            place = least
        }
    }
}
