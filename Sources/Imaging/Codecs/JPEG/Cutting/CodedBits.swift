/// A place in coded data, in bits, the highest of a byte first.
///
/// It reads 8 bytes at a time, however few of them are taken: as many must follow whatever it is led to.
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

    /// In bits from the beginning.
    var place: Int { (next - base) * 8 - Int(count) }

    /// No place that lies before it, and at most 8 bytes behind it.
    var bytePlace: Int { next - base }

    mutating func move(toByte byte: Int) {
        next = base + byte
        (bits, count) = (0, 0)
    }

    /// Has at least 56 bits ready.
    ///
    /// The bits beyond `count` are those that follow, so that putting them there again changes nothing (F. Giesen,
    /// "Reading bits in far too many ways", part 2, variant 4).
    mutating func refill() {
        bits |= UInt64(bigEndian: next.loadUnaligned(as: UInt64.self)) &>> count
        next += Int((63 &- count) &>> 3)
        count |= 56
    }

    /// The next `width` bits, 1 to 56, of those that are ready.
    func peek(_ width: Int) -> Int { Int(truncatingIfNeeded: bits &>> UInt64(64 &- width)) }

    mutating func skip(_ width: Int) {
        bits = bits &<< UInt64(width)
        count = count &- UInt64(width)
    }
}

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
