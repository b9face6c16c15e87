internal import AdapterKit

/// Reads little-endian numbers from the beginning of some bytes to their end.
struct ByteCursor {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The bytes not read yet.
    var remaining: Int { rest.count }

    /// An unsigned number of `count` bytes, least significant first.
    ///
    /// - Throws: `.damaged` when there are not as many bytes, or the number is beyond `Int`.
    mutating func number(_ count: Int) throws(AdapterError) -> Int {
        let value = try bytes(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw .tornStructure }
        return number
    }

    /// The next `count` bytes.
    ///
    /// - Throws: `.damaged` when there are not as many.
    mutating func bytes(_ count: Int) throws(AdapterError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw .tornStructure }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A variable-length number as RAR 5 has them: seven bits a byte, least significant first.
    ///
    /// - Throws: `.damaged` when it has no end within ten bytes.
    mutating func variableNumber() throws(AdapterError) -> Int {
        var value = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            let byte = try number(1)
            value |= (byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .tornStructure
    }
}

extension AdapterError {
    fileprivate static let tornStructure = AdapterError(.damaged, "the archive's own structure is damaged")
}
