internal import CDeflate

/// A part of a long zlib stream, compressed by itself: pieces can be made side by side and joined by `ZlibJoiner`.
///
/// Nothing in a piece refers to the ones before it, which costs the compression about what 32 KB of fresh data do.
public struct DeflatePiece: Sendable {
    /// Deflate blocks that end on a byte; none of them is the last.
    let blocks: [UInt8]
    /// How many bytes were compressed.
    public let count: Int
    /// Their Adler-32.
    let checksum: UInt32

    /// - Parameter level: libdeflate's, 1 (fast) to 12 (small); 0 only stores.
    public init(_ content: UnsafeRawBufferPointer, level: Int) {
        // Room for the seam as well, so that appending it moves nothing.
        var blocks = Deflate.compressed(content, .plain, level: level, reserve: 8)
        DeflateSeam.open(&blocks)
        self.blocks = blocks
        count = content.count
        checksum = libdeflate_adler32(1, content.baseAddress, content.count)
    }

    /// - Parameter level: libdeflate's, 1 (fast) to 12 (small); 0 only stores.
    public init(_ content: [UInt8], level: Int) {
        self = content.withUnsafeBytes { DeflatePiece($0, level: level) }
    }
}
