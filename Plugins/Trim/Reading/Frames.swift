internal import LayoutAnalysis
internal import PageModel

/// The limits of the detection of panels. A unit is a 620th of the page's shorter side.
///
/// No measurement of these values is recorded.
enum FrameLimits {
    /// The distance from the end of the printed area within which a line is, in units.
    static let reach = 3.0
    /// The same in pixels: a minimum for small previews, and a bound for any image.
    static let reachPixels = 2...1_000_000
    /// The minimum length of a line, in units: shorter ones are dots of the screentone, or a figure's outline.
    static let minimumLineLength = 20.0
    /// The minimum share of a side with lines: one panel of three, with its gutters.
    static let minimumShare = 0.25
}

/// The panels of a comic: straight lines that end the drawing.
extension RasterReading {
    /// For the left, top, right and bottom of the printed area, whether lines run along a good part of it.
    ///
    /// If they do, the printed area ends there, and a gutter or a border follows. Where an image fades out, as a sky does, such
    /// lines are missing.
    var hasFrames: [Bool] {
        guard let content, classifier == nil else { return [false, false, false, false] }
        let reach = Int(clamping: (FrameLimits.reach * unit).rounded(.up), to: FrameLimits.reachPixels)
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
                Double($0) >= FrameLimits.minimumLineLength * unit
            }
            return Double(long.reduce(0, +)) >= FrameLimits.minimumShare * Double(line.count)
        }
    }
}
