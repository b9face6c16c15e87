internal import AdapterKit
internal import ZipFile

/// The flag in a RAR's main header that says whether it is one part of several.
enum RARVolume {
    /// False also for what is no RAR.
    ///
    /// RAR 4: seven bytes of signature, then CRC (2), type 0x73, flags (2), of which bit 0 is "volume". RAR 5: eight
    /// bytes of signature, CRC (4), then as variable-length numbers: size, type 1, flags of which bit 0 announces
    /// one more number, archive flags of which bit 0 is "volume" (rarlab.com/technote.htm).
    static func isOneOfSeveral(_ path: String) -> Bool {
        guard let head = try? ReadableFile(path: path).read(at: 0, upTo: 64),
            head.starts(with: [0x52, 0x61, 0x72, 0x21])
        else { return false }
        return (try? flag(head)) ?? false
    }

    private static func flag(_ head: [UInt8]) throws(AdapterError) -> Bool {
        var cursor = ByteCursor(head[...])
        let signature = try cursor.bytes(7)
        if signature.last == 0 {
            _ = try cursor.bytes(3)
            return try cursor.number(2) & 1 != 0
        }
        _ = try cursor.bytes(5)
        _ = try cursor.variableNumber()
        guard try cursor.variableNumber() == 1 else { return false }
        let flags = try cursor.variableNumber()
        if flags & 1 != 0 { _ = try cursor.variableNumber() }
        return try cursor.variableNumber() & 1 != 0
    }
}
