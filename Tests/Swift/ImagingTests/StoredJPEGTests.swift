import Imaging
import PageModel
import Scratch
import Synchronization
import Testing

/// JPEGs that are read in portions.
@Suite struct StoredJPEGTests {
    private static let limit = 1 << 16
    private static let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xDA, 0, 3, 1]
    private static let end: [UInt8] = [0xFF, 0xD9]

    private static func noise(_ size: PixelSize, seed: UInt64) throws -> [UInt8] {
        var random = SplitMix(seed: seed)
        let samples = (0..<3 * size.area).map { _ in UInt8.random(in: 0...255, using: &random) }
        let raster = Raster(size: size, format: .rgb(bits: 8), samples: samples)
        return try PictureEncoder.encode(raster, as: .jpeg, .quality(90))
    }

    @Test func scalingReadsNoPortionTwiceAndNoneThatIsLong() throws {
        let file = try Self.noise(PixelSize(width: 640, height: 700), seed: 1)
        #expect(file.count > 4 * Self.limit)
        var request = DecodeRequest(.jpeg, maximumPixels: 1_000_000)
        request.target = PixelSize(width: 64, height: 70)
        let read = CountedPortions(file)
        let stored = try StoredJPEG(read.portions)
        let image = try PictureDecoder.decode(stored, request)
        #expect(try image.raster == PictureDecoder.decode(file, request).raster)
        #expect(read.longest <= Self.limit && read.total <= file.count + Self.limit)
        #expect(try stored.withoutScans().file == stored.head + Self.end)
        #expect(read.longest <= Self.limit)
    }

    /// A read error is not damage, and no gray rows stand for the missing ones.
    @Test func errorsOfTheSourceRemain() throws {
        let file = try Self.noise(PixelSize(width: 640, height: 320), seed: 2)
        var request = DecodeRequest(.jpeg, maximumPixels: 1_000_000)
        request.target = PixelSize(width: 64, height: 32)
        for place in [0, 70_000, file.count - 1] {
            let portions = FilePortions(count: file.count) { offset, count throws(AdapterError) in
                guard offset + count <= place else { throw CountedPortions.error }
                return Array(file[offset..<offset + count])
            }
            #expect(throws: CountedPortions.error) { try PictureDecoder.decode(StoredJPEG(portions), request) }
            #expect(throws: CountedPortions.error) {
                try JPEGReader(portions, profile: nil).readPortions(rows: 320)
            }
        }
    }

    @Test func truncatedFileKeepsItsBeginning() throws {
        let file = Array(try Self.noise(PixelSize(width: 640, height: 320), seed: 3).dropLast(20_000))
        var request = DecodeRequest(.jpeg, maximumPixels: 1_000_000)
        request.target = PixelSize(width: 64, height: 32)
        let stored = try StoredJPEG(FilePortions(file))
        let image = try PictureDecoder.decode(stored, request)
        #expect(image.diagnostics.count == 1)
        #expect(try stored.withoutScans().file == stored.head)
    }

    /// The end marker, and the length of a segment, may lie across the ends of portions.
    @Test(arguments: [-4, -3, -2, -1, 0, 1]) func bytesAfterTheEndAreKept(_ shift: Int) throws {
        let tail = Array("MotionPhoto".utf8) + [0xFF, 0xD9, 0, 0]
        let table: [UInt8] = [0xFF, 0xC4, 0, 6, 0xFF, 0xD9, 0xFF, 0xD9]
        for middle in [[], table, [0xFF, 0x00, 0xFF, 0xD3], [0xFF]] {
            let data = [UInt8](repeating: 0x11, count: Self.limit + shift)
            let file = Self.head + data + middle + data + middle + Self.end + tail
            let stored = try StoredJPEG(FilePortions(file))
            #expect(stored.head == Self.head)
            let rest = try stored.withoutScans().file
            #expect(rest == Self.head + Self.end + tail)
            #expect(JPEGTrailer.loss(of: rest) != nil && JPEGTrailer.loss(of: rest) == JPEGTrailer.loss(of: file))
            // Without an end marker, all bytes belong to the scan.
            let cut = Self.head + data + middle
            #expect(try StoredJPEG(FilePortions(cut)).withoutScans().file == Self.head)
        }
    }

    /// A video of several hundred megabytes is not in memory.
    @Test func fewBytesAfterTheEndAreRead() throws {
        let other = [UInt8](repeating: 7, count: 900)
        for (tail, loss) in [(other, "900 bytes after its end"), (Array("ftypmp42".utf8) + other, "its video")] {
            let file = Self.head + [1, 2, 3] + Self.end + tail
            let (rest, omitted) = try StoredJPEG(FilePortions(file)).withoutScans(maximumTail: 100)
            #expect(rest == Self.head + Self.end + Array(tail.prefix(100)))
            #expect(JPEGTrailer.loss(of: rest, omitted: omitted) == JPEGTrailer.loss(of: file))
            #expect(JPEGTrailer.loss(of: rest, omitted: omitted)?.english.contains(loss) == true)
        }
    }

    @Test func longSegmentsBelongToTheHead() throws {
        let segment = [0xFF, 0xED, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
        let head = Self.head[..<2] + segment + segment + segment + Self.head[2...]
        let stored = try StoredJPEG(FilePortions(head + [1, 2, 3] + Self.end))
        #expect(stored.head == Array(head))
        // Damage hides the scan.
        #expect(try StoredJPEG(FilePortions(Array(head[..<70_000]))).head == Array(head[..<70_000]))
    }
}

/// Portions that count the bytes which are read.
private final class CountedPortions: Sendable {
    static let error = AdapterError(.unreadable, "a disk error")

    private let file: [UInt8]
    private let counts = Mutex((total: 0, longest: 0))

    init(_ file: [UInt8]) { self.file = file }

    var total: Int { counts.withLock { $0.total } }
    var longest: Int { counts.withLock { $0.longest } }

    var portions: FilePortions {
        FilePortions(count: file.count) { [self] offset, count throws(AdapterError) in
            counts.withLock { $0 = ($0.total + count, max($0.longest, count)) }
            return Array(file[offset..<offset + count])
        }
    }
}
