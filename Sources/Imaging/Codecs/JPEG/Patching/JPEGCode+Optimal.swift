extension JPEGCode {
    /// Creates a code of minimum total length (ITU-T T.81, K.2).
    ///
    /// - Parameter counts: for each symbol, how often it occurs. A symbol that does not occur gets no code.
    init?(optimalFor counts: ArraySlice<Int>) {
        let lengths = JPEGCode.optimalLengths(counts)
        // Figure K.4: the symbols in the order of their lengths.
        let symbols = lengths.indices.dropLast().filter { lengths[$0] > 0 }.sorted {
            (lengths[$0], $0) < (lengths[$1], $1)
        }
        self.init(counts: JPEGCode.limitedCounts(lengths), symbols: symbols.map { UInt8($0) })
    }

    /// Returns the length of each symbol's code, without a limit (figure K.1).
    ///
    /// The last length is that of one more symbol, which takes the code of ones: no symbol may have it.
    private static func optimalLengths(_ counts: ArraySlice<Int>) -> [Int] {
        var counts = counts + [1]
        var trees = counts.indices.filter { counts[$0] > 0 }.map { [$0] }
        var lengths = [Int](repeating: 0, count: counts.count)
        // Of equal counts the last symbol's is taken first, so the additional symbol gets one of the longest codes.
        trees.sort { (counts[$0[0]], -$0[0]) > (counts[$1[0]], -$1[0]) }
        while trees.count > 1, let first = trees.popLast(), let second = trees.popLast() {
            for symbol in first + second { lengths[symbol - counts.startIndex] += 1 }
            let sum = counts[first[0]] + counts[second[0]]
            counts[first[0]] = sum
            trees.insert(first + second, at: trees.firstIndex { counts[$0[0]] <= sum } ?? trees.count)
        }
        return lengths
    }

    /// Returns the number of codes of each length from 1 to 16, without the code of ones (figure K.3).
    private static func limitedCounts(_ lengths: [Int]) -> [Int] {
        var counts = [Int](repeating: 0, count: max(maximumBits, lengths.max() ?? 0) + 1)
        for length in lengths where length > 0 { counts[length] += 1 }
        for length in (maximumBits + 1..<max(counts.count, maximumBits + 1)).reversed() {
            while counts[length] > 0 {
                // Two codes become one that is shorter by a bit, and a shorter code makes place for the other.
                let shorter = (1...length - 2).last { counts[$0] > 0 } ?? 1
                counts[length] -= 2
                counts[length - 1] += 1
                counts[shorter + 1] += 2
                counts[shorter] -= 1
            }
        }
        if let longest = counts.lastIndex(where: { $0 > 0 }) { counts[longest] -= 1 }
        return Array(counts[1...maximumBits])
    }

    /// The code in the form of a DHT segment, without its class and number (B.2.4.2).
    var table: [UInt8] {
        var counts = [UInt8](repeating: 0, count: JPEGCode.maximumBits)
        for word in words { counts[word.length - 1] += 1 }
        return counts + words.map { UInt8($0.symbol) }
    }
}
