package import PageModel

/// The limits of the search for the direction of text lines.
///
/// A unit is a 600th of the page's shorter side. Measured on 12 books, four of them Japanese: prose, comics, and picture
/// books.
enum LineDirectionLimits {
    /// The number of units in the shorter side of a page.
    static let unitsAcross = 600.0
    /// A symbol, or a part of one, in units: dots of a screen are smaller, drawings are larger, and rules are longer.
    static let symbol = LetterShape(
        extents: 3...34, maximumWidthRatio: Ratio(12, 1), maximumHeightRatio: Ratio(12, 1))
    /// The thickness of a line, across it, in units.
    static let thickness = 6.0...40.0
    /// The minimum ratio of a line's length to its thickness: three and a half characters.
    static let slenderness = 3.5
    /// The minimum number of symbols in a line.
    static let minimumSymbols = 4
    /// The maximum distances between symbols of one line, to be tried in turn, in units.
    static let gaps = [1.5, 2.5, 4.0, 6.0, 8.0, 10.0]
    /// The minimum number of lines in one direction, and the minimum ratio to those in the other. A comic's page has a
    /// few captions, and a drawing sometimes a row of strokes.
    static let (minimumLines, minimumRatio) = (5, 4)
}

extension Strokes {
    /// The direction of the text lines on a page.
    package enum Lines: Hashable, Sendable {
        case horizontal
        case vertical
    }

    /// Returns the direction of the text lines on a page of this size; nil if the lines are too few or do not agree.
    ///
    /// Symbols are closer to each other within a line than lines are. As the reach grows, they become lines before they become
    /// blocks (O'Gorman, "The document spectrum for page layout analysis", 1993). The reach at which most of them are lines is
    /// the page's.
    package func lines(of size: PixelSize) -> Lines? {
        let limits = LineDirectionLimits.self
        let boxes = lineBoxes(of: size)
        let best = (across: boxes.across.count, down: boxes.down.count)
        if best.across >= limits.minimumLines, best.across >= limits.minimumRatio * best.down { return .horizontal }
        if best.down >= limits.minimumLines, best.down >= limits.minimumRatio * best.across { return .vertical }
        return nil
    }

    /// Returns the boxes of the rows and columns of symbols on a page of this size. The list with more boxes has the lines of the page.
    func lineBoxes(of size: PixelSize) -> (across: [Bounds], down: [Bounds]) {
        let limits = LineDirectionLimits.self
        let unit = Double(min(size.width, size.height)) / limits.unitsAcross
        let signs = blobs.map(\.box).filter { limits.symbol.matches($0, unit: unit) }
        guard signs.count >= limits.minimumSymbols else { return ([], []) }
        let reach = limits.gaps[limits.gaps.count - 1] * unit
        let pairs = Strokes.near(signs, reach: Int(clamping: reach, to: 1...size.width)).sorted { $0.gap < $1.gap }
        var groups = SymbolGroups(signs)
        var best = (across: [Bounds](), down: [Bounds]())
        var next = 0
        for gap in limits.gaps {
            while next < pairs.count, Double(pairs[next].gap) <= gap * unit {
                groups.join(pairs[next].one, pairs[next].other)
                next += 1
            }
            var found = (across: [Bounds](), down: [Bounds]())
            for (box, count) in groups.boxes where count >= limits.minimumSymbols {
                let (width, height) = (Double(box.width), Double(box.height))
                guard limits.thickness.contains(min(width, height) / unit) else { continue }
                if width >= limits.slenderness * height { found.across.append(box) }
                if height >= limits.slenderness * width { found.down.append(box) }
            }
            if abs(found.across.count - found.down.count) > abs(best.across.count - best.down.count) { best = found }
        }
        return best
    }

    /// Returns the pairs of symbols within a reach, each once, with their distance.
    private static func near(_ signs: [Bounds], reach: Int) -> [(one: Int, other: Int, gap: Int)] {
        let order = signs.indices.sorted { (signs[$0].left, $0) < (signs[$1].left, $1) }
        let widest = signs.map(\.width).max() ?? 0
        var pairs: [(one: Int, other: Int, gap: Int)] = []
        // Symbols by rows as high as the reach, so that few are compared.
        let height = max(1, reach + widest)
        var rows: [Int: [Int]] = [:]
        for index in order {
            let sign = signs[index]
            let (top, bottom) = ((sign.top - reach) / height, (sign.bottom + reach) / height)
            for row in top...max(top, bottom) {
                for other in (rows[row] ?? []).reversed() {
                    // These are as wide as any, and begin in order.
                    if sign.left - signs[other].left > widest + reach { break }
                    let across = sign.left - signs[other].right
                    let down = max(sign.top - signs[other].bottom, signs[other].top - sign.bottom)
                    let gap = max(0, across, down)
                    // If both are in several rows, the first that the symbol reaches counts.
                    let isFirst = row == max(top, (signs[other].top - reach) / height)
                    if gap <= reach, isFirst { pairs.append((other, index, gap)) }
                }
                rows[row, default: []].append(index)
            }
        }
        return pairs
    }
}

/// Groups of symbols that are joined step by step.
private struct SymbolGroups {
    private var sets: DisjointSets
    private var all: [(box: Bounds, count: Int)]
    /// Whether each symbol stands for its group.
    private var isRoot: [Bool]

    init(_ signs: [Bounds]) {
        sets = DisjointSets(count: signs.count)
        all = signs.map { ($0, 1) }
        isRoot = [Bool](repeating: true, count: signs.count)
    }

    /// The boxes around the groups, and the number of their symbols.
    var boxes: [(box: Bounds, count: Int)] { all.indices.filter { isRoot[$0] }.map { all[$0] } }

    mutating func join(_ one: Int, _ other: Int) {
        guard let (kept, dropped) = sets.join(one, other) else { return }
        isRoot[dropped] = false
        all[kept] = (all[kept].box.union(all[dropped].box), all[kept].count + all[dropped].count)
    }
}
