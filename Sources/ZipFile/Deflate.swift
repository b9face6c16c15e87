internal import CDeflate

/// Deflate (RFC 1951) of whole buffers, by libdeflate.
enum Deflate {
    /// Beyond this level a compressor takes nine megabytes of memory, to shorten a text by a few bytes.
    private static let level: CInt = 9

    /// Compresses bytes; nil when that makes them no shorter.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        // With one byte less room than the input, libdeflate says 0 when nothing is gained.
        let room = max(0, bytes.count - 1)
        let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
            filled = libdeflate_deflate_compress(compressor, bytes, bytes.count, buffer.baseAddress, room)
        }
        return packed.isEmpty ? nil : packed
    }

    /// Decompresses data that must come to exactly `size` bytes; nil when it does not.
    static func decompressed(_ data: [UInt8], to size: Int) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        // libdeflate wants somewhere to write even when it is to write nothing.
        var result = LIBDEFLATE_BAD_DATA
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, filled in
            result = libdeflate_deflate_decompress(decompressor, data, data.count, buffer.baseAddress, size, nil)
            filled = result == LIBDEFLATE_SUCCESS ? size : 0
        }
        return result == LIBDEFLATE_SUCCESS ? bytes : nil
    }
}

/// The checksum CRC-32 that zip, RAR, gzip and PNG use.
package enum CRC32 {
    /// What to say of a picture whose data have another checksum than their archive says.
    package static let mismatch = "its checksum is wrong"

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { of($0, after: 0) }
    }

    /// The checksum of some bytes and of those before them.
    ///
    /// - Parameter sum: the checksum of what came before; 0 for nothing.
    package static func of(_ bytes: UnsafeRawBufferPointer, after sum: UInt32) -> UInt32 {
        // libdeflate takes a null pointer for the wish to begin anew.
        bytes.isEmpty ? sum : libdeflate_crc32(sum, bytes.baseAddress, bytes.count)
    }
}
