internal import LayoutAnalysis

/// The limits of the distinction of specks and periods on a page with too little text for a comparison.
///
/// A unit is a 620th of the page's shorter side. Chosen on seven synthetic books with dust and hairs. Print was cut on
/// none of their pages, and the boxes of their sides have at most 1.06 times the area of the print.
enum SpeckLimits {
    /// The maximum numbers of blobs in a speck and in a hair, which may be broken.
    static let (maximumBlobs, maximumHairBlobs) = (2, 3)
    /// The maximum size of dust, in units: on a scan, and on a cleaned page, where periods are the smallest marks.
    static let (dustSize, cleanDustSize) = (5.0, 3.0)
    /// The maximum area of dust, in squares of the unit: on a scan, and on a cleaned page.
    static let (dustArea, cleanDustArea) = (28.0, 6.0)
    /// The size that a period has more than, in units: 0.5 mm. Smaller marks are dust.
    static let periodSize = 3.2
    /// The size that a large period has more than, in units.
    static let largePeriodSize = 4.0
    /// The minimum number of symbols of one size that makes it the size of periods rather than of dust.
    static let minimumSimilar = 4
    /// The distances from text in units: of a large period, of one of a usual size, and of others.
    static let (largeReach, usualReach, reach) = (18.0, 13.0, 8.0)
}

/// The detection of dirt on a page with too little text for a comparison with its neighbors.
extension RasterReading {
    /// Whether a group is dust, or a hair.
    static func isNoise(_ group: Group, unit: Double, isClean: Bool) -> Bool {
        let extent = Double(group.largest) / unit
        if group.blobCount <= SpeckLimits.maximumBlobs,
            extent <= (isClean ? SpeckLimits.cleanDustSize : SpeckLimits.dustSize),
            Double(group.area) <= (isClean ? SpeckLimits.cleanDustArea : SpeckLimits.dustArea) * unit * unit
        {
            return true
        }
        if isClean || group.blobCount > SpeckLimits.maximumHairBlobs { return false }
        return isHair(group.longest, unit: unit)
    }

    /// Whether a speck is as large as a period, and in a line or column of text.
    ///
    /// - Parameters:
    ///   - text: the boxes of groups. The groups are certainly content.
    ///   - symbols: the boxes of the blobs in them.
    static func isPunctuation(_ group: Group, nextTo text: [Bounds], among symbols: [Bounds], unit: Double)
        -> Bool
    {
        let extent = Double(group.largest) / unit
        // Marks smaller than 0.5 mm are dust.
        guard group.blobCount <= SpeckLimits.maximumBlobs, extent <= SpeckLimits.dustSize,
            extent > SpeckLimits.periodSize
        else { return false }
        // A smaller mark must be nearer, unless symbols of its size are usual in the text.
        let alike = symbols.lazy.filter {
            abs($0.width - group.box.width) <= 1 && abs($0.height - group.box.height) <= 1
        }
        let isUsual = alike.prefix(SpeckLimits.minimumSimilar).count == SpeckLimits.minimumSimilar
        let units =
            extent > SpeckLimits.largePeriodSize
            ? SpeckLimits.largeReach : isUsual ? SpeckLimits.usualReach : SpeckLimits.reach
        let reach = Int(units * unit)
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
}
