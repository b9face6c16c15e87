/// A Huffman code of a JPEG (ITU-T T.81, annex C).
struct JPEGCode {
    /// The longest that a code may be.
    static let mostBits = 16

    struct Word {
        let code: Int
        let length: Int
        let symbol: Int
    }

    /// All codes, the shortest first, and of one length in their order.
    let words: [Word]
    /// For each length from 0: what 16 bits that begin with a code up to that length are below.
    private let bounds: [Int]
    /// For each length from 0: the place in `words` of the first of this length.
    private let starts: [Int]
    /// For each symbol its place in `words`; nil when it has no code.
    private let places: [Int?]

    /// - Parameters:
    ///   - counts: how many codes there are of each length 1...16.
    ///   - symbols: what they mean, the shortest first.
    /// - Returns: nil when so many codes cannot be.
    init?(counts: [Int], symbols: [UInt8]) {
        guard counts.count == JPEGCode.mostBits, counts.reduce(0, +) == symbols.count else { return nil }
        var words: [Word] = []
        var (bounds, starts) = ([0], [0])
        var code = 0
        for length in 1...JPEGCode.mostBits {
            starts.append(words.count)
            for symbol in symbols[words.count..<words.count + counts[length - 1]] {
                words.append(Word(code: code, length: length, symbol: Int(symbol)))
                code += 1
            }
            // No code may be all ones (C.2).
            guard code < 1 << length else { return nil }
            bounds.append(code << (JPEGCode.mostBits - length))
            code <<= 1
        }
        self.words = words
        self.bounds = bounds
        self.starts = starts
        var places = [Int?](repeating: nil, count: 256)
        for (place, word) in words.enumerated() { places[word.symbol] = places[word.symbol] ?? place }
        self.places = places
    }

    /// The code of a symbol; nil when it has none.
    func word(for symbol: Int) -> Word? { places[symbol].map { words[$0] } }

    /// The word that a number of 16 bits begins with; nil when none does.
    func word(at bits: Int) -> Word? {
        guard let length = bounds.firstIndex(where: { bits < $0 }) else { return nil }
        return words[starts[length] + (bits - bounds[length - 1]) >> (JPEGCode.mostBits - length)]
    }
}

/// What is looked up, by the next 12 bits, to walk over a block without decoding it.
///
/// An entry of 0 says that the bits do not tell: a code is longer, or there is no such code.
enum BlockTables {
    /// The bits by which entries are looked up.
    static let bits = 12
    private static let count = 1 << bits

    // MARK: Where the tables begin in those of a coding

    /// In the low 5 bits the length of a difference's code, above them the bits of the difference.
    static let differences = 0
    /// A coefficient and the zeros before it: in the low 5 bits how many bits they take, above them how many places
    /// of the block, 64 for all the rest of it.
    static let steps = count
    /// As many coefficients as the bits tell of, in the same way.
    static let leaps = 2 * count
    /// The entries of a coding.
    static let size = 3 * count

    /// The last place in a block where `leaps` may be taken: none but the last coefficient leads out of it.
    static let lastLeap = 32

    /// The most bits of a difference in a picture of 8 bits (ITU-T T.81, table F.1).
    static let mostDifference = 11

    /// The tables of a pair of codes.
    static func make(difference: JPEGCode, coefficients: JPEGCode) -> [UInt16] {
        let differences = entries(difference) { $0.symbol <= mostDifference ? $0.length | $0.symbol << 5 : 0 }
        let steps = entries(coefficients, step)
        let lengths = entries(coefficients, \.length)
        let leaps = (0..<count).map { bits in
            var (width, places) = (0, 0)
            while width < BlockTables.bits, places < 64 - lastLeap {
                let rest = bits << width & (count - 1)
                let step = Int(steps[rest])
                // What was shifted in is nothing that is known.
                guard step > 0, width + Int(lengths[rest]) <= BlockTables.bits else { break }
                width += step & 31
                places += step >> 5
            }
            return UInt16(width | places << 5)
        }
        return differences + steps + leaps
    }

    /// The step over a coefficient's code and its value (F.1.2.2).
    static func step(_ word: JPEGCode.Word) -> Int {
        let (run, size) = (word.symbol >> 4, word.symbol & 15)
        // No value follows 16 zeros, nor the end of the block.
        let places = size > 0 || run == 15 ? run + 1 : 64
        return word.length + size | places << 5
    }

    private static func entries(_ code: JPEGCode, _ entry: (JPEGCode.Word) -> Int) -> [UInt16] {
        var entries = [UInt16](repeating: 0, count: count)
        for word in code.words where word.length <= bits {
            let first = word.code << (bits - word.length)
            for place in first..<first + 1 << (bits - word.length) { entries[place] = UInt16(entry(word)) }
        }
        return entries
    }
}
