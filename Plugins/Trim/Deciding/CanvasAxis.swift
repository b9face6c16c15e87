internal import PageModel

/// The limits of the common size. No measurement of these values is recorded.
enum CanvasLimits {
    /// The maximum distance of print from its usual place that is a displacement of the whole page, as a share of the
    /// page. A chapter begins lower, and a verse is narrower.
    static let displacement = 0.03
    /// The share of the page by which the longest print exceeds that of nearly all pages, from which it is an outlier.
    static let outlierReach = 0.1
    /// The bound on the lengths that are tried: two MCUs of the largest size.
    static let trials = 1...64
}

/// One dimension of the size that all pages are to have, with its place on each page.
///
/// A page's print is compared with the usual place of print on pages of its side. If it has the usual length, or one end at the
/// usual place, the difference is the page's displacement. The canvas moves with it, so that print stands where it stood.
struct CanvasAxis {
    private let spans: [Int: CanvasSpan]
    /// For each page that is on a side of its own, the index of the side.
    private let side: [Int: Int]
    private let isAcross: Bool
    /// For each side, the usual beginning and end of print.
    private let usual: [(start: Double, end: Double)]
    /// For each side, the stretch of all print at its usual place, without outliers.
    private var boxes: [(start: Double, end: Double)] = []
    /// The usual length of a page, in pixels of the book.
    private let page: Int
    /// The length of the longest print, in pixels of the book.
    private let longest: Int
    /// The lengths of the pages, in pixels of the book.
    private let lengths: [Int]
    /// The length of the canvas, in pixels of the book: at first that of the print.
    private(set) var length: Int
    private var margin = 0

    /// - Parameters:
    ///   - spans: the pages by their indexes.
    ///   - sides: the pages that define the usual place: all in one list, or one list for each side.
    ///   - side: for each page, the index of its list.
    ///   - isAcross: whether the dimension is the width.
    init(_ spans: [Int: CanvasSpan], sides: [[Int]], side: [Int: Int], isAcross: Bool) {
        (self.spans, self.side, self.isAcross) = (spans, side, isAcross)
        let places = sides.map { pages in pages.compactMap { spans[$0]?.place } }
        usual = places.map { ($0.map(\.start).median, $0.map(\.end).median) }
        lengths = spans.values.map(\.bookLength)
        page = lengths.map { Double($0) }.median.rounded(in: MarginLimits.pixels)
        let prints = places.joined().map { ($0.start - $0.end).rounded(in: -MarginLimits.pixels.upperBound...0) }
        longest = -BookBoxes.outermost(prints, page, reach: CanvasLimits.outlierReach)
        length = longest
        boxes = places.indices.map { box(of: places[$0], on: $0) }
        if !isAcross {
            // The first lines of facing pages are aligned.
            let reach = boxes.indices.map { usual[$0].start - boxes[$0].start }.max() ?? 0
            for side in boxes.indices { boxes[side].start = usual[side].start - reach }
        }
        length = max(longest, longestBox.rounded(in: MarginLimits.pixels))
    }

    /// The length of the longest box of a side.
    private var longestBox: Double { boxes.map { $0.end - $0.start }.max() ?? 0 }

    /// Returns the length that pages of at least `needed` pixels can have, without outliers.
    ///
    /// Shorter pages never get the common length: landscape pages, plates, or covers among spreads.
    private func limit(needed: Int) -> Int {
        let large = lengths.filter { $0 >= min(needed, page) }
        return BookBoxes.outermost(large.isEmpty ? lengths : large, page)
    }

    /// Returns the box of the prints of a side after their pages are moved to the usual place.
    private func box(of places: [(start: Double, end: Double)], on side: Int) -> (start: Double, end: Double) {
        let range = -MarginLimits.pixels.upperBound...MarginLimits.pixels.upperBound
        let moved = places.map { (place: $0, shift: displacement(of: $0, on: side)) }
        let starts = moved.map { ($0.place.start - $0.shift).rounded(in: range) }
        let ends = moved.map { ($0.shift - $0.place.end).rounded(in: range) }
        return (Double(BookBoxes.outermost(starts, page)), -Double(BookBoxes.outermost(ends, page)))
    }

