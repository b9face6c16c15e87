import Imaging
import PageModel
import Testing

@Suite struct JPEGQualityTests {
    private static func file(_ fidelity: JPEGWriter.Fidelity, _ format: PixelFormat) throws -> [UInt8] {
        let writer = try JPEGWriter(size: PixelSize(width: 8, height: 8), format: format, fidelity: fidelity)
        try writer.write([UInt8](repeating: 90, count: 8 * format.bitsPerPixel))
        return try writer.finish()
    }

    @Test(arguments: 1...100) func libjpegsQualityIsFound(_ quality: Int) throws {
        for format in [PixelFormat.gray(bits: 8), .rgb(bits: 8)] {
            let tables = try #require(JPEGTables(try Self.file(.quality(quality), format)))
            #expect(tables.estimatedQuality == quality)
        }
    }

    /// Tables that are nearly those of a quality, as other encoders make them.
    @Test(arguments: [10, 35, 50, 75, 92]) func otherTablesAreNear(_ quality: Int) throws {
        let file = try Self.file(.quality(quality), .gray(bits: 8))
        let table = try #require(JPEGTables(file)).luma
        // DQT: marker, length, number, then the values.
        let start = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDB]) }) + 5
        #expect(file[start] == UInt8(table[0]))
        let changed = file.patched(
            at: start + 10, [file[start + 10] &+ 2, file[start + 11] &- 1, file[start + 12] &+ 1])
        let tables = try #require(JPEGTables(changed))
        #expect(tables.luma != table)
        #expect(abs(tables.estimatedQuality - quality) <= 1)
    }
}
