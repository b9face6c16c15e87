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

    /// - Parameters:
    ///   - level: 1 (fast) to 12 (small); 0 only stores.
    ///   - reserve: bytes of room to leave for what is appended later.
    static func compressed(
        _ content: UnsafeRawBufferPointer, _ form: Form, level: Int, reserve: Int = 0
    ) -> [UInt8] {
        precondition((0...12).contains(level))
        guard let compressor = libdeflate_alloc_compressor(CInt(level)) else {
            fatalError("libdeflate has no memory")  // As Swift ends where an array cannot grow.
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
