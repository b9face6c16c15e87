internal import CDeflate

/// A decompressor for raw deflate data (RFC 1951) that frees itself.
struct Inflater: ~Copyable {
    private let handle: OpaquePointer

    /// - Returns: nil when there is no memory for it.
    init?() {
        guard let handle = libdeflate_alloc_decompressor() else { return nil }
        self.handle = handle
    }

    deinit {
        libdeflate_free_decompressor(handle)
    }

    /// Decompresses data that must come to exactly `size` bytes; nil when it does not.
    func inflate(_ data: [UInt8], to size: Int) -> [UInt8]? {
        // libdeflate wants somewhere to write even when it is to write nothing.
        var result = LIBDEFLATE_BAD_DATA
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, filled in
            result = libdeflate_deflate_decompress(handle, data, data.count, buffer.baseAddress, size, nil)
            filled = result == LIBDEFLATE_SUCCESS ? size : 0
        }
        return result == LIBDEFLATE_SUCCESS ? bytes : nil
    }
}

/// The CRC-32 that zip, 7z and PNG use.
func checksum(of bytes: [UInt8]) -> UInt32 {
    libdeflate_crc32(0, bytes, bytes.count)
}
