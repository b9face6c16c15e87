package import PageModel

/// A reader of little-endian numbers in a sequence of bytes.
package struct ByteCursor {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The number of unread bytes.
    package var remaining: Int { rest.count }

    /// Reads an unsigned number of `count` bytes in little-endian order.
    ///
    /// - Throws: `.damaged` for missing bytes, or a number that exceeds `Int`.
    package mutating func number(_ count: Int) throws(AdapterError) -> Int {
        let value = try bytes(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw .tornStructure }
        return number
    }

    /// Reads the next `count` bytes.
    ///
    /// - Throws: `.damaged` when there are fewer.
    package mutating func bytes(_ count: Int) throws(AdapterError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw .tornStructure }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Skips the next `count` bytes.
    ///
    /// - Throws: `.damaged` when there are fewer.
    package mutating func skip(_ count: Int) throws(AdapterError) {
        _ = try bytes(count)
    }
}

/// A buffer of bytes under construction, with numbers least significant byte first.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { bytes.count }

    package mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    /// Appends the lower 16 bits of a number.
    package mutating func append16(_ value: Int) {
        append(value, width: 2)
    }

    /// Appends the lower 32 bits of a number.
    package mutating func append32(_ value: Int) {
        append(value, width: 4)
    }

    package mutating func append64(_ value: Int) {
        append(value, width: 8)
    }

    private mutating func append(_ value: Int, width: Int) {
        for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}

extension AdapterError {
    /// The error for headers that contradict themselves or end too early.
    package static let tornStructure = AdapterError(.damaged, "the archive's own structure is damaged")
}
