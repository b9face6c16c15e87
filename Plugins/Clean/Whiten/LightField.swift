internal import Imaging
internal import PageModel

/// The light of the paper at every pixel of a page.
struct LightField {
    /// The grid of factors of each channel, which make the paper white.
    private let factors: [[Float]]
    private let (across, down): (Int, Int)
    private let size: PixelSize
    /// The part of the page that shows the paper.
    private let area: AreaShare
    private let fold: FoldShadow
    private let foldColumns: Interpolation

    init(_ surface: PaperSurface, _ size: PixelSize, channels: Int) {
        (across, down, area, self.size) = (surface.across, surface.down, surface.area, size)
        fold = surface.fold
        foldColumns = FoldShadow.columns(of: area.columns(of: size).count)
        // A preview may be gray though the page is not, and the other way round.
        let own = surface.light.count
        factors = (0..<channels).map { channel in
            surface.grid(own == channels ? channel : own / 2).map { 1 / max($0, 1e-3) }
        }
    }

    /// Divides samples by the light of the paper. Returns the standard deviation of the paper, in levels.
    func divide(_ samples: inout [UInt8], width: Int) -> Float {
        let height = size.height
        let (scales, deviation) = measure(samples)
        let channels = factors.count
        var lines = [[Float]](repeating: [Float](repeating: 1, count: width), count: channels)
        let columns = Interpolation(width, across)
        samples.withUnsafeMutableBufferPointer { samples in
            SRGBCurve.light8.withUnsafeBufferPointer { light in
                SRGBCurve.sample8.withUnsafeBufferPointer { levels in
                    for y in 0..<height {
                        for channel in 0..<channels {
                            fill(&lines[channel], y, channel, columns, scale: scales[channel] * 65535)
                            lines[channel].withUnsafeBufferPointer { line in
                                var place = channels &* y &* width &+ channel
                                for x in 0..<width {
                                    // At most 65535, and never negative or infinite: both factors are bounded.
                                    let value = min(light[Int(samples[place])] * line[x], 65535)
                                    samples[place] = levels[Int(value)]
                                    place &+= channels
                                }
                            }
                        }
                    }
                }
            }
        }
        return deviation
    }

    /// Fills a line with the factors of a row of pixels.
    private func fill(_ line: inout [Float], _ y: Int, _ channel: Int, _ columns: Interpolation, scale: Float) {
        let row = Interpolation.place(y, size.height, down)
        let grid = factors[channel]
        let (upper, lower) = (row.first * across, min(row.first + 1, down - 1) * across)
        let nodes = (0..<across).map { x in
            scale * (grid[upper + x] + (grid[lower + x] - grid[upper + x]) * row.share)
        }
        line.withUnsafeMutableBufferPointer { line in
            columns.share.withUnsafeBufferPointer { share in
                // The processor does this for many pixels at once, because their nodes are the same.
                for (node, pixels) in columns.runs.enumerated() {
                    let first = nodes[node]
                    let slope = nodes[min(node + 1, across - 1)] - first
                    for x in pixels { line[x] = first + slope * share[x] }
                }
            }
        }
        if !fold.isEmpty { fold.divide(&line, y, size, in: area, foldColumns) }
    }

    /// Measures the paper of the page itself.
    ///
    /// Previews differ by a little, because they are averaged before a profile is applied, and they have less grain.
    ///
    /// - Returns: the factor of each channel that makes the median of the paper white, and the standard deviation of its
    ///   levels.
    private func measure(_ samples: [UInt8]) -> (scales: [Float], deviation: Float) {
        let (width, channels, steps) = (size.width, factors.count, WhiteningLimits.steps)
        let range = WhiteningLimits.range
        let step = (range.upperBound - range.lowerBound) / Float(steps)
        var counts = [[Int]](repeating: [Int](repeating: 0, count: steps), count: channels)
        let columns = Interpolation(width, across)
        var line = [Float](repeating: 1, count: width)
        let (shown, rows) = (area.columns(of: size), area.rows(of: size))
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: WhiteningLimits.rowStep) {
            let first = shown.lowerBound + y % WhiteningLimits.columnStep
            for channel in 0..<channels {
                fill(&line, y, channel, columns, scale: 1)
                for x in stride(from: first, to: shown.upperBound, by: WhiteningLimits.columnStep) {
                    let value = SRGBCurve.light8[Int(samples[channels * (y * width + x) + channel])] * line[x]
                    if range.contains(value) {
                        counts[channel][
                            min(steps - 1, Int(clamping: Double((value - range.lowerBound) / step), to: 0...steps))] +=
                            1
                    }
                }
            }
        }
        var (scales, deviation) = ([Float](), Float(0))
        for counts in counts {
            let median = counts.place(ofShare: 1, of: 2)
            var distances = [Int](repeating: 0, count: steps)
            for (place, count) in counts.enumerated() { distances[abs(place - median)] += count }
            let usual = distances.place(ofShare: 1, of: 2)
            let isSeen = counts.contains { $0 > 0 }
            scales.append(isSeen ? 1 / (range.lowerBound + (Float(median) + 0.5) * step) : 1)
            if isSeen { deviation = max(deviation, WhiteningLimits.normal * (Float(usual) + 0.5) * step) }
        }
        let levels = deviation * WhiteningLimits.slope
        return (scales, min(max(levels, WhiteningLimits.deviation.lowerBound), WhiteningLimits.deviation.upperBound))
    }
}

/// The nodes of a grid between which pixels are, for linear interpolation.
struct Interpolation {
    /// The pixels after each node, and the share of the way to the next one for each pixel.
    let runs: [Range<Int>]
    let share: [Float]

    init(_ pixels: Int, _ nodes: Int) {
        let places = (0..<pixels).map { Interpolation.place($0, pixels, nodes) }
        var runs = [Range<Int>](repeating: 0..<0, count: nodes)
        for (pixel, place) in places.enumerated() {
            let start = runs[place.first].isEmpty ? pixel : runs[place.first].lowerBound
            runs[place.first] = start..<pixel + 1
        }
        self.runs = runs
        share = places.map(\.share)
    }

    /// Returns the place of a pixel. A node is in the middle of its tile.
    static func place(_ pixel: Int, _ pixels: Int, _ nodes: Int) -> (first: Int, share: Float) {
        let place = (Float(pixel) + 0.5) * Float(nodes) / Float(max(1, pixels)) - 0.5
        let first = Int(clamping: Double(place.rounded(.down)), to: 0...max(0, nodes - 1))
        return (first, min(max(place - Float(first), 0), 1))
    }
}
