/// The arithmetic decoder of JBIG2 (ITU-T T.88, annex E).
struct JBIG2ArithmeticDecoder {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int
    private var code: UInt32
    private var interval: UInt32 = 0x8000
    private var shiftsLeft = 0
    /// The number of bytes that were needed after the end of the data.
    private var missing = 0
    /// A local reference, because access to a static property takes longer.
    private let states = JBIG2ArithmeticDecoder.table
    /// The number of bytes that encoders may omit at the end: they end a line of zeros.
    private static let maximumMissing = 4096

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (position, end) = (range.lowerBound, range.upperBound)
        code = range.isEmpty ? 0xFF_0000 : UInt32(bytes[position]) << 16
        readByte()
        code <<= 7
        shiftsLeft -= 7
    }

    /// Whether the data ended too early.
    var isExhausted: Bool { missing > JBIG2ArithmeticDecoder.maximumMissing }

    private mutating func readByte() {
        let byte = position < end ? bytes[position] : 0xFF
        let next: UInt8 = position + 1 < end ? bytes[position + 1] : 0xFF
        if position >= end { missing += 1 }
        if byte == 0xFF {
            if next > 0x8F {
                code &+= 0xFF00
                shiftsLeft = 8
            } else {
                position += 1
                code &+= UInt32(next) << 9
                shiftsLeft = 7
            }
        } else {
            position += 1
            code &+= UInt32(next) << 8
            shiftsLeft = 8
        }
    }

    /// Decodes a bit with one of the contexts. A context has a state and a more probable symbol.
    @inline(__always)
    mutating func bit(_ context: inout UInt8) -> UInt8 {
        let state = states[Int(context >> 1)]
        let likely = context & 1
        interval -= state.probability
        if code >> 16 < state.probability {
            let isExchanged = interval < state.probability
            interval = state.probability
            return renormalized(&context, state, isExchanged ? likely : likely ^ 1, isLikely: isExchanged)
        }
        code -= state.probability << 16
        if interval & 0x8000 != 0 { return likely }
        let isExchanged = interval < state.probability
        return renormalized(&context, state, isExchanged ? likely ^ 1 : likely, isLikely: !isExchanged)
    }

    private mutating func renormalized(
        _ context: inout UInt8, _ state: State, _ bit: UInt8, isLikely: Bool
    ) -> UInt8 {
        let likely = context & 1
        context =
            isLikely ? state.afterLikely << 1 | likely : state.afterUnlikely << 1 | (likely ^ (state.switches ? 1 : 0))
        repeat {
            if shiftsLeft == 0 { readByte() }
            interval <<= 1
            code <<= 1
            shiftsLeft -= 1
        } while interval & 0x8000 == 0
        return bit
    }

    struct State {
        let probability: UInt32
        let afterLikely: UInt8
        let afterUnlikely: UInt8
        let switches: Bool

        init(_ probability: UInt32, _ likely: UInt8, _ unlikely: UInt8, _ switches: Bool = false) {
            (self.probability, afterLikely, afterUnlikely) = (probability, likely, unlikely)
            self.switches = switches
        }
    }

    /// Table E.1.
    static let table: [State] = [
        State(0x5601, 1, 1, true), State(0x3401, 2, 6), State(0x1801, 3, 9), State(0x0AC1, 4, 12),
        State(0x0521, 5, 29), State(0x0221, 38, 33), State(0x5601, 7, 6, true), State(0x5401, 8, 14),
        State(0x4801, 9, 14), State(0x3801, 10, 14), State(0x3001, 11, 17), State(0x2401, 12, 18),
        State(0x1C01, 13, 20), State(0x1601, 29, 21), State(0x5601, 15, 14, true), State(0x5401, 16, 14),
        State(0x5101, 17, 15), State(0x4801, 18, 16), State(0x3801, 19, 17), State(0x3401, 20, 18),
        State(0x3001, 21, 19), State(0x2801, 22, 19), State(0x2401, 23, 20), State(0x2201, 24, 21),
        State(0x1C01, 25, 22), State(0x1801, 26, 23), State(0x1601, 27, 24), State(0x1401, 28, 25),
        State(0x1201, 29, 26), State(0x1101, 30, 27), State(0x0AC1, 31, 28), State(0x09C1, 32, 29),
        State(0x08A1, 33, 30), State(0x0521, 34, 31), State(0x0441, 35, 32), State(0x02A1, 36, 33),
        State(0x0221, 37, 34), State(0x0141, 38, 35), State(0x0111, 39, 36), State(0x0085, 40, 37),
        State(0x0049, 41, 38), State(0x0025, 42, 39), State(0x0015, 43, 40), State(0x0009, 44, 41),
        State(0x0005, 45, 42), State(0x0001, 45, 43), State(0x5601, 46, 46),
    ]
}

/// The contexts of an integer that is coded arithmetically (annex A.2).
struct JBIG2IntegerContexts {
    private var contexts = [UInt8](repeating: 0, count: 512)
    /// The number of bits and the first number of each range.
    private static let ranges = [(2, 0), (4, 4), (6, 20), (8, 84), (12, 340), (32, 4436)]

    /// Decodes an integer; nil for the end of a line ("out of band").
    mutating func integer(_ decoder: inout JBIG2ArithmeticDecoder) -> Int? {
        var previous = 1
        func bit(_ contexts: inout [UInt8]) -> Int {
            let bit = Int(decoder.bit(&contexts[previous]))
            previous = previous < 256 ? previous << 1 | bit : (previous << 1 | bit) & 511 | 256
            return bit
        }
        let isNegative = bit(&contexts) == 1
        var range = 0
        while range < 5, bit(&contexts) == 1 { range += 1 }
        var value = 0
        for _ in 0..<JBIG2IntegerContexts.ranges[range].0 { value = value << 1 | bit(&contexts) }
        value += JBIG2IntegerContexts.ranges[range].1
        return isNegative ? (value == 0 ? nil : -value) : value
    }
}

/// The contexts of symbol numbers that are coded arithmetically (annex A.3).
struct JBIG2NumberContexts {
    private var contexts: [UInt8]
    private let bits: Int

    /// - Parameter bits: the length of each number, at most 24.
    init(bits: Int) {
        self.bits = bits
        contexts = [UInt8](repeating: 0, count: 1 << bits)
    }

    mutating func number(_ decoder: inout JBIG2ArithmeticDecoder) -> Int {
        var previous = 1
        for _ in 0..<bits { previous = previous << 1 | Int(decoder.bit(&contexts[previous])) }
        return previous - 1 << bits
    }
}
