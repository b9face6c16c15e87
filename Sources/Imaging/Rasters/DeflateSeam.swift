/// Opens complete deflate streams (RFC 1951) at their end, so that several in a row are one stream.
///
/// libdeflate compresses a whole buffer faster than zlib does, but knows no flush: every stream ends with a block that
/// says it is the last, somewhere inside a byte. Where that block begins is written nowhere, so that the stream's codes
/// have to be followed from the start; nothing is decompressed, which makes it a small part of the compressor's time.
enum DeflateSeam {
    /// Takes from the stream's last block the mark that it is the last, and makes the stream end where a byte does.
    ///
    /// Such streams, one behind the other, and then `end`, are one stream.
    ///
    /// - Precondition: `stream` is a complete deflate stream with nothing behind it.
    static func open(_ stream: inout [UInt8]) {
        guard let last = DeflateWalk.lastBlock(of: stream), (last.end + 7) / 8 == stream.count else {
            preconditionFailure("this is no complete deflate stream")
        }
        stream[last.start / 8] &= ~(1 << UInt8(last.start % 8))
        let used = last.end % 8
        if used == 0 { return }
        // An empty stored block: three zero bits, zeros up to the next byte, the length 0 and its complement (3.2.4).
        stream[stream.count - 1] &= 1 << UInt8(used) - 1
        if used > 5 { stream.append(0) }
        stream += [0, 0, 0xFF, 0xFF]
    }

    /// What closes open streams: an empty stored block that says it is the last.
    static let end: [UInt8] = [1, 0, 0, 0xFF, 0xFF]
}
