/// A Huffman code of a JPEG (ITU-T T.81, annex C).
struct JPEGCode {
    /// The length limit of a code.
    static let maximumBits = 16

    struct Word {
        let code: Int
        let length: Int
        let symbol: Int
    }

    /// All codes, the shortest first, and codes of equal length in their order.
    let words: [Word]
    /// For each length from 0, the upper bound of 16 bits that begin with a code up to that length.
    private let bounds: [Int]
    /// For each length from 0, the place in `words` of the first code of this length.
    private let starts: [Int]
    /// For each symbol, its place in `words`; nil if it has no code.
    private let places: [Int?]

    /// - Parameters:
    ///   - counts: the number of codes of each length. The lengths are 1...16.
    ///   - symbols: their symbols, the shortest code first.
    /// - Returns: nil if that many codes are impossible.
    init?(counts: [Int], symbols: [UInt8]) {
        // libjpeg refuses more symbols than bytes have values.
        guard counts.count == JPEGCode.maximumBits, counts.reduce(0, +) == symbols.count, symbols.count <= 256 else {
            return nil
        }
        var words: [Word] = []
        var (bounds, starts) = ([0], [0])
        var code = 0
        for length in 1...JPEGCode.maximumBits {
            starts.append(words.count)
            for symbol in symbols[words.count..<words.count + counts[length - 1]] {
                words.append(Word(code: code, length: length, symbol: Int(symbol)))
                code += 1
            }
            // No code may be all ones (C.2).
            guard code < 1 << length else { return nil }
            bounds.append(code << (JPEGCode.maximumBits - length))
            code <<= 1
        }
        self.words = words
        self.bounds = bounds
        self.starts = starts
        var places = [Int?](repeating: nil, count: 256)
        for (place, word) in words.enumerated() { places[word.symbol] = places[word.symbol] ?? place }
        self.places = places
    }

    /// Returns the value of additional bits (F.1.2.1).
    @inline(__always)
    static func value(ofBits bits: Int, _ size: Int) -> Int {
        size > 0 && bits &>> (size &- 1) == 0 ? bits &- (1 &<< size) &+ 1 : bits
    }

    /// Returns the code of a symbol; nil if it has none.
    func word(for symbol: Int) -> Word? { places[symbol].map { words[$0] } }

    /// Returns the word at the beginning of a 16-bit number; nil if no word matches.
    func word(at bits: Int) -> Word? {
        guard let length = bounds.firstIndex(where: { bits < $0 }) else { return nil }
        return words[starts[length] + (bits - bounds[length - 1]) >> (JPEGCode.maximumBits - length)]
    }
}

/// The lookup tables, indexed by the next 10 bits, for skipping a block without decoding it.
///
/// An entry of 0 means that 10 bits do not suffice: a code is longer, or the code does not exist.
enum BlockTables {
    /// The number of bits that index the entries.
    static let bits = 10
    private static let count = 1 << bits

    // MARK: Offsets of the tables within those of a coding

    /// Differences: in the low 5 bits the length of a difference's code, above them the bits of the difference.
    static let differences = 0
    /// Single coefficients with the zeros before them.
    ///
    /// The low 5 bits hold the length in bits. The bits above hold the number of places in the block; `restOfBlock` means all
    /// the rest of it.
    static let steps = count
    /// As many coefficients as the index contains, in the same form.
    static let leaps = 2 * count
    /// The number of entries of a coding.
    static let size = 3 * count

    /// More places than damaged data can have in a block.
    static let restOfBlock = 128

    /// The last place in a block at which `leaps` may be used, because only the last coefficient may end the block.
    static let lastLeap = 32

    /// The most bits of a difference in an image of 8 bits (ITU-T T.81, table F.1).
    static let maximumDifference = 11

    /// Returns the tables of a pair of codes.
    static func make(difference: JPEGCode, coefficients: JPEGCode) -> [UInt16] {
        let differences = entries(difference) { $0.symbol <= maximumDifference ? $0.length | $0.symbol << 5 : 0 }
        let steps = entries(coefficients) { step($0.length, $0.symbol) }
        let lengths = entries(coefficients, \.length)
        let leaps = (0..<count).map { bits in
            var (width, places) = (0, 0)
            while width < BlockTables.bits, places < 64 - lastLeap {
                let rest = bits << width & (count - 1)
                let step = Int(steps[rest])
                // The bits shifted in are unknown.
                guard step > 0, width + Int(lengths[rest]) <= BlockTables.bits else { break }
                width += step & 31
                places += step >> 5
            }
            return UInt16(width | places << 5)
        }
        return differences + steps + leaps
    }

    /// Returns the step over a coefficient's code and its value (F.1.2.2).
    ///
    /// - Parameter length: the length of the code.
    static func step(_ length: Int, _ symbol: Int) -> Int {
        let (run, size) = (symbol >> 4, symbol & 15)
        // Neither 16 zeros nor the end of the block has a value.
        let places = size > 0 || run == 15 ? run + 1 : restOfBlock
        return length + size | places << 5
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
