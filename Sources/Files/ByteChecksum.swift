internal import CDeflate

/// The CRC-32 of bytes in memory, to find out whether a file holds them.
struct ByteChecksum: Hashable, Sendable {
    private var count = 0
    private var sum: UInt32 = 0

    mutating func add(_ bytes: [UInt8]) {
        count += bytes.count
        if !bytes.isEmpty { sum = libdeflate_crc32(sum, bytes, bytes.count) }
    }

    /// Whether a file holds exactly the bytes; nil if it cannot be read.
    func isOf(_ path: String) -> Bool? {
        guard let file = try? ReadableFile(path: path) else { return nil }
        guard file.size == count else { return false }
        var own = ByteChecksum()
        while own.count < count {
            guard let bytes = try? file.read(at: own.count, upTo: 1 << 20), !bytes.isEmpty else { return nil }
            own.add(bytes)
        }
        return own == self
    }
}
