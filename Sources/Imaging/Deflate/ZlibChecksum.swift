internal import CDeflate

/// The checksum of zlib data (RFC 1950), which qpdf and poppler do not compare.
public enum ZlibChecksum {
    /// Returns whether data is damaged, as far as its checksum or its coding shows. The checksum may be missing: some PDF
    /// producers do not count it in the length.
    ///
    /// - Parameter size: the maximum size of the content in bytes. Longer content is not judged.
    public static func isWrong(_ data: [UInt8], size: Int) -> Bool {
        let header = 2
        guard data.count > header, size > 0, let decompressor = libdeflate_alloc_decompressor() else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        var (read, written) = (0, 0)
        var result = LIBDEFLATE_SUCCESS
        let checksum = data.withUnsafeBytes { data in
            var found: UInt32 = 0
            _ = [UInt8](unsafeUninitializedCapacity: size) { content, count in
                result = libdeflate_deflate_decompress_ex(
                    decompressor, data.baseAddress.map { $0 + header }, data.count - header, content.baseAddress, size,
                    &read, &written)
                if result == LIBDEFLATE_SUCCESS { found = libdeflate_adler32(1, content.baseAddress, written) }
                count = 0
            }
            return found
        }
        guard result == LIBDEFLATE_SUCCESS else { return result == LIBDEFLATE_BAD_DATA }
        let stored = data[(header + read)...].prefix(4)
        return stored.count == 4 && stored.reduce(0) { $0 << 8 | UInt32($1) } != checksum
    }
}
