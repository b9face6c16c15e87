extension JPEGTables {
    /// The quality, 1 to 100 on libjpeg's scale, at which libjpeg would quantise the luma most like this JPEG does.
    ///
    /// For tables that libjpeg made it is the quality they were made with; for others the one with the least sum of
    /// differences.
    public var estimatedQuality: Int {
        let luma = luma.map(Int.init)
        func difference(_ quality: Int) -> Int {
            zip(JPEGTables.luma(quality: quality), luma).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        // From the top down, for a table with equal differences to two to be kept the better.
        return (1...100).reversed().map { (quality: $0, difference: difference($0)) }
            .min { $0.difference < $1.difference }?.quality ?? 100
    }

    /// What libjpeg makes of the standard's table (`jpeg_quality_scaling`, `jpeg_add_quant_table`).
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
