/// Makes one zlib stream (RFC 1950) of pieces that were compressed apart, and gives it out as it grows.
public struct ZlibJoiner: Sendable {
    private var checksum = Adler32.empty
    private var hasBegun = false

    public init() {}

    /// The bytes of the stream that the next piece adds to it.
    public mutating func append(_ piece: DeflatePiece) -> [UInt8] {
        checksum = Adler32.joined(checksum, piece.checksum, count: piece.count)
        return begin() + piece.blocks
    }

    /// The bytes that end the stream.
    public mutating func finish() -> [UInt8] {
        begin() + DeflateSeam.end + checksum.bigEndianBytes
    }

    /// Deflate with a window of 32 KB; the level, "default", is only a hint.
    private mutating func begin() -> [UInt8] {
        defer { hasBegun = true }
        return hasBegun ? [] : [0x78, 0x9C]
    }
}
