internal import CDeflate

/// The checksum of zlib data (RFC 1950), which qpdf and poppler do not compare.
package enum ZlibChecksum {
    private static let headerCount = 2

    /// Returns whether data is damaged, as far as its checksum or its coding shows. The checksum may be missing: some PDF
    /// producers do not count it in the length.
    ///
    /// - Parameter size: the maximum size of the content in bytes. Longer content is not judged.
    package static func isWrong(_ data: [UInt8], size: Int) -> Bool {
        let (result, content, read) = inflated(data, size: size)
        guard result == LIBDEFLATE_SUCCESS else { return result == LIBDEFLATE_BAD_DATA }
        return !matches(content, data, read)
    }

    /// Returns the content of sound data; nil for all other data. As in `isWrong`, the checksum may be missing.
    ///
    /// - Parameter size: the maximum size of the content in bytes.
    package static func soundContent(_ data: [UInt8], size: Int) -> [UInt8]? {
        // Deflate with a window of at most 32 KB and no dictionary: zlib rejects other data.
        guard data.count > headerCount, data[0] & 0x0F == 8, data[0] >> 4 <= 7, data[1] & 0x20 == 0,
            (Int(data[0]) << 8 | Int(data[1])) % 31 == 0
        else { return nil }
        let (result, content, read) = inflated(data, size: size)
        return result == LIBDEFLATE_SUCCESS && matches(content, data, read) ? content : nil
    }

    /// Returns libdeflate's result, the content, and the number of bytes that the coding takes after the header.
    private static func inflated(_ data: [UInt8], size: Int) -> (libdeflate_result, [UInt8], read: Int) {
        guard data.count > headerCount, size > 0, let decompressor = libdeflate_alloc_decompressor() else {
            return (LIBDEFLATE_INSUFFICIENT_SPACE, [], 0)
        }
        defer { libdeflate_free_decompressor(decompressor) }
        var (read, result) = (0, LIBDEFLATE_SUCCESS)
        let content = data.withUnsafeBytes { data in
            [UInt8](unsafeUninitializedCapacity: size) { content, count in
                result = libdeflate_deflate_decompress_ex(
                    decompressor, data.baseAddress.map { $0 + headerCount }, data.count - headerCount,
                    content.baseAddress, size, &read, &count)
                if result != LIBDEFLATE_SUCCESS { count = 0 }
            }
        }
        return (result, content, read)
    }

    private static func matches(_ content: [UInt8], _ data: [UInt8], _ read: Int) -> Bool {
        let stored = data[(headerCount + read)...].prefix(4)
        return stored.count < 4
            || stored.reduce(0) { $0 << 8 | UInt32($1) } == libdeflate_adler32(1, content, content.count)
    }
}
