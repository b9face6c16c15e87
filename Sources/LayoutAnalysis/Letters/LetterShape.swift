package import PageModel

/// The unit of the sizes of marks, which makes them independent of the resolution.
package enum PageFraction {
    /// The number of units in the shorter side of a page. On a paperback a unit is about 0.17 mm, a pixel of a scan of
    /// 150 dpi.
    private static let unitsAcross = 620.0

    /// Returns the number of pixels in a unit, a 620th of the page's shorter side.
    package static func pixels(of size: PixelSize) -> Double {
        Double(min(size.width, size.height)) / unitsAcross
    }
}

/// The sizes of marks that may be letters, parts of letters, or digits.
///
/// Every search for letters has its own: some need to find all letters, and some only those of usual sizes. Lengths are
/// in a unit that the search states: `PageFraction`, pixels, or the usual height of a letter.
package struct LetterShape: Sendable {
    /// The range of all lengths.
    package static let any = 0...Double.greatestFiniteMagnitude

    private let heights: ClosedRange<Double>
    private let widths: ClosedRange<Double>
    private let extents: ClosedRange<Double>
    private let maximumWidthRatio: Ratio?
    private let maximumHeightRatio: Ratio?

    /// - Parameters:
    ///   - heights: the possible heights.
    ///   - widths: the possible widths.
    ///   - extents: the possible lengths of the longer side.
    ///   - maximumWidthRatio: the maximum ratio of the width to the height. Nil without a limit.
    ///   - maximumHeightRatio: the maximum ratio of the height to the width. Nil without a limit.
    package init(
        heights: ClosedRange<Double> = any, widths: ClosedRange<Double> = any, extents: ClosedRange<Double> = any,
        maximumWidthRatio: Ratio? = nil, maximumHeightRatio: Ratio? = nil
    ) {
        (self.heights, self.widths, self.extents) = (heights, widths, extents)
        (self.maximumWidthRatio, self.maximumHeightRatio) = (maximumWidthRatio, maximumHeightRatio)
    }

    /// Whether a box has such a size.
    ///
    /// - Parameter unit: the unit of the lengths, in pixels.
    package func matches(_ box: Bounds, unit: Double = 1) -> Bool {
        func isIn(_ range: ClosedRange<Double>, _ length: Int) -> Bool {
            Double(length) >= range.lowerBound * unit && Double(length) <= range.upperBound * unit
        }
        return isIn(heights, box.height) && isIn(widths, box.width) && isIn(extents, box.extent)
            && (maximumWidthRatio.map { box.width.isAtMost($0, of: box.height) } ?? true)
            && (maximumHeightRatio.map { box.height.isAtMost($0, of: box.width) } ?? true)
    }
}
