import Imaging
import PageModel
import Scratch
import Testing

@Suite struct JPEGReaderTests {
    /// A JPEG longer than one read, with a long segment to be skipped.
    private static func file(_ size: PixelSize, isProgressive: Bool = false) throws -> [UInt8] {
        var random = SplitMix(seed: 1)
        let format = PixelFormat.rgb(bits: 8)
        let writer = try JPEGWriter(size: size, format: format, fidelity: .quality(95), isProgressive: isProgressive)
        try writer.write(SyntheticJPEG.slopes(size, format, &random))
        let file = try writer.finish()
        let long: [UInt8] = [0xFF, 0xED, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
        return Array(file[..<20]) + long + long + file[20...]
    }

    /// Reads all rows, in parts of chance.
    private static func rows(_ reader: JPEGReader, _ random: inout SplitMix) throws -> [UInt8] {
        var samples: [UInt8] = []
        var left = reader.size.height
        while left > 0 {
            let count = Int.random(in: 1...min(left, 40), using: &random)
            samples += try reader.read(rows: count)
            left -= count
        }
        return samples
    }

    @Test(arguments: [false, true]) func portionsAreReadLikeMemory(_ isProgressive: Bool) throws {
        var random = SplitMix(seed: 2)
        let file = try Self.file(PixelSize(width: 211, height: 157), isProgressive: isProgressive)
        #expect(file.count > 1 << 17)
        let wanted = try JPEGDecoder.decode(file, maximumPixels: 1 << 20).raster
        // The bytes after the picture do not matter.
        for portions in [FilePortions(file), FilePortions(file + file)] {
            let reader = try JPEGReader(portions, profile: [3])
            #expect(reader.size == wanted.size)
            #expect(reader.iccProfile == [3])
            #expect(try Self.rows(reader, &random) == wanted.samples)
            #expect(reader.diagnostic == nil)
            #expect(throws: PictureFault.self) { try reader.read(rows: 1) }
        }
        // Many at once do not disturb each other.
        let readers = try (0..<3).map { _ in try JPEGReader(FilePortions(file), profile: nil) }
        var samples = readers.map { _ in [UInt8]() }
        for _ in 0..<157 {
            for (index, reader) in readers.enumerated() { samples[index] += try reader.read(rows: 1) }
        }
        for each in samples { #expect(each == wanted.samples) }
    }

    @Test func truncatedFileIsReadLikeMemory() throws {
        var random = SplitMix(seed: 3)
        let file = try Self.file(PixelSize(width: 97, height: 61))
        let scan = try #require(JPEGHeader(file)?.scanOffset)
        let ends = (0..<20).map { _ in Int.random(in: scan..<file.count, using: &random) }
        for count in ends + [file.count - 2, file.count - 1, 300, 65_000] {
            let part = Array(file[..<count])
            guard let memory = try? JPEGReader(part) else {
                #expect(throws: PictureFault.self) { try JPEGReader(FilePortions(part), profile: nil) }
                continue
            }
            let reader = try JPEGReader(FilePortions(part), profile: nil)
            #expect(try Self.rows(reader, &random) == memory.read(rows: memory.size.height), "\(count)")
            #expect(reader.diagnostic != nil && memory.diagnostic != nil, "\(count)")
        }
    }

    @Test func anyRowsAtATimeAreTheSame() throws {
        var random = SplitMix(seed: 4)
        for kind in JPEGDamageTests.Kind.all {
            let file = try kind.file()
            let wanted = try JPEGDecoder.decode(file, maximumPixels: 1 << 20).raster.samples
            for _ in 0..<10 { #expect(try Self.rows(JPEGReader(file), &random) == wanted) }
            let reader = try JPEGReader(file)
            #expect(try reader.read(rows: 0).isEmpty)
            #expect(throws: PictureFault.self) { try reader.read(rows: 36) }
        }
    }

    @Test(arguments: [1, 2, 4, 8]) func smallerSizesAreRoundedUp(_ scale: Int) throws {
        var random = SplitMix(seed: 5)
        for _ in 0..<30 {
            let size = PixelSize(
                width: .random(in: 1...70, using: &random), height: .random(in: 1...70, using: &random))
            let format = [PixelFormat.gray(bits: 8), .rgb(bits: 8)].randomElement(using: &random) ?? .gray(bits: 8)
            let writer = try JPEGWriter(size: size, format: format, fidelity: .quality(90))
            try writer.write([UInt8](repeating: 60, count: size.area * format.bitsPerPixel / 8))
            let reader = try JPEGReader(try writer.finish(), scale: scale)
            #expect(
                reader.size
                    == PixelSize(
                        width: (size.width + scale - 1) / scale, height: (size.height + scale - 1) / scale))
            #expect(try reader.read(rows: reader.size.height).allSatisfy { (58...62).contains($0) })
        }
    }
}
