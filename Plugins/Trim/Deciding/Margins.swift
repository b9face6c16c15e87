internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

/// The limits of margins that a person can mean, and bounds for the computation.
enum MarginLimits {
    /// The limit in percent of the content box's shorter side.
    static let maximumPercent = 100.0
    /// The limit in millimeters: more than any page of a book has.
    static let maximumMillimeters = 1000.0
    /// The limit in pixels: more than any image has on a side.
    static let maximumPixels = 100_000
    /// The bound in pixels for margins and sides. It exceeds every image at any stated resolution; sums of a few of
    /// them do not overflow.
    static let pixels = 0...1 << 30
    /// The bound in pixels for a side with the wanted aspect ratio.
    static let sides = 0...1_000_000_000
}

/// The blank margin to keep around the printed area, on each side.
enum Margin: Equatable, Sendable {
    /// A share of the shorter side of the content box, because that box will fill the screen.
    case percent(Double)
    case pixels(Int)
    case millimetres(Double)

    /// Parses a length such as `2%`, `3mm`, `20px` or `20`, which means pixels as well; returns nil for other texts.
    init?(_ text: String) {
        func number(_ unit: String) -> Double? {
            guard text.hasSuffix(unit), text.dropLast(unit.count).allSatisfy({ "0123456789.".contains($0) }),
                let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0
            else { return nil }
            return number
        }
        if let share = number("%"), share <= MarginLimits.maximumPercent {
            self = .percent(share)
        } else if let length = number("mm"), length <= MarginLimits.maximumMillimeters {
            self = .millimetres(length)
        } else if let count = number("px") ?? number(""), let whole = Int(exactly: count),
            whole <= MarginLimits.maximumPixels
        {
            self = .pixels(whole)
        } else {
            return nil
        }
    }

    /// Returns the margin's width in pixels, left and right and above and below. It is nil for millimeters if the page does not
    /// state its resolution.
    ///
    /// - Parameter size: the size of the content box.
    func pixels(around size: PixelSize, _ resolution: Resolution?) -> (across: Int, down: Int)? {
        switch self {
        case .percent(let share):
            let length = Margin.pixels(Double(min(size.width, size.height)) * share / 100)
            return (length, length)
        case .pixels(let count):
            return (count, count)
        case .millimetres(let length):
            guard let resolution, resolution.horizontal > 0, resolution.vertical > 0 else { return nil }
            return (
                Margin.pixels(length / 25.4 * resolution.horizontal), Margin.pixels(length / 25.4 * resolution.vertical)
            )
        }
    }

    /// Returns whole pixels. The upper bound exceeds every image at any stated resolution; sums of a few of them do not overflow.
    private static func pixels(_ exact: Double) -> Int { Int(clamping: exact, to: MarginLimits.pixels) }
}

/// The rules for turning content boxes into crop boxes: margins, and widening to an aspect ratio.
struct Margins: Equatable, Sendable {
    /// The margin of each side.
    var each: Margin
    /// The aspect ratio, width per height, to which boxes are widened as far as the page allows; nil for any.
    var aspect: Double?

    /// Returns the crop box for the content box of one page. It contains all of the content box.
    func widened(_ box: Bounds, on page: PageReading) -> PixelRect {
        let (across, down) = each.pixels(around: box.rect.size, page.resolution) ?? (0, 0)
        var wider = Bounds(
            left: max(0, box.left - across), top: max(0, box.top - down),
            right: min(page.size.width, box.right + across), bottom: min(page.size.height, box.bottom + down))
        guard let aspect else { return wider.rect }
        let width = Int(clamping: (Double(wider.height) * aspect).rounded(), to: MarginLimits.sides)
        let height = Int(clamping: (Double(wider.width) / aspect).rounded(), to: MarginLimits.sides)
        (wider.left, wider.right) = Margins.stretched(wider.left, wider.right, to: width, within: page.size.width)
        (wider.top, wider.bottom) = Margins.stretched(wider.top, wider.bottom, to: height, within: page.size.height)
        return wider.rect
    }