    /// Returns the displacement of a page by the place of its print; 0 if the print shows none.
    private func displacement(of place: (start: Double, end: Double), on side: Int) -> Double {
        let tolerance = CanvasLimits.displacement * Double(page)
        let (start, end) = (place.start - usual[side].start, place.end - usual[side].end)
        let isAlike = abs(start - end) <= tolerance
        let (isStartNear, isEndNear) = (abs(start) <= tolerance, abs(end) <= tolerance)
        // Lines of text are aligned at both ends, and pages at their first line.
        if isAcross, isAlike || isStartNear && isEndNear { return (start + end) / 2 }
        if isAlike || isStartNear { return start }
        return isEndNear ? end : 0
    }

    /// Adds margins at both ends, as far as the pages allow.
    mutating func extend(by margin: Int) {
        self.margin = margin
        // At least half of the margin is needed at both ends.
        length = max(longest, min(length + 2 * margin, limit(needed: longest + 2 * ((margin + 1) / 2))))
    }

    /// Extends the canvas to `wanted`, as far as the pages allow.
    mutating func extend(to wanted: Double) {
        length = max(length, min(wanted.rounded(in: MarginLimits.pixels), limit(needed: length)))
    }

    /// Extends the canvas by less than an MCU if more pages can then be cut to it without loss.
    mutating func alignToGrids() {
        let step = spans.values.map { Double($0.cuts.step) / $0.unit }.max() ?? 1
        let lengths = (0..<Int(clamping: step.rounded(.up), to: CanvasLimits.trials)).map { length + $0 }
        let fits = lengths.map { length in
            spans.keys.reduce(into: (all: 0, wide: 0)) { fits, page in
                guard let start = start(of: page, length) else { return }
                fits.all += 1
                fits.wide += start.isWide ? 1 : 0
            }
        }
        // The first of the best: no more is kept than necessary.
        let best = fits.indices.reduce(0) { fits[$1] > fits[$0] ? $1 : $0 }
        length = lengths[best]
    }

    /// Returns the beginning of the canvas on a page, and whether the print has its full margins; nil if the page does not allow
    /// it.
    private func start(of page: Int, _ length: Int) -> (place: Int, isWide: Bool)? {
        guard let span = spans[page] else { return nil }
        let wanted = wanted(on: page, span, length)
        let (count, margin) = (CanvasSpan.pixels(length, span.unit), CanvasSpan.pixels(margin, span.unit))
        if let place = span.start(count, near: wanted, margin: margin) { return (place, true) }
        return span.start(count, near: wanted, margin: (margin + 1) / 2).map { ($0, false) }
    }

    /// Returns where the canvas should begin, in pixels of the book from the origin.
    private func wanted(on page: Int, _ span: CanvasSpan, _ length: Int) -> Double {
        let side = side[page] ?? 0
        let box = boxes[side]
        // The rest of a narrower side goes to the left on left pages, and to the right on right pages: they stay mirrored.
        let rest = isAcross && boxes.count == 2 && side == 0 ? longestBox - box.end + box.start : 0
        let shift = span.place.map { displacement(of: $0, on: side) } ?? 0
        return box.start + shift - rest - (Double(length) - longestBox) / 2
    }

    /// Returns the stretch of a page to keep. It has another length than that of the canvas if the page does not allow it.
    func stretch(of page: Int) -> Range<Int>? {
        guard let span = spans[page] else { return nil }
        let count = CanvasSpan.pixels(length, span.unit)
        if let start = start(of: page, length) { return start.place..<start.place + count }
        return span.widened(count, margin: CanvasSpan.pixels(margin, span.unit))
    }
}

extension Double {
    /// Returns the nearest whole number in a range.
    fileprivate func rounded(in range: ClosedRange<Int>) -> Int { Int(clamping: rounded(), to: range) }
}
