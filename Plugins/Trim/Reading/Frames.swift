internal import PageModel

/// The panels of a comic: straight lines that end the drawing.
extension RasterReading {
    /// For the left, top, right and bottom of the printed area, whether lines run along a good part of it.
    ///
    /// If they do, the printed area ends there, and a gutter or a border follows. Where an image fades out, as a sky does, such
    /// lines are missing.
    var hasFrames: [Bool] {
        guard let content, classifier == nil else { return [false, false, false, false] }
        let reach = Int(clamping: (3 * unit).rounded(.up), to: 2...1_000_000)
        var (left, right) = (
            [Bool](repeating: false, count: content.height),
            [Bool](repeating: false, count: content.height)
        )
        var (top, bottom) = (
            [Bool](repeating: false, count: content.width), [Bool](repeating: false, count: content.width)
        )
        for run in ink.runs where ink.blobs[Int(run.blob)].group >= 0 {
            let (row, start, end) = (Int(run.row), Int(run.start), Int(run.end))
            guard content.top <= row, row < content.bottom, content.left <= start, end <= content.right
            else { continue }
            if start < content.left + reach { left[row - content.top] = true }
            if end > content.right - reach { right[row - content.top] = true }
            if row < content.top + reach { for x in start..<end { top[x - content.left] = true } }
            if row >= content.bottom - reach { for x in start..<end { bottom[x - content.left] = true } }
        }
        return [left, top, right, bottom].map { line in
            // A short line is a dot of the screentone, or a figure's outline.
            let long = line.split(separator: false).map(\.count).filter {
                Double($0) >= RasterReading.minimumLineLength * unit
            }
            return Double(long.reduce(0, +)) >= RasterReading.minimumFrameShare * Double(line.count)
        }
    }

    /// The minimum length of a line, in units.
    private static let minimumLineLength = 20.0
    /// The minimum fraction of the side's length: one panel of three.
    private static let minimumFrameShare = 0.25
}
