internal import func Glibc.memchr

/// Bytes of an untrusted file. Reading past the end gives nil instead of a trap.
///
/// Numbers are returned as `Int`. None is above 2⁶¹, so the sum of a few offsets never overflows.
package struct ByteReader {
    package enum Order {
        case big
        case little
    }

    private let bytes: [UInt8]
    private let range: Range<Int>

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        range = bytes.indices
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    package var count: Int { range.count }

    package func uint8(at offset: Int) -> Int? {
        holds(offset, 1) ? Int(bytes[range.lowerBound + offset]) : nil
    }

    package func uint16(at offset: Int, _ order: Order = .big) -> Int? {
        integer(at: offset, width: 2, order)
    }

    package func uint24(at offset: Int, _ order: Order = .big) -> Int? {
        integer(at: offset, width: 3, order)
    }

    package func uint32(at offset: Int, _ order: Order = .big) -> Int? {
        integer(at: offset, width: 4, order)
    }

    /// Returns a 64-bit number, or nil if it is above 2⁶¹, because no file is that long.
    package func uint64(at offset: Int, _ order: Order = .big) -> Int? {
        let (first, second) = order == .big ? (0, 4) : (4, 0)
        guard let high = uint32(at: offset + first, order), let low = uint32(at: offset + second, order),
            high < 1 << 29
        else { return nil }
        return high << 32 | low
    }

    /// Returns a 32-bit number in two's complement.
    package func int32(at offset: Int, _ order: Order = .big) -> Int? {
        uint32(at: offset, order).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    /// Whether exactly these bytes are at an offset.
    package func has(_ expected: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        guard holds(offset, expected.count) else { return false }
        return bytes[(range.lowerBound + offset)...].starts(with: expected)
    }

    /// Whether the ASCII text is at an offset.
    package func has(_ text: StaticString, at offset: Int = 0) -> Bool {
        text.withUTF8Buffer { has($0, at: offset) }
    }

    /// Returns the four characters at an offset, as the number that `FourCC` makes from them.
    package func fourCC(at offset: Int) -> FourCC? {
        uint32(at: offset).map { FourCC(rawValue: UInt32(truncatingIfNeeded: $0)) }
    }

    /// Returns the `count` bytes at an offset, with offsets counted from there; nil unless all of them exist.
    package func part(at offset: Int, count: Int) -> ByteReader? {
        guard holds(offset, count) else { return nil }
        let start = range.lowerBound + offset
        return ByteReader(bytes, start..<start + count)
    }

    /// Returns all bytes from an offset on; nil if the bytes end before it.
    package func part(from offset: Int) -> ByteReader? {
        part(at: offset, count: count - offset)
    }

    /// Returns the offset of the first byte of this value at or after `start`.
    package func firstOffset(of value: UInt8, from start: Int) -> Int? {
        guard holds(start, 1) else { return nil }
        return bytes.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress,
                let found = memchr(base + range.lowerBound + start, CInt(value), count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base - range.lowerBound
        }
    }

    /// The number of bytes without the zeros at the end.
    package var countWithoutPadding: Int {
        var end = range.upperBound
        while end > range.lowerBound, bytes[end - 1] == 0 { end -= 1 }
        return end - range.lowerBound
    }

    /// Calls `body` with the bytes in memory.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// A copy of the bytes.
    package var array: [UInt8] { Array(bytes[range]) }

    private func integer(at offset: Int, width: Int, _ order: Order) -> Int? {
        guard holds(offset, width) else { return nil }
        let start = range.lowerBound + offset
        var value = 0
        for index in 0..<width {
            let byte = Int(bytes[start + index])
            value |= byte << (8 * (order == .big ? width - 1 - index : index))
        }
        return value
    }

    private func holds(_ offset: Int, _ width: Int) -> Bool {
        offset >= 0 && width >= 0 && width <= count && offset <= count - width
    }
}

/// The four ASCII characters that name a box, a brand or a chunk.
package struct FourCC: Hashable, ExpressibleByStringLiteral {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// - Precondition: the literal is four ASCII characters long.
    package init(stringLiteral text: StaticString) {
        precondition(text.utf8CodeUnitCount == 4)
        rawValue = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
