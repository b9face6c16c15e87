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
