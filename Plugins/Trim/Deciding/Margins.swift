internal import AdapterKit
internal import PageModel

/// How much is left around what is printed.
enum Margin: Equatable, Sendable {
    /// Of the shorter side of the box that it is kept around: that is what will fill the screen.
    case percent(Double)
    case pixels(Int)
    case millimetres(Double)

    /// A length as it is typed: `2%`, `3mm`, `20px` or `20`, which are pixels as well; nil when it is none.
    init?(_ text: String) {
        func number(_ unit: String) -> Double? {
            guard text.hasSuffix(unit), text.dropLast(unit.count).allSatisfy({ "0123456789.".contains($0) }),
                let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0
            else { return nil }
            return number
        }
        if let share = number("%"), share <= 100 {
            self = .percent(share)
        } else if let length = number("mm"), length <= 1000 {
            self = .millimetres(length)
        } else if let count = number("px") ?? number(""), let whole = Int(exactly: count), whole <= 100_000 {
            self = .pixels(whole)
        } else {
            return nil
        }
    }

    /// The pixels across and down around a box; nil when the page does not say how large it is on paper.
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

    /// No picture is larger than the upper bound, whatever resolution it states; sums of a few of them do not overflow.
    private static func pixels(_ exact: Double) -> Int { Int(clamping: exact, to: 0...1 << 30) }
}

/// What is kept around what is printed.
struct Margins: Equatable, Sendable {
    /// How wide each of them is.
    var each: Margin
    /// Width to height that boxes are brought to by widening them, as far as the page goes; nil for any.
    var aspect: Double?

    /// A box with what is to be kept around it. Nothing of it is ever cut.
    func widened(_ box: Bounds, on page: PageReading) -> PixelRect {
        let (across, down) = each.pixels(around: box.rect.size, page.resolution) ?? (0, 0)
        var wider = Bounds(
            left: max(0, box.left - across), top: max(0, box.top - down),
            right: min(page.size.width, box.right + across), bottom: min(page.size.height, box.bottom + down))
        guard let aspect else { return wider.rect }
        let width = Int(min(1e9, (Double(wider.height) * aspect).rounded()))
        let height = Int(min(1e9, (Double(wider.width) / aspect).rounded()))
        (wider.left, wider.right) = Margins.stretched(wider.left, wider.right, to: width, within: page.size.width)
        (wider.top, wider.bottom) = Margins.stretched(wider.top, wider.bottom, to: height, within: page.size.height)
        return wider.rect
    }

    /// Boxes for pages that are alike, with what is to be kept around them: all of one size, and from the same top to the
    /// same bottom.
    ///
    /// They begin where the pages can be cut without loss. Rather than to keep more for that, up to half a margin is
    /// moved from one side to the other.
    ///
    /// - Parameter whole: the size that all of the pages have at least.
    func shared(_ boxes: [Bounds], on page: PageReading, whole: PixelSize) -> [Bounds] {
        guard let all = Bounds.union(boxes), let widest = boxes.max(by: { $0.width < $1.width }) else { return [] }
        let size = PixelSize(width: widest.width, height: all.height)
        let (across, down) = each.pixels(around: size, page.resolution) ?? (0, 0)
        let columns = boxes.map { MarginSpan($0.left, $0.right, margin: across, within: whole.width) }
        let rows = [MarginSpan(all.top, all.bottom, margin: down, within: whole.height)]
        var (width, height) = (columns.map(\.length).max() ?? 0, rows[0].length)
        if let aspect {
            let wanted = (Double(height) * aspect, Double(width) / aspect)
            width = min(max(width, Int(min(1e9, wanted.0.rounded()))), whole.width)
            height = min(max(height, Int(min(1e9, wanted.1.rounded()))), whole.height)
        }
        let lefts = MarginSpan.starts(
            columns, length: &width, step: page.grid?.step.width ?? 1, first: page.grid?.first.x ?? 0)
        let tops = MarginSpan.starts(
            rows, length: &height, step: page.grid?.step.height ?? 1, first: page.grid?.first.y ?? 0)
        return lefts.map { Bounds(left: $0, top: tops[0], right: $0 + width, bottom: tops[0] + height) }
    }

    /// A span made so long, on both sides alike where there is room; one that is longer stays.
    private static func stretched(_ start: Int, _ end: Int, to wanted: Int, within whole: Int) -> (Int, Int) {
        let length = min(max(wanted, end - start), whole)
        let first = max(0, min(start - (length - (end - start)) / 2, whole - length))
        return (first, first + length)
    }
}

/// A stretch of a page's width or height that is printed on, and the margins it is to have.
struct MarginSpan {
    private let start: Int
    private let end: Int
    private let margin: Int
    private let whole: Int

    /// - Parameters:
    ///   - end: the first pixel behind it.
    ///   - whole: the length of the page.
    init(_ start: Int, _ end: Int, margin: Int, within whole: Int) {
        (self.start, self.end) = (max(0, start), min(end, whole))
        (self.margin, self.whole) = (margin, whole)
    }

    /// With its margins, as far as the page goes.
    var length: Int { min(whole, end + margin) - max(0, start - margin) }

    /// Where stretches of one length begin that hold one span each with at least half its margins, each as near to its
    /// middle as can be. They begin at one of the pixels that lie `step` apart from `first` on.
    ///
    /// - Parameter length: at least that of each span; becomes greater where there is no such place.
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
        let least = (margin + 1) / 2
        let range = (
            low: max(0, min(end + least, whole) - length), high: min(max(0, start - least), whole - length)
        )
        let wanted = middle(length)
        let before = wanted - ((wanted - first) % step + step) % step
        // The page's own edge can be cut at anyhow.
        return [before, before + step, 0].filter { $0 >= range.low && $0 <= range.high }.min {
            abs($0 - wanted) < abs($1 - wanted)
        }
    }
}
