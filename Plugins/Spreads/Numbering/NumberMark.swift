internal import AdapterKit
internal import Imaging
internal import PageModel

/// What may be a page's number: a few small signs by themselves at the outer end of its first or last line.
struct NumberMark: Hashable, Sendable {
    let isAtTop: Bool
    let side: Side
    /// How far its middle lies from the page's nearer side, as a share of the page's width, and from the nearer of top and
    /// bottom, as a share of its height.
    let (aside, apart): (Double, Double)

    /// How much of a page's height is looked at, above and below.
    private static let band = 0.16
    /// How far from its sides a number may stand that tells the page's side, as a share of the width: one in the middle
    /// tells nothing.
    private static let outer = 0.4
    /// How high digits are, in 620ths of the page's shorter side.
    private static let heights = 5.0...26.0
    /// In heights of a digit: how far a number is from what stands beside it, and how wide it is at most.
    private static let (gap, mostWidth) = (1.2, 4.5)
    private static let mostDigits = 4

    /// The marks of a page, at most one in each of its corners.
    ///
    /// - Parameter raster: gray of 8 bits, upright, of the whole page.
    static func all(on raster: Raster) -> [NumberMark] {
        let (width, height) = (raster.size.width, raster.size.height)
        let rows = Int(clamping: band * Double(height), to: 0...height)
        guard rows > 0, width > 0 else { return [] }
        let unit = Double(min(width, height)) / 620
        return [true, false].flatMap { isAtTop in
            let first = (isAtTop ? 0 : height - rows) * width
            let part = Raster(
                size: PixelSize(width: width, height: rows), format: raster.format,
                samples: Array(raster.samples[first..<first + rows * width]))
            let signs = Strokes(part).blobs.filter { blob in
                heights.contains(Double(blob.height) / unit) && Double(blob.width) >= 1.2 * unit
                    && 2 * blob.width <= 3 * blob.height && blob.left > 1 && Int(blob.right) < width - 1
                    && (isAtTop ? blob.top > 1 : Int(blob.bottom) < rows - 1)
            }
            return [Side.left, .right].compactMap { side in
                NumberMark(among: signs, isAtTop: isAtTop, side, of: raster.size, rows: rows)
            }
        }
    }

    /// Nil where the outermost signs in a corner are no number.
    ///
    /// - Parameters:
    ///   - signs: what is as high as a digit, in pixels of the band that is looked at.
    ///   - size: of the page.
    ///   - rows: of the band.
    private init?(among signs: [Strokes.Blob], isAtTop: Bool, _ side: Side, of size: PixelSize, rows: Int) {
        /// How far something begins and ends from the page's side.
        func span(_ blob: Strokes.Blob) -> (low: Int, high: Int) {
            side == .left
                ? (Int(blob.left), Int(blob.right)) : (size.width - Int(blob.right), size.width - Int(blob.left))
        }
        /// How far something is from the page's top, or from its bottom.
        func depth(_ blob: Strokes.Blob) -> Int { isAtTop ? Int(blob.top) : rows - Int(blob.bottom) }
        let reach = Int(clamping: NumberMark.outer * Double(size.width), to: 0...size.width)
        guard let outermost = signs.filter({ span($0).high <= reach }).min(by: { depth($0) < depth($1) }) else {
            return nil
        }
        let line = signs.filter { sign in
            let overlap = min(sign.bottom, outermost.bottom) - max(sign.top, outermost.top)
            return 2 * Int(overlap) >= min(sign.height, outermost.height)
        }.sorted { (span($0).low, $0.top) < (span($1).low, $1.top) }
        let digit = line[0].height
        var end = span(line[0]).low
        var number: [Strokes.Blob] = []
        for sign in line {
            if Double(span(sign).low - end) >= NumberMark.gap * Double(digit) { break }
            number.append(sign)
            end = max(end, span(sign).high)
        }
        let start = span(line[0]).low
        let highest = number.map(\.height).max() ?? digit
        guard number.count <= NumberMark.mostDigits, end <= reach,
            Double(end - start) <= NumberMark.mostWidth * Double(digit),
            5 * highest <= 8 * (number.map(\.height).min() ?? digit)
        else { return nil }
        (self.isAtTop, self.side) = (isAtTop, side)
        aside = Double(start + end) / 2 / Double(size.width)
        apart = (Double(depth(line[0])) + Double(digit) / 2) / Double(size.height)
    }
}
