/// Makes tars as the seventh edition of Unix had them: no magic, only a checksum.
enum TarBuilder {
    static func bytes(_ items: [(name: [UInt8], data: [UInt8])], isUstar: Bool = false) -> [UInt8] {
        var file: [UInt8] = []
        for item in items {
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ bytes: [UInt8], _ offset: Int) {
                header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            }
            put(item.name, 0)
            put(octal(0o644, 7), 100)
            put(octal(item.data.count, 11), 124)
            put(octal(0, 11), 136)
            put([0x30], 156)
            if isUstar { put(Array("ustar\u{0}00".utf8), 257) }
            file += withChecksum(header) + item.data + [UInt8](repeating: 0, count: (512 - item.data.count % 512) % 512)
        }
        return file + [UInt8](repeating: 0, count: 1024)
    }

    /// A header with the sum of its bytes, which counts itself as spaces.
    static func withChecksum(_ header: [UInt8]) -> [UInt8] {
        var header = header
        header.replaceSubrange(148..<156, with: Array("        ".utf8))
        header.replaceSubrange(148..<155, with: octal(header.reduce(0) { $0 + Int($1) }, 6) + [0])
        return header
    }

    private static func octal(_ value: Int, _ digits: Int) -> [UInt8] {
        let text = String(value, radix: 8)
        return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
    }
}
