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
