internal import CDeflate

/// Deflate (RFC 1951) and the checksum that goes with it, by libdeflate.
enum Deflate {
    /// Beyond this a compressor takes nine megabytes, to shorten a text by a few bytes.
    private static let level: CInt = 9

    /// The bytes compressed; nil when that makes them no shorter.
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

    /// The CRC-32 of zip, gzip and PNG.
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        libdeflate_crc32(0, bytes, bytes.count)
    }
}
