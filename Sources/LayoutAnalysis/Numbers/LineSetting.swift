internal import PageModel

/// The limits of the comparison of a first line with the lines below it.
///
/// Measured on 432 pages of 22 books whose print people had marked (`docs/accuracy.md`). On 22 pages of one book, a
/// first line with wide spaces looked like a number and a head. With these limits it is text. The limits affect none of
/// the 146 running heads. One head is found only because the lines below it are full. This loses no line of
/// text on these pages, on 427 pages of 27 further books, and on 488 pages of five.
enum LineSettingLimits {
    /// The minimum width of a blank next to a head or a number, in letter heights: justified words are closer.
    static let blank = 4.0
    /// The minimum distance to the next line, as a ratio to the usual distance of the following lines, for a line that
    /// stands apart. Running heads have 0.9 to 2.6, and the first lines of text 0.9 to 1.1.
    static let apart = 1.2
    /// The sizes of a line's letters, as a ratio to the usual letter height, in a line of the text.
    static let letters = 0.8...1.25
    /// The number of lines below a head that fill the text, and the maximum distance of their ends from its edges.
    static let (fullLines, fullLineEnds) = (2, 1.0)
    /// The number of following lines that show the usual distance.
    static let lines = 8
}

/// The setting of a first line, compared with that of the lines below it.
struct LineSetting {
    /// Whether its distance from the next line is larger than that between the following lines.
    let standsApart: Bool
    /// Whether it is set like the lines below, without a wide blank.
    ///
    /// It is then as wide as they are, of the same size, and at the usual distance.
    let isLikeText: Bool

    /// Whether the lines below fill the text from edge to edge, without an indent or an initial.
    ///
    /// A text that begins below a title has one of them in nearly all old books.
    let isAboveFullLines: Bool

    /// - Parameters:
    ///   - boxes: the boxes of the line's letters.
    ///   - following: the boxes of the letters of the following lines.
    ///   - columns: the text, and its column next to marginal notes.
    ///   - letter: the usual height of letters, in pixels.
    ///   - level: the vertical position of a box along the lines of the page.
    init(
        _ boxes: [Bounds], above following: [[Bounds]], in columns: [Bounds], letter: Double, level: (Bounds) -> Double
    ) {
        let levels = ([boxes] + following).map { $0.map(level).median }
        let distances = zip(levels, levels.dropFirst()).map { $1 - $0 }
        let usual = Array(distances.dropFirst()).median
        standsApart = usual > 0 && distances[0] >= LineSettingLimits.apart * usual
        let below = following.prefix(LineSettingLimits.fullLines)
        isAboveFullLines = columns.contains { column in
            column.width.isAtLeast(FirstLineLimits.wideLine, of: columns[0].width)
                && LineSetting.areFull(below, in: column, tolerance: LineSettingLimits.fullLineEnds * letter)
        }
        let height = boxes.map { Double($0.height) }.median
        guard let line = Bounds.union(boxes), !standsApart,
            LineSettingLimits.letters.scaled(by: letter).contains(height)
        else {
            isLikeText = false
            return
        }
        let fills = columns.contains { column in
            line.width.isAtLeast(FirstLineLimits.wideLine, of: column.width)
                && Double(max(column.left - line.left, line.right - column.right)) <= letter
        }
        isLikeText = fills && Double(LineSetting.widestGap(boxes)) < LineSettingLimits.blank * letter
    }

    /// Whether lines reach from one edge of a column to the other.
    private static func areFull(_ lines: ArraySlice<[Bounds]>, in column: Bounds, tolerance: Double) -> Bool {
        lines.count == LineSettingLimits.fullLines
            && lines.allSatisfy { line in
                guard let line = Bounds.union(line) else { return false }
                return Double(max(abs(line.left - column.left), abs(line.right - column.right))) <= tolerance
            }
    }

    /// Returns the widest gap between boxes of a line.
    private static func widestGap(_ boxes: [Bounds]) -> Int {
        let sorted = boxes.sorted { ($0.left, $0.right) < ($1.left, $1.right) }
        var (end, widest) = (sorted.first?.right ?? 0, 0)
        for box in sorted {
            widest = max(widest, box.left - end)
            end = max(end, box.right)
        }
        return widest
    }
}
