/// Puts bits one behind the other, the highest of a byte first.
struct BitWriter {
    private let base: UnsafeMutableRawPointer
    private var next: UnsafeMutableRawPointer
    /// The bits that do not fill a byte yet, from the highest on.
    private var bits: UInt64 = 0
    private var count = 0

    /// - Parameter base: room for all that is written, and 8 bytes more.
    init(_ base: UnsafeMutableRawPointer) {
        self.base = base
        next = base
    }

    /// The bytes that are written to, the last perhaps not in full.
    var byteCount: Int { next - base + (count > 0 ? 1 : 0) }

    /// - Parameters:
    ///   - value: below 2 to the power of `width`.
    ///   - width: 0 to 56.
    mutating func put(_ value: UInt64, _ width: Int) {
        count &+= width
        // Shifted twice: a shift by 64 would be none.
        bits |= (value &<< UInt64(63 &- count)) &<< 1
        next.storeBytes(of: bits.bigEndian, as: UInt64.self)
        next += count &>> 3
        bits = bits &<< UInt64(count & ~7)
        count &= 7
    }

    /// Copies bits.
    ///
    /// - Parameters:
    ///   - range: their places in `data`, behind which 8 bytes can be read.
    mutating func copy(_ range: Range<Int>, of data: UnsafeRawPointer) {
        var place = range.lowerBound
        while place < range.upperBound {
            let width = min(56, range.upperBound &- place)
            let word = UInt64(bigEndian: (data + place &>> 3).loadUnaligned(as: UInt64.self))
            put((word &<< UInt64(place & 7)) &>> UInt64(64 &- width), width)
            place &+= width
        }
    }

    /// Fills the last byte with ones (ITU-T T.81, F.1.2.3).
    mutating func finish() {
        let rest = (8 - count) & 7
        put(UInt64(1 << rest - 1), rest)
    }
}
