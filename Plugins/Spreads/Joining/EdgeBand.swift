internal import PageModel

/// The outermost part of a page along its left or right edge, on a grid that is the same for every page.
struct EdgeBand {
    /// Gray, row by row from the top; column 0 is the one at the edge.
    let levels: [Float]
    /// How the level varies down the page in what lies further inside.
    let inside: [Dispersion]

    /// Into how many rows a page is divided, whatever its size, so that pages of different size compare.
    ///
    /// A stroke of a scanned comic is about a row thick.
    static let rows = 640
    /// How many columns are kept, as wide as a row is high: 7 % of a comic page's width.
    ///
    /// Twice what a fold swallows, and what it takes to see in which direction strokes run beyond that.
    static let columns = 32

    /// Where a margin of a page has ended, as shares of the page's height.
    private static let depths = [0.04, 0.06, 0.08, 0.1, 0.12, 0.14]

    /// - Parameters:
    ///   - frame: where the page lies in the raster, in its pixels: reduced pixels may reach over a page's edges.
    ///   - isRight: whether the right edge is meant.
    init(_ raster: Raster, _ frame: (left: Double, top: Double, right: Double, bottom: Double), isRight: Bool) {
        let (width, height) = (raster.size.width, raster.size.height)
        let step = (frame.bottom - frame.top) / Double(EdgeBand.rows)
        // Each cell is the mean of what it covers: first across, then down.
        let across = (0..<EdgeBand.columns).map { column in
            let near = Double(column) * step
            return EdgeBand.column(frame.left, frame.right, inward: near, step, isRight, limit: width)
        }
        let bytesPerRow = raster.bytesPerRow
        var narrow = [Float](repeating: 0, count: height * EdgeBand.columns)
        raster.samples.withUnsafeBufferPointer { samples in
            for y in 0..<height {
                for (column, span) in across.enumerated() {
                    narrow[y * EdgeBand.columns + column] = span.mean { Float(samples[y * bytesPerRow + $0]) }
                }
            }
        }
        var levels = [Float](repeating: 0, count: EdgeBand.rows * EdgeBand.columns)
        for row in 0..<EdgeBand.rows {
            let top = frame.top + Double(row) * step
            let span = Span(top, top + step, limit: height)
            for column in 0..<EdgeBand.columns {
                levels[row * EdgeBand.columns + column] = span.mean { narrow[$0 * EdgeBand.columns + column] }
            }
        }
        self.levels = levels
        inside = EdgeBand.depths.map { depth in
            let inward = depth * (frame.bottom - frame.top)
            let across = EdgeBand.column(frame.left, frame.right, inward: inward, step, isRight, limit: width)
            // Every second row says it as well.
            let rows = stride(from: 0, to: height, by: 2)
            return raster.samples.withUnsafeBufferPointer { samples in
                Dispersion(rows.map { y in across.mean { Float(samples[y * bytesPerRow + $0]) } })
            }
        }
    }

    /// Where the column lies that begins `inward` pixels from an edge.
    private static func column(
        _ left: Double, _ right: Double, inward: Double, _ step: Double, _ isRight: Bool, limit: Int
    ) -> Span {
        isRight
            ? Span(right - inward - step, right - inward, limit: limit)
            : Span(left + inward, left + inward + step, limit: limit)
    }
}
