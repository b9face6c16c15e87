import CDeflate
import PageModel
import Testing

@testable import Imaging

@Suite struct ZlibChecksumTests {
    private static let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    private static let packed = content.withUnsafeBytes { Deflate.compressed($0, .zlib, level: 6) }

    @Test func soundDataHasTheRightChecksum() {
        #expect(!ZlibChecksum.isWrong(Self.packed, size: 5000))
        // Bytes that follow it do not count, and it may be missing.
        #expect(!ZlibChecksum.isWrong(Self.packed + [13, 10], size: 5000))
        #expect(!ZlibChecksum.isWrong(Array(Self.packed.dropLast(4)), size: 5000))
    }

    /// In the checksum, and in the coded data.
    @Test(arguments: [1.0, 0.75, 0.5])
    func anyChangedByteIsNoticed(place: Double) {
        var damaged = Self.packed
        damaged[Int(clamping: place * Double(damaged.count - 1), to: 2...damaged.count - 1)] ^= 0x10
        #expect(ZlibChecksum.isWrong(damaged, size: 5000 + 65_536))
    }

    @Test func longerContentIsNotJudged() {
        #expect(!ZlibChecksum.isWrong(Self.packed, size: 4000))
        #expect(!ZlibChecksum.isWrong([], size: 10))
    }

    @Test func soundContentIsComplete() {
        #expect(ZlibChecksum.soundContent(Self.packed, size: 5000) == Self.content)
        #expect(ZlibChecksum.soundContent(Array(Self.packed.dropLast(4)) + [1], size: 65_536) == Self.content)
    }

    /// A header that zlib rejects, a wrong checksum, content that ends early or is too long.
    @Test func unsoundDataHasNoSoundContent() {
        for (place, bit) in [(0, 0x80), (1, 0x01), (Self.packed.count - 1, 0x10)] as [(Int, UInt8)] {
            var damaged = Self.packed
            damaged[place] ^= bit
            #expect(ZlibChecksum.soundContent(damaged, size: 5000) == nil, "byte \(place)")
        }
        #expect(ZlibChecksum.soundContent(Array(Self.packed.dropLast(9)), size: 5000) == nil)
        #expect(ZlibChecksum.soundContent(Self.packed, size: 4999) == nil)
        #expect(ZlibChecksum.soundContent([], size: 10) == nil)
    }
}
