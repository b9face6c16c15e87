internal import Marks
internal import PageModel

/// A possible page number: a few isolated small symbols at the outer end of the page's first or last line.
struct NumberMark: Hashable, Sendable {
    let isAtTop: Bool
    let side: Side
    /// The distances of its middle from the page's nearer side, and from the nearer of top and bottom, in fractions of width and
    /// height.
    let (horizontalPosition, verticalPosition): (Double, Double)

    /// Returns the marks of a page, at most one in each corner.
    ///
    /// - Parameter raster: gray of 8 bits, upright, of the whole page.
    static func all(on raster: Raster) -> [NumberMark] {
        let (width, height) = (raster.size.width, raster.size.height)
        let rows = Int(clamping: NumberLimits.Mark.band * Double(height), to: 0...height)
        guard rows > 0, width > 0 else { return [] }
        let unit = Double(min(width, height)) / NumberLimits.Mark.unitsPerSide
        let ratio = NumberLimits.Mark.maximumRatio
        return [true, false].flatMap { isAtTop in
            let first = (isAtTop ? 0 : height - rows) * width
            let part = Raster(
                size: PixelSize(width: width, height: rows), format: raster.format,
                samples: Array(raster.samples[first..<first + rows * width]))
            let marks = Strokes(part).blobs.map(\.box).filter { box in
                NumberLimits.Mark.heights.contains(Double(box.height) / unit)
                    && Double(box.width) >= NumberLimits.Mark.minimumWidth * unit
                    && ratio.height * box.width <= ratio.width * box.height && box.left > 1 && box.right < width - 1
                    && (isAtTop ? box.top > 1 : box.bottom < rows - 1)
            }
            return [Side.left, .right].compactMap { side in
                NumberMark(among: marks, isAtTop: isAtTop, side, of: raster.size, rows: rows)
            }
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
        let reach = Int(clamping: NumberLimits.Mark.outer * Double(size.width), to: 0...size.width)
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
            if Double(span(mark).low - end) >= NumberLimits.Mark.gap * Double(digit) { break }
            number.append(mark)
            end = max(end, span(mark).high)
        }
        let start = span(line[0]).low
        let heights = NumberLimits.Mark.maximumHeights
        let highest = number.map(\.height).max() ?? digit
        guard number.count <= NumberLimits.Mark.maximumDigits, end <= reach,
            Double(end - start) <= NumberLimits.Mark.maximumWidth * Double(digit),
            heights.lower * highest <= heights.higher * (number.map(\.height).min() ?? digit)
        else { return nil }
        (self.isAtTop, self.side) = (isAtTop, side)
        horizontalPosition = Double(start + end) / 2 / Double(size.width)
        verticalPosition = (Double(depth(line[0])) + Double(digit) / 2) / Double(size.height)
    }
}
