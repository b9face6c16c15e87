/// A position in coded data, in bits, with the highest bit of a byte first.
///
/// It always reads 8 bytes at a time, so 8 readable bytes must follow every position it is moved to.
struct BitCursor {
    private let base: UnsafeRawPointer
    private var next: UnsafeRawPointer
    /// The next bits from the highest on, at least `count` of them.
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    init(_ base: UnsafeRawPointer) {
        self.base = base
        next = base
    }

    /// The position in bits from the beginning.
    var place: Int { (next - base) * 8 - Int(count) }

    /// The offset of the next byte to load: at most 8 bytes after the position and never before it.
    var bytePlace: Int { next - base }

    mutating func move(toByte byte: Int) {
        next = base + byte
        (bits, count) = (0, 0)
    }

    /// Makes at least 56 bits ready.
    ///
    /// The bits beyond `count` are those that follow, so putting them there again changes nothing (F. Giesen, "Reading bits in
    /// far too many ways", part 2, variant 4).
    mutating func refill() {
        bits |= UInt64(bigEndian: next.loadUnaligned(as: UInt64.self)) &>> count
        next += Int((63 &- count) &>> 3)
        count |= 56
    }

    /// Returns the next `width` bits, 1 to 56, of the bits that are ready.
    func peek(_ width: Int) -> Int { Int(truncatingIfNeeded: bits &>> UInt64(64 &- width)) }

    mutating func skip(_ width: Int) {
        bits = bits &<< UInt64(width)
        count = count &- UInt64(width)
    }
}

/// A writer that appends bits, with the highest bit of a byte first.
struct BitWriter {
    private let base: UnsafeMutableRawPointer
    private var next: UnsafeMutableRawPointer
    /// The bits that do not fill a byte yet, from the highest on.
    private var bits: UInt64 = 0
    private var count = 0

    /// - Parameter base: space for all that is written, and 8 bytes more.
    init(_ base: UnsafeMutableRawPointer) {
        self.base = base
        next = base
    }

    /// The number of bytes written, including a last one that may be partial.
    var byteCount: Int { next - base + (count > 0 ? 1 : 0) }

    /// - Parameters:
    ///   - value: below 2 to the power of `width`.
    ///   - width: 0 to 56.
    mutating func put(_ value: UInt64, _ width: Int) {
        count &+= width
        // Shifted twice, because a shift by 64 would have no effect.
        bits |= (value &<< UInt64(63 &- count)) &<< 1
        next.storeBytes(of: bits.bigEndian, as: UInt64.self)
        next += count &>> 3
        bits = bits &<< UInt64(count & ~7)
        count &= 7
    }

    /// Copies bits.
    ///
    /// - Parameters:
    ///   - range: their places in `data`, followed by at least 8 readable bytes.
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
