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
