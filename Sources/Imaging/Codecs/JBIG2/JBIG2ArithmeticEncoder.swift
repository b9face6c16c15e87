/// The arithmetic encoder of JBIG2 (ITU-T T.88, annex E.2).
struct JBIG2ArithmeticEncoder {
    private var bytes: [UInt8] = []
    /// The last byte: a carry may still change it.
    private var last: UInt8 = 0
    private var hasLast = false
    private var code: UInt32 = 0
    private var interval: UInt32 = 0x8000
    private var shiftsLeft = 12
    /// A local reference, because access to a static property takes longer.
    private let states = JBIG2ArithmeticDecoder.table

    /// Encodes a bit with one of the contexts. A context has a state and a more probable symbol.
    @inline(__always)
    mutating func encode(_ bit: UInt8, _ context: inout UInt8) {
        let probability = states[Int(context >> 1)].probability
        interval &-= probability
        if bit == context & 1, interval & 0x8000 != 0 {
            code &+= probability
        } else {
            renormalize(bit, &context)
        }
    }

    private mutating func renormalize(_ bit: UInt8, _ context: inout UInt8) {
        let (state, likely) = (states[Int(context >> 1)], context & 1)
        let isLikely = bit == likely
        // The less probable symbol gets the lower part of the interval, unless that is the larger one.
        if isLikely == (interval < state.probability) {
            interval = state.probability
        } else {
            code &+= state.probability
        }
        context =
            isLikely ? state.afterLikely << 1 | likely : state.afterUnlikely << 1 | (likely ^ (state.switches ? 1 : 0))
        repeat {
            interval <<= 1
            code <<= 1
            shiftsLeft -= 1
            if shiftsLeft == 0 { writeByte() }
        } while interval & 0x8000 == 0
    }

    /// Moves a byte out of the code register. After a byte of ones, the next one has room for a carry.
    private mutating func writeByte() {
        if last != 0xFF, code >= 0x800_0000 {
            last &+= 1
            code &= 0x7FF_FFFF
        }
        let isFull = last == 0xFF
        if hasLast { bytes.append(last) }
        hasLast = true
        last = UInt8(truncatingIfNeeded: code >> (isFull ? 20 : 19))
        code &= isFull ? 0xF_FFFF : 0x7_FFFF
        shiftsLeft = isFull ? 7 : 8
    }

    /// Returns all bytes, with the marker that ends them.
    consuming func finished() -> [UInt8] {
        let end = code &+ interval
        code |= 0xFFFF
        if code >= end { code &-= 0x8000 }
        for _ in 0..<2 {
            code <<= UInt32(shiftsLeft)
            writeByte()
        }
        if last != 0xFF { bytes.append(last) }
        return bytes + [0xFF, 0xAC]
    }
}
