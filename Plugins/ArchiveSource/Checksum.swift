internal import CDeflate

/// The CRC-32 that zip, RAR and PNG use.
func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { checksum(of: $0, after: 0) }
}

/// The CRC-32 of bytes that come after others, of which it was `sum`.
func checksum(of bytes: UnsafeRawBufferPointer, after sum: UInt32) -> UInt32 {
    // libdeflate takes a null pointer for the wish to begin anew.
    bytes.isEmpty ? sum : libdeflate_crc32(sum, bytes.baseAddress, bytes.count)
}
