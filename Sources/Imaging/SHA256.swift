internal import CNettle

/// The hash function SHA-256 (FIPS 180-4), for bytes that are added in pieces.
package struct SHA256 {
    private var context = sha256_ctx()
    private static let byteCount = 32

    package init() {
        nettle_sha256_init(&context)
    }

    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    }

    /// Returns the digest of the bytes so far: 32 bytes.
    package func digest() -> [UInt8] {
        var context = context
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        nettle_sha256_digest(&context, SHA256.byteCount, &digest)
        return digest
    }

    /// Returns the digest of the bytes so far, as 64 hexadecimal digits.
    package func hexDigest() -> String {
        let digest = digest()
        return String(unsafeUninitializedCapacity: 2 * digest.count) { text in
            for (index, byte) in digest.enumerated() {
                text[2 * index] = SHA256.digit(byte >> 4)
                text[2 * index + 1] = SHA256.digit(byte & 15)
            }
            return 2 * digest.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Returns the digest of bytes: 32 bytes.
    package static func digest(of message: [UInt8]) -> [UInt8] { hash(of: message).digest() }

    /// Returns the digest of bytes, as 64 hexadecimal digits.
    package static func hexDigest(of message: [UInt8]) -> String { hash(of: message).hexDigest() }

    private static func hash(of message: [UInt8]) -> SHA256 {
        var hash = SHA256()
        hash.update(message)
        return hash
    }
}
