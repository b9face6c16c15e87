internal import CZlib

/// A way to reopen complete deflate streams (RFC 1951) at their end, so that several in a row are one stream.
///
/// Libdeflate compresses a whole buffer faster than zlib does, but has no flush. Every stream ends with a block that is marked as
/// the last, somewhere inside a byte. The offset of that block is not stored, so zlib decompresses the stream to find it.
enum DeflateSeam {
    /// Clears the mark of the stream's last block, and makes the stream end on a byte boundary.
    ///
    /// Such streams, one after the other, and then `end`, are one stream.
    ///
    /// - Precondition: `stream` is a complete deflate stream with nothing after it.
    static func open(_ stream: inout [UInt8]) {
        guard let last = lastBlock(of: stream), (last.upperBound + 7) / 8 == stream.count else {
            preconditionFailure("the deflate stream is incomplete")
        }
        stream[last.lowerBound / 8] &= ~(1 << UInt8(last.lowerBound % 8))
        let used = last.upperBound % 8
        if used == 0 { return }
        // An empty stored block: three zero bits, zeros up to the next byte, the length 0 and its complement (3.2.4).
        stream[stream.count - 1] &= 1 << UInt8(used) - 1
        if used > 5 { stream.append(0) }
        stream += [0, 0, 0xFF, 0xFF]
    }

    /// The bytes that close open streams: an empty stored block marked as the last.
    static let end: [UInt8] = [1, 0, 0, 0xFF, 0xFF]

    /// Returns the range of a stream's last block in bits, from the bit that marks it (BFINAL); nil for an incomplete stream.
    static func lastBlock(of stream: [UInt8]) -> Range<Int>? {
        let room = 1 << 16
        var zlib = z_stream()
        return stream.withUnsafeBufferPointer { input in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { output in
                // zlib keeps the address.
                withUnsafeMutablePointer(to: &zlib) { zlib in
                    guard let count = UInt32(exactly: input.count),
                        inflateInit2_(zlib, -MAX_WBITS, zlibVersion(), CInt(MemoryLayout<z_stream>.size)) == Z_OK
                    else { return nil }
                    defer { inflateEnd(zlib) }
                    zlib.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                    zlib.pointee.avail_in = count
                    var (start, status) = (0, Z_OK)
                    while status == Z_OK {
                        zlib.pointee.next_out = output.baseAddress
                        zlib.pointee.avail_out = UInt32(room)
                        status = inflate(zlib, Z_BLOCK)
                        // The unused bits of the last byte; then whether this was the last block (64), and whether a block ended (128).
                        let state = Int(zlib.pointee.data_type)
                        let place = 8 * (input.count - Int(zlib.pointee.avail_in)) - state & 7
                        guard state & 128 != 0 else { continue }
                        if state & 64 != 0 { return start..<place }
                        start = place
                    }
                    return nil
                }
            }
        }
    }
}
