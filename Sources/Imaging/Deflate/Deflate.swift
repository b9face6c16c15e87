internal import CDeflate

/// libdeflate's compressor of whole buffers.
enum Deflate {
    /// What surrounds the compressed data.
    enum Form {
        /// Nothing (RFC 1951).
        case plain
        /// A header and a checksum (RFC 1950).
        case zlib
    }

    /// Compresses; where there is no memory for a compressor, the content is stored.
    ///
    /// - Parameters:
    ///   - level: 1 (fast) to 12 (small); 0 only stores.
    ///   - reserve: bytes of room to leave for what is appended later.
    static func compressed(
        _ content: UnsafeRawBufferPointer, _ form: Form, level: Int, reserve: Int = 0
    ) -> [UInt8] {
        precondition((0...12).contains(level))
        guard let compressor = libdeflate_alloc_compressor(CInt(level)) else {
            return stored(content, form, reserve: reserve)
        }
        defer { libdeflate_free_compressor(compressor) }
        let bound =
            form == .plain
            ? libdeflate_deflate_compress_bound(compressor, content.count)
            : libdeflate_zlib_compress_bound(compressor, content.count)
        return [UInt8](unsafeUninitializedCapacity: bound + reserve) { buffer, count in
            count =
                form == .plain
                ? libdeflate_deflate_compress(
                    compressor, content.baseAddress, content.count, buffer.baseAddress, bound)
                : libdeflate_zlib_compress(compressor, content.baseAddress, content.count, buffer.baseAddress, bound)
        }
    }
}

extension Deflate {
    /// Blocks that hold the content as it is (RFC 1951, 3.2.4), the last of them marked as such.
    static func stored(_ content: UnsafeRawBufferPointer, _ form: Form, reserve: Int = 0) -> [UInt8] {
        let most = Int(UInt16.max)
        var stream: [UInt8] = []
        stream.reserveCapacity(content.count + 5 * (content.count / most + 1) + 6 + reserve)
        if form == .zlib { stream += ZlibJoiner.header }
        var start = 0
        repeat {
            let end = min(start + most, content.count)
            let length = UInt16(end - start)
            stream.append(end == content.count ? 1 : 0)
            for half in [length, ~length] {
                stream += [UInt8(truncatingIfNeeded: half), UInt8(truncatingIfNeeded: half >> 8)]
            }
            stream += content[start..<end]
            start = end
        } while start < content.count
        if form == .zlib { stream += libdeflate_adler32(1, content.baseAddress, content.count).bigEndianBytes }
        return stream
    }
}

/// A part of a long zlib stream, compressed by itself, so that parts can be made in parallel and joined by `ZlibJoiner`.
///
/// Nothing in a piece refers to the pieces before it: each begins with an empty window, which makes the stream a little
/// larger.
public struct DeflatePiece: Sendable {
    /// Deflate blocks that end on a byte; none of them is the last.
    let blocks: [UInt8]
    /// The number of bytes before compression.
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

/// Joins pieces that were compressed separately in one zlib stream (RFC 1950), piece by piece.
public struct ZlibJoiner: Sendable {
    private var checksum = Adler32.empty
    private var hasBegun = false

    public init() {}

    /// Returns the bytes that the next piece adds to the stream.
    public mutating func append(_ piece: DeflatePiece) -> [UInt8] {
        checksum = Adler32.joined(checksum, piece.checksum, count: piece.count)
        return begin() + piece.blocks
    }

    /// Returns the last bytes of the stream.
    public mutating func finish() -> [UInt8] {
        begin() + DeflateSeam.end + checksum.bigEndianBytes
    }

    /// Deflate with a window of 32 KB; the level, "default", is only a hint.
    static let header: [UInt8] = [0x78, 0x9C]

    private mutating func begin() -> [UInt8] {
        defer { hasBegun = true }
        return hasBegun ? [] : ZlibJoiner.header
    }
}

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
