internal import Imaging
internal import PageModel

/// The tiles of a preview with the light of their paper, as far as they show any.
///
/// Paper is the lightest flat part of a tile. A screentone has no flat pixels, so even its lightest tiles
/// show no paper.
struct PaperTiles {
    /// The side of a tile in pixels, and the number of tiles across and down.
    let side: Int
    let across: Int
    let down: Int
    /// The light of each channel of each tile's paper, channel by channel; 0 for a tile without any.
    let light: [[Float]]
    /// The brightness of each tile's paper, as light; 0 for a tile without any.
    let brightness: [Float]
    /// The brightness of the pixels.
    let luma: [UInt8]
    /// The part of the page that counts, and the number of tiles in it.
    let area: AreaShare
    let count: Int

    /// - Parameters:
    ///   - raster: gray or RGB of 8 bits.
    ///   - luma: the brightness of its pixels.
    ///   - area: the part of the page that counts. Tiles outside it show no paper.
    init(_ raster: Raster, luma: [UInt8], in area: AreaShare = .page) {
        let (width, height) = (raster.size.width, raster.size.height)
        let side = max(PaperLimits.minimumTile, min(width, height) / PaperLimits.tilesAcross)
        let (across, down) = (max(1, width / side), max(1, height / side))
        let steps = PaperTiles.steps(luma, width, height)
        let grain = PaperTiles.grain(steps, luma)
        let channels = raster.format.hasColor ? 3 : 1
        var light = [[Float]](repeating: [Float](repeating: 0, count: across * down), count: channels)
        let band = max(PaperLimits.minimumBand, 2 * Int(grain))
        let (shownColumns, shownRows) = (area.columns(of: raster.size), area.rows(of: raster.size))
        var count = 0
        raster.samples.withUnsafeBufferPointer { samples in
            luma.withUnsafeBufferPointer { luma in
                steps.withUnsafeBufferPointer { steps in
                    for tile in 0..<across * down {
                        let (x, y) = (tile % across, tile / across)
                        // The last tile of a row or column also covers the pixels that are left.
                        let columns = x * side..<(x + 1 == across ? width : (x + 1) * side)
                        let rows = y * side..<(y + 1 == down ? height : (y + 1) * side)
                        guard columns.clamped(to: shownColumns) == columns, rows.clamped(to: shownRows) == rows else {
                            continue
                        }
                        count += 1
                        guard grain > 0, let level = PaperTiles.level(columns, rows, width, luma, steps, grain),
                            let sums = PaperTiles.sums(
                                columns, rows, width, samples, luma, steps, grain, level - band...level + band, channels
                            )
                        else { continue }
                        for channel in 0..<channels { light[channel][tile] = sums[channel] }
                    }
                }
            }
        }
        (self.side, self.across, self.down, self.light) = (side, across, down, light)
        (self.luma, self.area, self.count) = (luma, area, count)
        brightness = PaperTiles.brightness(of: light)
    }

    /// Returns the brightness at each place, as light, from planes of gray or of red, green and blue.
    static func brightness(of planes: [[Float]]) -> [Float] {
        guard planes.count == 3 else { return planes[0] }
        return planes[0].indices.map { 0.2126 * planes[0][$0] + 0.7152 * planes[1][$0] + 0.0722 * planes[2][$0] }
    }

    /// Returns for each pixel the greater of the differences to the next one to the right and below.
    private static func steps(_ luma: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height) { output, count in
            luma.withUnsafeBufferPointer { luma in
                for y in 0..<height {
                    let row = y &* width
                    let below = y + 1 < height ? width : 0
                    // The last pixel of a row has the first of the next one to its right, which does no harm.
                    let end = below > 0 ? row &+ width : row &+ width &- 1
                    for place in row..<end {
                        let (own, right, under) = (luma[place], luma[place &+ 1], luma[place &+ below])
                        let (low, high) = (min(own, min(right, under)), max(own, max(right, under)))
                        output[place] = max(high &- own, own &- low)
                    }
                    if below == 0 { output[end] = 0 }
                }
            }
            count = width * height
        }
    }

    /// Returns the maximum difference of neighboring pixels of the paper, from the usual one of the lighter half of the page.
    ///
    /// It is 0 if that half has a texture, as paper does not.
    private static func grain(_ steps: [UInt8], _ luma: [UInt8]) -> UInt8 {
        // A prime, so that no column is sampled repeatedly.
        let places = stride(from: 0, to: luma.count, by: 7)
        var levels = [Int](repeating: 0, count: 256)
        for place in places { levels[Int(luma[place])] += 1 }
        let median = levels.place(ofShare: 1, of: 2)
        var counts = [Int](repeating: 0, count: 256)
        for place in places where Int(luma[place]) >= median { counts[Int(steps[place])] += 1 }
        let grain = PaperLimits.grainFactor * counts.place(ofShare: 1, of: 2) + PaperLimits.grainAddend
        return grain > PaperLimits.grain.upperBound ? 0 : UInt8(max(grain, PaperLimits.grain.lowerBound))
    }

    /// Returns the level of a tile's paper; nil for a tile without flat pixels.
    private static func level(
        _ columns: Range<Int>, _ rows: Range<Int>, _ width: Int, _ luma: UnsafeBufferPointer<UInt8>,
        _ steps: UnsafeBufferPointer<UInt8>, _ grain: UInt8
    ) -> Int? {
        var counts = [Int](repeating: 0, count: 256)
        for y in rows {
            for place in y * width + columns.lowerBound..<y * width + columns.upperBound where steps[place] <= grain {
                counts[Int(luma[place])] &+= 1
            }
        }
        let flat = counts.reduce(0, +)
        guard Double(flat) >= PaperLimits.minimumTileShare * Double(columns.count * rows.count) else { return nil }
        return counts.place(ofShare: PaperLimits.percentile, of: 100)
    }

    /// Returns the mean light of each channel of the flat pixels within a band of levels; nil for too few of them.
    private static func sums(
        _ columns: Range<Int>, _ rows: Range<Int>, _ width: Int, _ samples: UnsafeBufferPointer<UInt8>,
        _ luma: UnsafeBufferPointer<UInt8>, _ steps: UnsafeBufferPointer<UInt8>, _ grain: UInt8,
        _ band: ClosedRange<Int>, _ channels: Int
    ) -> [Float]? {
        var sums = SIMD3<Float>.zero
        let levels = UInt8(clamping: band.lowerBound)...UInt8(clamping: band.upperBound)
        var count = 0
        SRGBCurve.light8.withUnsafeBufferPointer { light in
            for y in rows {
                let row = y &* width
                for place in row &+ columns.lowerBound..<row &+ columns.upperBound
                where steps[place] <= grain && levels.contains(luma[place]) {
                    count &+= 1
                    if channels == 1 {
                        sums.x += light[Int(samples[place])]
                    } else {
                        let first = 3 &* place
                        sums += SIMD3(
                            light[Int(samples[first])], light[Int(samples[first &+ 1])],
                            light[Int(samples[first &+ 2])])
                    }
                }
            }
        }
        guard Double(count) >= PaperLimits.minimumTileShare * Double(columns.count * rows.count) else { return nil }
        return (0..<channels).map { sums[$0] / Float(count) }
    }
}

extension [Int] {
    /// Returns the place of a histogram below which a share of its values lies.
    func place(ofShare part: Int, of whole: Int) -> Int {
        let target = reduce(0, +) * part / whole
        var sum = 0
        for (place, count) in enumerated() {
            sum += count
            if sum > target { return place }
        }
        return count - 1
    }
}
