/// The levels that followed each four levels of an image, in the order of a PNG.
///
/// Deflate copies bytes that it has seen before. The level that followed the same four levels last time thus continues
/// a copy, in flat areas as in the dots of a screentone.
struct LevelHistory {
    /// The last level after each four levels, as samples of 8 bits, for both places in a byte.
    private var following = [UInt8](repeating: LevelHistory.nothing, count: 1 << 17)
    /// The last four levels of the line, in 4 bits each.
    private var last: UInt16 = 0

    /// A sample that stores no level.
    private static let nothing: UInt8 = 1

    mutating func beginLine() { last = 0 }

    /// Returns the expected level of the next pixel, which is at `x`.
    @inline(__always) func expected(_ x: Int) -> UInt8 { following[index(x)] }

    @inline(__always) mutating func append(_ level: UInt8, _ x: Int) {
        following[index(x)] = level
        last = last << 4 | UInt16(level >> 4)
    }

    @inline(__always) private func index(_ x: Int) -> Int { Int(last) << 1 | x & 1 }
}
