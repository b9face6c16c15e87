/// Bytes with numbers in them, lowest byte first as everywhere in a zip archive.
struct ZipBytes {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    /// The lower 16 bits.
    mutating func append16(_ value: Int) {
        append(value, width: 2)
    }

    /// The lower 32 bits.
    mutating func append32(_ value: Int) {
        append(value, width: 4)
    }

    mutating func append64(_ value: Int) {
        append(value, width: 8)
    }

    private mutating func append(_ value: Int, width: Int) {
        for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
