internal import PageModel

/// The detection of dirt on a page with too little text for a comparison with its neighbors.
extension RasterReading {
    /// Whether a group is dust, or a hair.
    static func isNoise(_ group: Group, unit: Double, isClean: Bool) -> Bool {
        let extent = Double(group.largest) / unit
        if group.blobCount <= 2, extent <= (isClean ? 3 : 5), Double(group.area) <= (isClean ? 6 : 28) * unit * unit {
            return true
        }
        if isClean || group.blobCount > 3 { return false }
        return isHair(group.longest, unit: unit)
    }

    /// Whether a speck is as large as a period, and in a line or column of text.
    ///
    /// - Parameters:
    ///   - text: the boxes of groups. The groups are certainly content.
    ///   - symbols: the boxes of the blobs in them.
    static func isPunctuation(_ group: Group, beside text: [Bounds], among symbols: [Bounds], unit: Double)
        -> Bool
    {
        let extent = Double(group.largest) / unit
        // Marks smaller than 0.5 mm are dust.
        guard group.blobCount <= 2, extent <= 5, extent > 3.2 else { return false }
        // A smaller mark must be nearer, unless symbols of its size are usual in the text.
        let alike = symbols.lazy.filter {
            abs($0.width - group.box.width) <= 1 && abs($0.height - group.box.height) <= 1
        }
        let reach = Int((extent > 4 ? 18 : alike.prefix(minimumSimilar).count == minimumSimilar ? 13 : 8) * unit)
        let (box, x, y) = (group.box, (group.box.left + group.box.right) / 2, (group.box.top + group.box.bottom) / 2)
        return text.contains { other in
            let isAtSide =
                other.top <= y && y < other.bottom && box.left - reach < other.right
                && other.left < box.right + reach
            let isBelow =
                other.left <= x && x < other.right && box.top - reach < other.bottom
                && other.top < box.bottom + reach
            return isAtSide || isBelow
        }
    }

    /// The minimum number of symbols of one size that makes it the size of periods rather than of dust.
    private static let minimumSimilar = 4
}
