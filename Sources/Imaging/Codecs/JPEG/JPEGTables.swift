/// The quantization tables and the chroma sampling of a JPEG, which decide how much its encoder discarded.
package struct JPEGTables: Hashable, Sendable {
    /// The 64 divisors of the luma's coefficients, row by row.
    package let luma: [UInt16]
    /// The 64 divisors of the chroma's coefficients, row by row; nil for a gray image.
    package let chroma: [UInt16]?
    /// The sampling factor of the luma across; that of the chroma is 1.
    package let horizontal: Int
    /// The sampling factor of the luma down; that of the chroma is 1.
    package let vertical: Int

    /// The sum of the luma's divisors, as a measure of how coarsely it was quantized.
    package var coarseness: Int { luma.reduce(0) { $0 + Int($1) } }

    /// The order of a table's values in the file (ITU-T T.81, figure 5).
    private static let zigzag: [Int] = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14,
        21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60,
        61, 54, 47, 55, 62, 63,
    ]

    /// - Parameter file: a JPEG, or its beginning up to the first scan.
    /// - Returns: nil if tables are missing, or the sampling is unusual.
    package init?(_ file: [UInt8]) {
        guard let header = JPEGHeader(file), [1, 3].contains(header.components.count) else { return nil }
        let tables = header.tables
        guard let first = header.components.first, let luma = tables[first.quantisationTable] else { return nil }
        self.luma = luma
        if header.components.count == 1 {
            chroma = nil
            horizontal = 1
            vertical = 1
            return
        }
        let (second, third) = (header.components[1], header.components[2])
        guard second.horizontal == 1, second.vertical == 1, third.horizontal == 1, third.vertical == 1,
            second.quantisationTable == third.quantisationTable, let chroma = tables[second.quantisationTable]
        else { return nil }
        self.chroma = chroma
        horizontal = first.horizontal
        vertical = first.vertical
    }

    /// Reads the tables of a DQT segment (ITU-T T.81, B.2.4.1).
    static func read(_ contents: ByteReader, into tables: inout [Int: [UInt16]]) {
        var offset = 0
        while let head = contents.uint8(at: offset) {
            let width = head >> 4 == 0 ? 1 : 2
            var table = [UInt16](repeating: 0, count: 64)
            for (index, place) in zigzag.enumerated() {
                let at = offset + 1 + index * width
                guard let value = width == 1 ? contents.uint8(at: at) : contents.uint16(at: at) else { return }
                table[place] = UInt16(value)
            }
            tables[head & 15] = table
            offset += 1 + 64 * width
        }
    }
}

extension JPEGTables {
    /// The quality, 1 to 100 on libjpeg's scale, whose luma quantization is closest to this JPEG's.
    ///
    /// For tables of libjpeg it is the quality with which they were made; for others the one with the least sum of differences.
    package var estimatedQuality: Int {
        let luma = luma.map(Int.init)
        func difference(_ quality: Int) -> Int {
            zip(JPEGTables.luma(quality: quality), luma).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        // From the top down, so that a table with equal differences to two qualities gets the better.
        return (1...100).reversed().map { (quality: $0, difference: difference($0)) }
            .min { $0.difference < $1.difference }?.quality ?? 100
    }

    /// Returns libjpeg's version of the standard's table (`jpeg_quality_scaling`, `jpeg_add_quant_table`).
    private static func luma(quality: Int) -> [Int] {
        let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
        return exampleLuma.map { min(max(($0 * scale + 50) / 100, 1), 255) }
    }

    /// The example of ITU-T T.81, table K.1, row by row.
    private static let exampleLuma = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29,
        51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121,
        120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ]
}
