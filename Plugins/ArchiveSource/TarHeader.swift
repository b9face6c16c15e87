/// The header block in front of every member of a tar (POSIX.1-1988 "ustar", and what came before it).
enum TarHeader {
    private static let count = 512
    private static let checksumField = 148..<156

    /// Whether a file that begins with these bytes is a tar: by its magic, or, in tars older than that, by the
    /// checksum of the header.
    static func begins(_ head: [UInt8]) -> Bool {
        guard head.count >= count, head[0] != 0 else { return false }
        if head[257...].starts(with: Array("ustar".utf8)) { return true }
        let digits = head[checksumField].drop { $0 == UInt8(ascii: " ") }
            .prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        guard !digits.isEmpty else { return false }
        let stated = digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
        // The field itself counts as blanks. Some old programs summed the bytes as signed numbers.
        let blanks = checksumField.count * Int(UInt8(ascii: " "))
        let others = head[..<checksumField.lowerBound] + head[checksumField.upperBound..<count]
        let unsigned = others.reduce(blanks) { $0 + Int($1) }
        let signed = others.reduce(blanks) { $0 + Int(Int8(bitPattern: $1)) }
        return stated == unsigned || stated == signed
    }
}
