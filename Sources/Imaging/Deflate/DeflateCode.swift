/// A Huffman code of a deflate stream (RFC 1951, 3.2.2), built for skipping its symbols.
struct DeflateCode {
    /// A unit that can be skipped at once: a symbol with its extra bits, or several; packed in a byte, for speed.
    struct Step {
        /// The kind in the two highest bits, below them the width in bits.
        let packed: UInt8

        /// A literal, or several of them.
        static let literals: UInt8 = 0 << 6
        /// A length, perhaps after literals, or a distance.
        static let length: UInt8 = 1 << 6
        /// The end of the block, perhaps after literals.
        static let end: UInt8 = 2 << 6
        /// A code that is too long for the table or has no meaning.
        static let other: UInt8 = 3 << 6

        init(packed: UInt8) {
            self.packed = packed
        }

        /// - Parameter width: the bits of the symbol's code, or only those that follow it and belong to it.
        init(_ kind: UInt8, width: Int) {
            packed = kind | UInt8(width)
        }

        var kind: UInt8 { packed & 0xC0 }
        var width: Int { Int(packed & 0x3F) }
    }

    private static let maximumBits = 15

    /// The length limit of codes in the table; longer ones are rare and are searched.
    let tableBits: Int
    /// For every value of that many next bits, the step for them.
    private(set) var table: [UInt8]
    /// The same for one symbol at a time, with the width of its code alone in the high byte.
    private var single: [UInt16]
    /// The number of codes of each length.
    private var counts = [Int](repeating: 0, count: maximumBits + 1)
    /// The symbols in the order of their codes.
    private var symbols: [Int] = []

    init(tableBits: Int) {
        self.tableBits = tableBits
        table = [UInt8](repeating: 0, count: 1 << tableBits)
        single = [UInt16](repeating: 0, count: 1 << tableBits)
    }

    /// Makes this the code with the given lengths; returns false if no such code exists. A code may leave bits unused, as for a
    /// single distance.
    ///
    /// - Parameter meaning: the meaning of each symbol, with the width of extra bits. Nil if the table is not needed.
    mutating func set(_ lengths: ArraySlice<UInt8>, meaning: [Step]? = nil) -> Bool {
        for length in 0...DeflateCode.maximumBits { counts[length] = 0 }
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var room = 1
        var offsets = [Int](repeating: 0, count: DeflateCode.maximumBits + 2)
        for length in 1...DeflateCode.maximumBits {
            room = room << 1 - counts[length]
            if room < 0 { return false }
            offsets[length + 1] = offsets[length] + counts[length]
        }
        symbols = [Int](repeating: 0, count: offsets[DeflateCode.maximumBits + 1])
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[offsets[Int(length)]] = symbol
            offsets[Int(length)] += 1
        }
        if let meaning { fillTable(meaning) }
        return true
    }

    private mutating func fillTable(_ meaning: [Step]) {
        let size = 1 << tableBits
        // A code of this width never fits after another.
        let unknown = UInt16(tableBits + 1) << 8 | UInt16(Step.other)
        single.withUnsafeMutableBufferPointer { single in
            single.update(repeating: unknown)
            var code = 0
            var index = 0
            for length in 1...tableBits {
                for _ in 0..<counts[length] {
                    let meaning = meaning[symbols[index]]
                    if meaning.kind != Step.other {
                        let step = Step(meaning.kind, width: length + meaning.width)
                        let entry = UInt16(length) << 8 | UInt16(step.packed)
                        // The stream stores codes with their first bit lowest.
                        for slot in stride(from: DeflateCode.reversed(code, length), to: size, by: 1 << length) {
                            single[slot] = entry
                        }
                    }
                    code += 1
                    index += 1
                }
                code <<= 1
            }
        }
        table.withUnsafeMutableBufferPointer { table in
            single.withUnsafeBufferPointer { single in
                // If the code after a literal fits as well, one step covers both. Choosing without a branch, this is done twice
                // as fast as trying for more.
                for slot in 0..<size {
                    let first = single[slot]
                    let used = first >> 8
                    let next = single[slot >> Int(used)]
                    let both = UInt8(truncatingIfNeeded: next &+ used)
                    let isPair = UInt8(truncatingIfNeeded: first) < Step.length && used &+ next >> 8 <= tableBits
                    table[slot] = isPair ? both : UInt8(truncatingIfNeeded: first)
                }
            }
        }
    }

    private static func reversed(_ code: Int, _ length: Int) -> Int {
        var bits = UInt16(truncatingIfNeeded: code)
        bits = bits >> 1 & 0x5555 | (bits & 0x5555) << 1
        bits = bits >> 2 & 0x3333 | (bits & 0x3333) << 2
        bits = bits >> 4 & 0x0F0F | (bits & 0x0F0F) << 4
        return Int(bits.byteSwapped >> UInt16(16 - length))
    }

    /// Returns the symbol at the beginning of the next bits and the width of its code; nil if they are not a code.
    ///
    /// Codes of one length are consecutive numbers, the first of them following from the shorter ones.
    func symbol(of bits: UInt64) -> (symbol: Int, width: Int)? {
        var code = 0
        var first = 0
        var index = 0
        for length in 1...DeflateCode.maximumBits {
            code |= Int(bits >> UInt64(length - 1) & 1)
            let count = counts[length]
            if code - first < count { return (symbols[index + code - first], length) }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }
}
