internal import Imaging
internal import PageModel

/// The difference of two images where they have detail, as a screen with few gray levels shows it.
///
/// White paper hides losses, so blocks without detail do not count.
struct DetailDifference {
    /// The root of the mean square of the differences, in levels from 0 to 255.
    let rootMeanSquare: Double

    /// The pixels of a side of a block: those that a JPEG compresses together.
    private static let side = 8
    /// The least range of levels in a block with detail.
    private static let minimumRange = 24

    /// - Parameter levels: the gray levels of the screen, 2 to 256.
    /// - Returns: nil for images of different sizes, or without detail.
    init?(_ one: Raster, _ other: Raster, levels: Int) {
        let (one, other) = (one.brightness, other.brightness)
        guard one.size == other.size else { return nil }
        let shown = (0...255).map { level -> Int in
            let step = (level * (levels - 1) + 127) / 255
            return step * 255 / max(1, levels - 1)
        }
        let (width, height, side) = (one.size.width, one.size.height, DetailDifference.side)
        var (sum, count) = (0, 0)
        for top in stride(from: 0, to: height, by: side) {
            for left in stride(from: 0, to: width, by: side) {
                var (darkest, lightest, squares) = (255, 0, 0)
                let (rows, columns) = (top..<min(height, top + side), left..<min(width, left + side))
                for row in rows {
                    for place in row * width + columns.lowerBound..<row * width + columns.upperBound {
                        let (level, changed) = (Int(one.samples[place]), Int(other.samples[place]))
                        (darkest, lightest) = (min(darkest, level), max(lightest, level))
                        let difference = shown[level] - shown[changed]
                        squares += difference * difference
                    }
                }
                guard lightest - darkest >= DetailDifference.minimumRange else { continue }
                sum += squares
                count += rows.count * columns.count
            }
        }
        guard count > 0 else { return nil }
        rootMeanSquare = (Double(sum) / Double(count)).squareRoot()
    }
}

extension Raster {
    /// The image in gray of 8 bits.
    fileprivate var brightness: Raster { reducedToGray(by: 1) }
}
