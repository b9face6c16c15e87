internal import CDeflate
package import PageModel

/// Deflate (RFC 1951) for whole buffers, based on libdeflate.
enum Deflate {
    /// The compression level: higher ones need nine megabytes of memory and shorten a text by only a few bytes.
    private static let level: CInt = 9

    /// Compresses bytes; nil when that does not make them shorter.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        // If the buffer is one byte shorter than the input, libdeflate returns 0 when nothing is gained.
        let room = max(0, bytes.count - 1)
        let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
            filled = libdeflate_deflate_compress(compressor, bytes, bytes.count, buffer.baseAddress, room)
        }
        return packed.isEmpty ? nil : packed
    }

    /// Decompresses data that must have exactly `size` bytes; nil when it does not.
    static func decompressed(_ data: [UInt8], to size: Int) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        // libdeflate needs a buffer even for an empty result.
        var result = LIBDEFLATE_BAD_DATA
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, filled in
            result = libdeflate_deflate_decompress(decompressor, data, data.count, buffer.baseAddress, size, nil)
            filled = result == LIBDEFLATE_SUCCESS ? size : 0
        }
        return result == LIBDEFLATE_SUCCESS ? bytes : nil
    }
}

/// The CRC-32 checksum of zip, RAR, gzip and PNG.
package enum CRC32 {
    /// The message about an image whose checksum differs from the one in its archive.
    package static let mismatch: Message = "its checksum is wrong"

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { of($0, after: 0) }
    }

    /// Returns the checksum of some bytes and of those before them.
    ///
    /// - Parameter sum: the checksum of the preceding bytes; 0 for none.
    package static func of(_ bytes: UnsafeRawBufferPointer, after sum: UInt32) -> UInt32 {
        // libdeflate restarts at a null pointer.
        bytes.isEmpty ? sum : libdeflate_crc32(sum, bytes.baseAddress, bytes.count)
    }
}
