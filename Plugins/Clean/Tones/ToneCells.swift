internal import Imaging
internal import PageModel

/// The measures of a page by cells of about 0.7 mm, which distinguish tones from print.
struct ToneCells {
    /// The side of a cell in pixels, and the number of cells across and down.
    let side: Int
    let across: Int
    let down: Int
    /// The lightest level in each cell, relative to white paper.
    private(set) var light: [UInt8]
    /// The number of pixels as dark as ink in each cell.
    private(set) var ink: [UInt16]
    /// The number of pixels in each cell that have a color of their own.
    private(set) var colored: [UInt16]
    /// The number of changes between ink and paper in each cell, along rows and along columns.
    private(set) var changes: (across: [UInt16], down: [UInt16])

    /// - Parameters:
    ///   - raster: gray or RGB of 8 bits.
    ///   - paper: its paper.
    ///   - tile: the side of the tiles of the paper, in pixels.
    init(_ raster: Raster, on paper: PaperSurface, tile: Int, side: Int) {
        let (width, height) = (raster.size.width, raster.size.height)
        (self.side, across, down) = (side, (width + side - 1) / side, (height + side - 1) / side)
        light = [UInt8](repeating: 0, count: across * down)
        ink = [UInt16](repeating: 0, count: across * down)
        colored = ink
        changes = (ink, ink)
        let factors = ToneCells.factors(paper)
        var own = [UInt8](repeating: UInt8.max, count: width + 1)
        var above = own
        for y in 0..<height {
            swap(&own, &above)
            let row = min(y / tile, paper.down - 1) * paper.across
            level(raster, row: y, factors, tileRow: row, tile, paper.across, into: &own)
            if y == 0 { above = own }
            add(own, below: above, row: y, width)
        }
    }

    /// Returns for each channel and tile the factor from a level to that on white paper, in 256ths.
    private static func factors(_ paper: PaperSurface) -> [[Int32]] {
        paper.light.indices.map { channel in
            paper.grid(channel).map { light in Int32(65_280 / max(32, SRGBCurve.level(light))) }
        }
    }

    /// Fills a row with levels relative to white paper.
    ///
    /// The lightest channel counts, because stains are brown. For a pixel with a color of its own, the darkest one counts.
    private mutating func level(
        _ raster: Raster, row y: Int, _ factors: [[Int32]], tileRow: Int, _ tile: Int, _ tilesAcross: Int,
        into levels: inout [UInt8]
    ) {
        let (width, channels, start) = (raster.size.width, factors.count, y / side * across)
        raster.samples.withUnsafeBufferPointer { samples in
            levels.withUnsafeMutableBufferPointer { levels in
                for column in 0..<tilesAcross {
                    let first = column * tile
                    let end = column == tilesAcross - 1 ? width : min(width, first + tile)
                    let scales = factors.map { $0[tileRow + column] }
                    for x in first..<max(first, end) {
                        var (lowest, highest): (Int32, Int32) = (255, 0)
                        for channel in 0..<channels {
                            let sample = Int32(samples[(y &* width &+ x) &* channels &+ channel])
                            let level = min(255, (sample &* scales[channel]) &>> 8)
                            (lowest, highest) = (min(lowest, level), max(highest, level))
                        }
                        let isColored = highest &- lowest >= ToneLimits.colored
                        levels[x] = UInt8(truncatingIfNeeded: isColored ? lowest : highest)
                        if isColored { colored[start &+ x / side] &+= 1 }
                    }
                }
                levels[width] = levels[width - 1]
            }
        }
    }

    private mutating func add(_ own: [UInt8], below above: [UInt8], row y: Int, _ width: Int) {
        let start = y / side * across
        let (middle, dark) = (ToneLimits.middle, ToneLimits.ink)
        own.withUnsafeBufferPointer { own in
            above.withUnsafeBufferPointer { above in
                for cell in 0..<across {
                    var (lightest, inked, rows, columns): (UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0)
                    for x in cell * side..<min(width, (cell + 1) * side) {
                        let (level, next) = (own[x], own[x &+ 1])
                        // One light pixel alone may be noise.
                        lightest = max(lightest, (UInt16(level) &+ UInt16(next) &+ 2 &* UInt16(above[x])) &>> 2)
                        if level < dark { inked &+= 1 }
                        if (level < middle) != (next < middle) { rows &+= 1 }
                        if (level < middle) != (above[x] < middle) { columns &+= 1 }
                    }
                    light[start + cell] = max(light[start + cell], UInt8(truncatingIfNeeded: lightest))
                    ink[start + cell] &+= inked
                    changes.across[start + cell] &+= rows
                    changes.down[start + cell] &+= columns
                }
            }
        }
    }
}
