internal import PageModel

/// The outermost part of a page along its left or right edge, on a grid of cells that is the same for every page.
struct EdgeBand {
    /// The gray levels, row by row from the top; column 0 is the one at the edge.
    let levels: [Float]
    /// The variation of the level down the page at several distances further inside.
    let inside: [Dispersion]

    /// - Parameters:
    ///   - frame: the place of the page in the raster, in pixels of the raster. A reduced pixel may extend over its edge.
    ///   - isRight: whether it is the band along the right edge.
    init(_ raster: Raster, _ frame: (left: Double, top: Double, right: Double, bottom: Double), isRight: Bool) {
        let (width, height) = (raster.size.width, raster.size.height)
        let step = (frame.bottom - frame.top) / Double(SeamLimits.Band.rows)
        // Each cell is the mean of its area: first across, then down.
        let across = (0..<SeamLimits.Band.columns).map { column in
            let near = Double(column) * step
            return EdgeBand.column(frame.left, frame.right, inward: near, step, isRight, limit: width)
        }
        let bytesPerRow = raster.bytesPerRow
        var narrow = [Float](repeating: 0, count: height * SeamLimits.Band.columns)
        raster.samples.withUnsafeBufferPointer { samples in
            for y in 0..<height {
                for (column, span) in across.enumerated() {
                    narrow[y * SeamLimits.Band.columns + column] = span.mean { Float(samples[y * bytesPerRow + $0]) }
                }
            }
        }
        var levels = [Float](repeating: 0, count: SeamLimits.Band.rows * SeamLimits.Band.columns)
        for row in 0..<SeamLimits.Band.rows {
            let top = frame.top + Double(row) * step
            let span = PixelSpan(top, top + step, limit: height)
            for column in 0..<SeamLimits.Band.columns {
                levels[row * SeamLimits.Band.columns + column] = span.mean {
                    narrow[$0 * SeamLimits.Band.columns + column]
                }
            }
        }
        self.levels = levels
        inside = SeamLimits.Band.depths.map { depth in
            let inward = depth * (frame.bottom - frame.top)
            let across = EdgeBand.column(frame.left, frame.right, inward: inward, step, isRight, limit: width)
            // Every second row is enough for it.
            let rows = stride(from: 0, to: height, by: 2)
            return raster.samples.withUnsafeBufferPointer { samples in
                Dispersion(rows.map { y in across.mean { Float(samples[y * bytesPerRow + $0]) } })
            }
        }
    }

    /// Returns the range of the column that begins `inward` pixels from an edge.
    private static func column(
        _ left: Double, _ right: Double, inward: Double, _ step: Double, _ isRight: Bool, limit: Int
    ) -> PixelSpan {
        isRight
            ? PixelSpan(right - inward - step, right - inward, limit: limit)
            : PixelSpan(left + inward, left + inward + step, limit: limit)
    }
}

extension EdgeBand {
    /// Returns the gray levels down the page at a column, row by row: the mean of this column and the next.
    func levels(at column: Int) -> [Float] {
        (0..<SeamLimits.Band.rows).map { row in
            let at = row * SeamLimits.Band.columns + column
            return (levels[at] + levels[at + 1]) / 2
        }
    }

    /// The first column that belongs to the image.
    ///
    /// Outside it may be the edge of the paper or of the scan, which is plain and unrelated to its neighbor.
    var firstColumn: Int {
        let similarity = (0...SeamLimits.Band.maximumSkippedColumns + 1).map(similarityToNext)
        guard let best = similarity.max(), best > SeamLimits.Band.minimumSimilarity else { return 0 }
        return similarity.prefix(SeamLimits.Band.maximumSkippedColumns + 1).firstIndex {
            $0 > SeamLimits.Band.likeEnough * best
        } ?? 0
    }

    /// Returns the correlation of a column with the next.
    private func similarityToNext(_ column: Int) -> Float {
        let count = Float(SeamLimits.Band.rows)
        var (one, two, oneOne, oneTwo, twoTwo) = (Float(0), Float(0), Float(0), Float(0), Float(0))
        for row in 0..<SeamLimits.Band.rows {
            let (a, b) = (
                levels[row * SeamLimits.Band.columns + column], levels[row * SeamLimits.Band.columns + column + 1]
            )
            one += a
            two += b
            oneOne += a * a
            oneTwo += a * b
            twoTwo += b * b
        }
        // Added to the power, so that plain paper does not correlate with anything.
        let noise = SeamLimits.Band.grain * count
        let powers = (oneOne - one * one / count + noise) * (twoTwo - two * two / count + noise)
        return (oneTwo - one * two / count) / max(1, powers).squareRoot()
    }
}

/// A stretch of a line of pixels, which may begin and end within a pixel.
struct PixelSpan {
    private let first: Int
    private let last: Int
    /// The part of the first and of the last pixel that belongs to it, 0 to 1.
    private let firstShare: Float
    private let lastShare: Float

    /// - Parameter limit: the number of pixels; places outside are replaced by the pixel at the end.
    init(_ start: Double, _ end: Double, limit: Int) {
        let low = min(max(0, start), Double(limit) - SeamLimits.Band.minimumSpan)
        let high = min(max(low + SeamLimits.Band.minimumSpan, end), Double(limit))
        first = Int(clamping: low.rounded(.down), to: 0...max(0, limit - 1))
        last = Int(clamping: high.rounded(.up) - 1, to: first...max(first, limit - 1))
        firstShare = first == last ? 1 : Float(Double(first + 1) - low)
        lastShare = first == last ? 0 : Float(high - Double(last))
    }

    /// Returns the mean of the levels, given by their index.
    func mean(_ level: (Int) -> Float) -> Float {
        guard last > first else { return level(first) }
        var sum = firstShare * level(first) + lastShare * level(last)
        var weight = firstShare + lastShare
        for place in first + 1..<max(first + 1, last) {
            sum += level(place)
            weight += 1
        }
        return sum / weight
    }
}
