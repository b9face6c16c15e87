internal import Glibc

/// The files of `Fixtures/good/Imaging`, whose origins are in ORIGIN.md there, and those of other folders of `Fixtures`.
enum Fixture {
    struct Missing: Error {
        let path: String
    }

    private static let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    /// All bytes of one fixture: "made/…", "bad/…", "good/…", or a file of `Fixtures/good/Imaging`.
    static func bytes(_ name: String) throws -> [UInt8] {
        let path = "\(folder)/Fixtures/\(name.contains("/") ? "" : "good/Imaging/")\(name)"
        guard let file = fopen(path, "rb") else { throw Missing(path: path) }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let count = max(0, ftell(file))
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fread(buffer.baseAddress, 1, count, file)
        }
    }
}

extension [UInt8] {
    /// A copy with these bytes in place of those at an offset.
    func patched(at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return copy
    }
}