    /// Returns the crop boxes for the content boxes that pages share: one for the book, or one for each side.
    ///
    /// All have one size, and the same top and bottom. They begin where the pages can be cut without loss. To align them, up to
    /// half a margin moves to the other side before more is kept.
    ///
    /// - Parameters:
    ///   - page: any of the pages. It gives the resolution and the grid.
    ///   - whole: the minimum size of all the pages.
    func shared(_ boxes: [Bounds], on page: PageReading, whole: PixelSize) -> [Bounds] {
        guard let all = Bounds.union(boxes), let widest = boxes.max(by: { $0.width < $1.width }) else { return [] }
        let size = PixelSize(width: widest.width, height: all.height)
        let (across, down) = each.pixels(around: size, page.resolution) ?? (0, 0)
        let columns = boxes.map { MarginSpan($0.left, $0.right, margin: across, within: whole.width) }
        let rows = [MarginSpan(all.top, all.bottom, margin: down, within: whole.height)]
        var (width, height) = (columns.map(\.length).max() ?? 0, rows[0].length)
        if let aspect {
            let wanted = (Double(height) * aspect, Double(width) / aspect)
            width = Int(clamping: max(Double(width), wanted.0.rounded()), to: 0...whole.width)
            height = Int(clamping: max(Double(height), wanted.1.rounded()), to: 0...whole.height)
        }
        let lefts = MarginSpan.starts(
            columns, length: &width, step: page.grid?.step.width ?? 1, first: page.grid?.first.x ?? 0)
        let tops = MarginSpan.starts(
            rows, length: &height, step: page.grid?.step.height ?? 1, first: page.grid?.first.y ?? 0)
        return lefts.map { Bounds(left: $0, top: tops[0], right: $0 + width, bottom: tops[0] + height) }
    }

    /// Returns a stretch extended to `wanted` pixels, by as much on both sides if possible; a longer one stays as it is.
    private static func stretched(_ start: Int, _ end: Int, to wanted: Int, within whole: Int) -> (Int, Int) {
        let length = min(max(wanted, end - start), whole)
        let first = max(0, min(start - (length - (end - start)) / 2, whole - length))
        return (first, first + length)
    }
}

/// One dimension of a content box on a page, with its margins.
struct MarginSpan {
    private let start: Int
    private let end: Int
    private let margin: Int
    private let whole: Int

    /// - Parameters:
    ///   - end: the first pixel after it.
    ///   - whole: the length of the page.
    init(_ start: Int, _ end: Int, margin: Int, within whole: Int) {
        (self.start, self.end) = (max(0, start), min(end, whole))
        (self.margin, self.whole) = (margin, whole)
    }

    /// The length with its margins, limited to the page.
    var length: Int { min(whole, end + margin) - max(0, start - margin) }

    /// Returns the beginnings of stretches of one length, one around each span, that can be cut without loss.
    ///
    /// Each stretch holds its span with at least half of both margins, and keeps it as close to its middle as possible. It begins
    /// at one of the pixels `first`, `first + step`, …, or at the page's edge.
    ///
    /// - Parameter length: at least the length of each span. It is increased if no such beginning exists.
    static func starts(_ spans: [MarginSpan], length: inout Int, step: Int, first: Int) -> [Int] {
        for longer in length..<length + step {
            let starts = spans.compactMap { $0.start(longer, step, first) }
            if starts.count == spans.count {
                length = longer
                return starts
            }
        }
        return spans.map { $0.middle(length) }
    }

    private func middle(_ length: Int) -> Int {
        let middle = (max(0, start - margin) + min(whole, end + margin) - length) / 2
        return max(0, min(middle, whole - length))
    }

    private func start(_ length: Int, _ step: Int, _ first: Int) -> Int? {
        start(length, near: middle(length), (first, step), minimumMargin: (margin + 1) / 2)
    }

    /// Returns the beginning of a stretch around the span that can be cut without loss; nil without such a beginning.
    ///
    /// - Parameters:
    ///   - wanted: the preferred beginning.
    ///   - cuts: the first pixel at which the page can be cut, and the distance to the next.
    ///   - minimumMargin: the margin to keep on both sides, as far as the page goes.
    func start(_ length: Int, near wanted: Int, _ cuts: (first: Int, step: Int), minimumMargin: Int) -> Int? {
        let low = max(0, min(end + minimumMargin, whole) - length)
        let high = min(max(0, start - minimumMargin), whole - length)
        guard low <= high else { return nil }
        let wanted = max(low, min(wanted, high))
        let before = wanted - ((wanted - cuts.first) % cuts.step + cuts.step) % cuts.step
        // At the page's own edge nothing has to be cut.
        return [before, before + cuts.step, 0].filter { $0 >= low && $0 <= high }.min {
            abs($0 - wanted) < abs($1 - wanted)
        }
    }
}
