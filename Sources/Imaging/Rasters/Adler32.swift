/// The checksum of zlib streams (RFC 1950, 8.2).
enum Adler32 {
    /// The checksum of no bytes.
    static let empty: UInt32 = 1

    /// The checksum of two runs of bytes, one behind the other.
    ///
    /// The low half is 1 + Σ bytes, the high half the sum of all its values on the way, both modulo 65521. So the second
    /// run finds the low half not at 1 but higher by what the first left there, and adds that much `count` times to the
    /// high half (zlib's `adler32_combine`).
    ///
    /// - Parameter count: the bytes of the second run.
    static func joined(_ first: UInt32, _ second: UInt32, count: Int) -> UInt32 {
        let modulus: UInt64 = 65521
        let raise = UInt64(first & 0xFFFF) + modulus - 1
        let low = (UInt64(second & 0xFFFF) + raise) % modulus
        let high = (UInt64(first >> 16) + UInt64(second >> 16) + UInt64(count) % modulus * raise) % modulus
        return UInt32(high << 16 | low)
    }
}
