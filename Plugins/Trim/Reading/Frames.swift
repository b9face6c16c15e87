internal import PageModel

/// Panels of a comic: straight lines that end what is drawn.
extension RasterReading {
    /// For the left, top, right and bottom of what is printed, whether lines run along it for a good part: then it ends
    /// there, and what follows is a gutter or a border. Where a picture fades out, as a sky does, there are none.
    var hasFrames: [Bool] {
        guard let content, company == nil else { return [false, false, false, false] }
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
            // What is short is no line but a dot of the screentone, or a figure's outline.
            let long = line.split(separator: false).map(\.count).filter { Double($0) >= RasterReading.leastLine * unit }
            return Double(long.reduce(0, +)) >= RasterReading.leastFrame * Double(line.count)
        }
    }

    /// In units.
    private static let leastLine = 20.0
    /// Of the side's length: one panel of three.
    private static let leastFrame = 0.25
}
