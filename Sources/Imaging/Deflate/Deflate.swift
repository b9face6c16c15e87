internal import CDeflate
internal import CZlib

/// libdeflate's compressor of whole buffers.
enum Deflate {
    /// The wrapper of the compressed data.
    enum Form {
        /// No wrapper (RFC 1951).
        case plain
        /// A header and a checksum (RFC 1950).
        case zlib
    }

    /// Compresses the content. If memory for a compressor is short, the content is stored.
    ///
    /// - Parameters:
    ///   - level: 1 (fast) to 12 (small). Level 0 only stores.
    ///   - reserve: the number of bytes to reserve for data appended later.
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
    /// Returns blocks that hold the content as it is (RFC 1951, 3.2.4), the last of them marked as such.
    static func stored(_ content: UnsafeRawBufferPointer, _ form: Form, reserve: Int = 0) -> [UInt8] {
        let maximum = Int(UInt16.max)
        var stream: [UInt8] = []
        stream.reserveCapacity(content.count + 5 * (content.count / maximum + 1) + 6 + reserve)
        if form == .zlib { stream += ZlibJoiner.header }
        var start = 0
        repeat {
            let end = min(start + maximum, content.count)
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

/// A part of a long zlib stream that is compressed separately, so that parts can be made in parallel and joined by `ZlibJoiner`.
///
/// A piece does not refer to the pieces before it: each begins with an empty window, which makes the stream a little larger.
package struct DeflatePiece: Sendable {
    /// The deflate blocks, which end on a byte boundary; none of them are marked as the last.
    let blocks: [UInt8]
    /// The number of bytes before compression.
    package let count: Int
    /// The Adler-32 checksum of those bytes.
    let checksum: UInt32

    /// - Parameter level: the level of libdeflate, 1 (fast) to 12 (small); 0 only stores.
    package init(_ content: UnsafeRawBufferPointer, level: Int) {
        // With space for the seam as well, so that appending it does not reallocate.
        var blocks = Deflate.compressed(content, .plain, level: level, reserve: 8)
        DeflateSeam.open(&blocks)
        self.blocks = blocks
        count = content.count
        checksum = libdeflate_adler32(1, content.baseAddress, content.count)
    }

    /// - Parameter level: the level of libdeflate, 1 (fast) to 12 (small); 0 only stores.
    package init(_ content: [UInt8], level: Int) {
        self = content.withUnsafeBytes { DeflatePiece($0, level: level) }
    }
}

/// A joiner of separately compressed pieces to one zlib stream (RFC 1950), piece by piece.
package struct ZlibJoiner: Sendable {
    private var checksum: UInt32 = 1
    private var hasBegun = false

    package init() {}

    /// Returns the bytes that the next piece adds to the stream.
    package mutating func append(_ piece: DeflatePiece) -> [UInt8] {
        checksum = UInt32(truncatingIfNeeded: adler32_combine(UInt(checksum), UInt(piece.checksum), piece.count))
        return begin() + piece.blocks
    }

    /// Returns the last bytes of the stream.
    package mutating func finish() -> [UInt8] {
        begin() + DeflateSeam.end + checksum.bigEndianBytes
    }

    /// The header for deflate with a window of 32 KB; the level, "default", is only a hint.
    static let header: [UInt8] = [0x78, 0x9C]

    private mutating func begin() -> [UInt8] {
        defer { hasBegun = true }
        return hasBegun ? [] : ZlibJoiner.header
    }
}
