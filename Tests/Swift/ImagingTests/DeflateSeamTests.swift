import CDeflate
import PageModel
import Scratch
import Testing

@testable import Imaging

@Suite struct DeflateSeamTests {
    struct Broken: Error {}

    /// Data that brings out one kind of block or code, or another.
    enum Kind: CaseIterable {
        case zeros
        case noise
        case fewValues
        case text
        case ramp
        case mixture

        func bytes(_ count: Int, _ random: inout SplitMix) -> [UInt8] {
            switch self {
            case .zeros:
                return [UInt8](repeating: 0, count: count)
            case .noise:
                return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case .fewValues:
                // Rare values have long codes.
                return (0..<count).map { _ in UInt8(random.next().trailingZeroBitCount) }
            case .text:
                let words = ["jisui ", "page ", "folio ", "recto\n", "verso ", "quire, ", "gathering "]
                var text: [UInt8] = []
                while text.count < count { text += words[Int.random(in: 0..<words.count, using: &random)].utf8 }
                return Array(text.prefix(count))
            case .ramp:
                return (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3 &+ $0 / 257) }
            case .mixture:
                var bytes: [UInt8] = []
                while bytes.count < count {
                    let kind = Kind.allCases[Int.random(in: 0..<5, using: &random)]
                    bytes += kind.bytes(Int.random(in: 1...40_000, using: &random), &random)
                }
                return Array(bytes.prefix(count))
            }
        }
    }

    private static func deflated(_ bytes: [UInt8], level: CInt) throws -> [UInt8] {
        guard let compressor = libdeflate_alloc_compressor(level) else { throw Broken() }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_deflate_compress_bound(compressor, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = libdeflate_deflate_compress(compressor, bytes, bytes.count, buffer.baseAddress, bound)
        }
    }

    private static func inflated(
        _ stream: [UInt8], to count: Int, _ inflate: (OpaquePointer, inout [UInt8]) -> libdeflate_result
    ) throws -> [UInt8] {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw Broken() }
        defer { libdeflate_free_decompressor(decompressor) }
        // Longer by one than it may become.
        var bytes = [UInt8](repeating: 0xEE, count: count + 1)
        guard inflate(decompressor, &bytes) == LIBDEFLATE_SUCCESS else { throw Broken() }
        return bytes
    }

    @Test(arguments: Kind.allCases, [0, 1, 4, 6, 12] as [CInt])
    func piecesInARowAreOneStream(_ kind: Kind, _ level: CInt) throws {
        var random = SplitMix(seed: UInt64(level))
        for length in [0, 1, 2, 3, 7, 64, 1000, 65_535, 65_536, 200_001] {
            var whole: [UInt8] = []
            var stream: [UInt8] = []
            for _ in 0..<(length < 2000 ? 9 : 3) {
                let bytes = kind.bytes(length == 0 ? 0 : Int.random(in: length / 2...length, using: &random), &random)
                var piece = try Self.deflated(bytes, level: level)
                DeflateSeam.open(&piece)
                whole += bytes
                stream += piece
            }
            stream += DeflateSeam.end
            var (consumed, produced) = (0, 0)
            let back = try Self.inflated(stream, to: whole.count) { decompressor, bytes in
                libdeflate_deflate_decompress_ex(
                    decompressor, stream, stream.count, &bytes, bytes.count, &consumed, &produced)
            }
            #expect(produced == whole.count && Array(back.prefix(produced)) == whole, "\(length)")
            #expect(consumed == stream.count, "\(length)")
        }
    }

    /// Every end of a block inside a byte, and at its border.
    @Test func endsAtEveryBitCanBeOpened() throws {
        var random = SplitMix(seed: 9)
        var seen: Set<Int> = []
        for count in 1..<400 {
            let bytes = Kind.fewValues.bytes(count, &random)
            let stream = try Self.deflated(bytes, level: 6)
            let last = try #require(DeflateSeam.lastBlock(of: stream))
            seen.insert(last.upperBound % 8)
            var open = stream
            DeflateSeam.open(&open)
            // The opened stream is one without an end.
            #expect(DeflateSeam.lastBlock(of: open) == nil)
            #expect(DeflateSeam.lastBlock(of: open + DeflateSeam.end)?.lowerBound == open.count * 8)
        }
        #expect(seen == Set(0..<8))
    }

    @Test(arguments: Kind.allCases) func joinedPiecesAreAZlibStream(_ kind: Kind) throws {
        var random = SplitMix(seed: 11)
        for pieces in [0, 1, 2, 5] {
            var whole: [UInt8] = []
            var stream: [UInt8] = []
            var joiner = ZlibJoiner()
            for index in 0..<pieces {
                let bytes = kind.bytes(index == 1 ? 0 : Int.random(in: 1...150_000, using: &random), &random)
                stream += joiner.append(DeflatePiece(bytes, level: 4))
                whole += bytes
            }
            stream += joiner.finish()
            // The checksum is part of what libdeflate looks at.
            var produced = 0
            let back = try Self.inflated(stream, to: whole.count) { decompressor, bytes in
                libdeflate_zlib_decompress(decompressor, stream, stream.count, &bytes, bytes.count, &produced)
            }
            #expect(produced == whole.count && Array(back.prefix(produced)) == whole)
        }
    }

    /// The fallback without enough memory for a compressor.
    @Test(arguments: [0, 1, 65_534, 65_535, 65_536, 200_000]) func storedBlocksRoundTrip(_ count: Int) throws {
        var random = SplitMix(seed: 13)
        let whole = Kind.mixture.bytes(count, &random)
        let (plain, zlib) = whole.withUnsafeBytes { (Deflate.stored($0, .plain), Deflate.stored($0, .zlib)) }
        var produced = 0
        let back = try Self.inflated(zlib, to: count) { decompressor, bytes in
            libdeflate_zlib_decompress(decompressor, zlib, zlib.count, &bytes, bytes.count, &produced)
        }
        #expect(produced == count && Array(back.prefix(produced)) == whole)
        #expect(Array(zlib.dropFirst(2).dropLast(4)) == plain)
        var opened = plain
        DeflateSeam.open(&opened)
        let closed = opened + DeflateSeam.end
        let joined = try Self.inflated(closed, to: count) { decompressor, bytes in
            libdeflate_deflate_decompress(decompressor, closed, closed.count, &bytes, bytes.count, &produced)
        }
        #expect(produced == count && Array(joined.prefix(produced)) == whole)
    }
}
