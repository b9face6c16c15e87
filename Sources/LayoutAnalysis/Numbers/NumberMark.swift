package import PageModel

/// The limits of the search for marks that may be a page number.
///
/// Measured on: no measurement was recorded.
enum NumberMarkLimits {
    /// The part of a page's height that is examined, above and below.
    static let band = 0.16
    /// The maximum distance from a side for a number that shows the page's side, as a fraction of the width: a centered
    /// one does not.
    static let outer = 0.4
    /// A digit, in units of `PageFraction`. Thinner marks are rules, and wider ones rules or joined letters. The reason for
    /// the ratio was not recorded.
    static let digit = LetterShape(
        heights: TextLineItemLimits.heights, widths: 1.2...LetterShape.any.upperBound, maximumWidthRatio: Ratio(3, 2))
    /// The maximum ratio of the heights of two digits: digits of one number are nearly as high as each other.
    static let maximumHeights = Ratio(8, 5)
}

/// A possible page number: a few isolated small symbols at the outer end of the page's first or last line.
///
/// It shows on which side of its page a number is. Its place must be roughly right on most pages, and an analysis of
/// the page is not needed. `PageFurniture` finds the exact items that may be cropped from a page, and decides about
/// each. It needs the letters, the text and the dirt of the page. An item close to the text counts only if other pages
/// confirm it. Both use the same shapes of numbers (`TextLineItem`).
///
/// Measured on: 23 books of scans with 493 pages, by the rule of `PrintedSides`. These marks show the sides of 180
/// pages, and the numbers of `PageFurniture` those of 78.
package struct NumberMark: Hashable, Sendable {
    package let isAtTop: Bool
    package let side: Side
    /// The distances of its middle from the page's nearer side, and from the nearer of top and bottom, in fractions of width and
    /// height.
    package let (horizontalPosition, verticalPosition): (Double, Double)

    /// Returns the marks of a page, at most one in each corner.
    ///
    /// - Parameter raster: gray of 8 bits, upright, of the whole page.
    package static func all(on raster: Raster) -> [NumberMark] {
        let size = raster.size
        let rows = Int(clamping: NumberMarkLimits.band * Double(size.height), to: 0...size.height)
        guard rows > 0, size.width > 0 else { return [] }
        return [true, false].flatMap { isAtTop in
            let marks = digits(on: raster, rows: rows, isAtTop: isAtTop)
            return [Side.left, .right].compactMap { side in
                NumberMark(among: marks, isAtTop: isAtTop, side, of: size, rows: rows)
            }
        }
    }

    /// Returns the marks as large as a digit in the band at the top or the bottom, in pixels of that band.
    private static func digits(on raster: Raster, rows: Int, isAtTop: Bool) -> [Bounds] {
        let (width, height) = (raster.size.width, raster.size.height)
        let first = (isAtTop ? 0 : height - rows) * width
        let band = Raster(
            size: PixelSize(width: width, height: rows), format: raster.format,
            samples: Array(raster.samples[first..<first + rows * width]))
        let unit = PageFraction.pixels(of: raster.size)
        return Strokes(band).blobs.map(\.box).filter { box in
            // A mark that the edge cuts is not a digit.
            guard NumberMarkLimits.digit.matches(box, unit: unit), box.left > 1, box.right < width - 1 else {
                return false
            }
            return isAtTop ? box.top > 1 : box.bottom < rows - 1
        }
    }

    /// Returns nil if the outermost symbols in a corner are not a number.
    ///
    /// - Parameters:
    ///   - marks: the marks as high as a digit. They are in pixels of the examined band.
    ///   - size: the size of the page.
    ///   - rows: the number of rows of the band.
    private init?(among marks: [Bounds], isAtTop: Bool, _ side: Side, of size: PixelSize, rows: Int) {
        /// Returns the distances from the page's side at which a mark begins and ends.
        func span(_ box: Bounds) -> (low: Int, high: Int) {
            side == .left ? (box.left, box.right) : (size.width - box.right, size.width - box.left)
        }
        /// Returns the distance of a mark from the page's top, or from its bottom.
        func depth(_ box: Bounds) -> Int { isAtTop ? box.top : rows - box.bottom }
        let reach = Int(clamping: NumberMarkLimits.outer * Double(size.width), to: 0...size.width)
        guard let outermost = marks.filter({ span($0).high <= reach }).min(by: { depth($0) < depth($1) }) else {
            return nil
        }
        let line = marks.filter { $0.isOnSameLine(as: outermost) }.sorted {
            (span($0).low, $0.top) < (span($1).low, $1.top)
        }
        let digit = line[0].height
        var end = span(line[0]).low
        var number: [Bounds] = []
        for mark in line {
            if Double(span(mark).low - end) >= TextLineItemLimits.minimumGap * Double(digit) { break }
            number.append(mark)
            end = max(end, span(mark).high)
        }
        let start = span(line[0]).low
        let highest = number.map(\.height).max() ?? digit
        guard TextLineItem.isNumberLike(Bounds.union(number) ?? line[0], number.count), end <= reach,
            highest.isAtMost(NumberMarkLimits.maximumHeights, of: number.map(\.height).min() ?? digit)
        else { return nil }
        (self.isAtTop, self.side) = (isAtTop, side)
        horizontalPosition = Double(start + end) / 2 / Double(size.width)
        verticalPosition = (Double(depth(line[0])) + Double(digit) / 2) / Double(size.height)
    }
}
