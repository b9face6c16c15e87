public import PageModel

extension Strokes {
    /// The direction of the text lines on a page.
    public enum Lines: Hashable, Sendable {
        case horizontal
        case vertical
    }

    /// The bounds of a line of text, in 600ths of the page's shorter side.
    ///
    /// Measured on 12 books, four of them Japanese: prose, comics, and picture books.
    private enum Bounds {
        /// The minimum size of a symbol, or a part of one: dots of a screen are smaller, drawings are larger.
        static let minimumSize = 3.0
        static let maximumSize = 34.0
        /// The thickness of a line, across it.
        static let thickness = 6.0...40.0
        /// The minimum ratio of a line's length to its thickness: three and a half characters.
        static let slenderness = 3.5
        /// The minimum number of symbols in a line.
        static let signs = 4
        /// The maximum distances between symbols of one line, to be tried in turn.
        static let gaps = [1.5, 2.5, 4.0, 6.0, 8.0, 10.0]
    }

    /// The minimum number of lines in one direction, and the minimum ratio to those in the other.
    ///
    /// A comic's page has a few captions, and a drawing sometimes a row of strokes.
    private static let (minimumLines, minimumRatio) = (5, 4)

    /// Returns the direction of the text lines on a page of this size; nil if the lines are too few or do not agree.
    ///
    /// Symbols are closer to each other within a line than lines are. As the reach grows, they become lines before they become
    /// blocks (O'Gorman, "The document spectrum for page layout analysis", 1993). The reach at which most of them are lines is
    /// the page's.
    public func lines(of size: PixelSize) -> Lines? {
        let unit = Double(min(size.width, size.height)) / 600
        let signs = blobs.filter { blob in
            let (shorter, longer) = (min(blob.width, blob.height), max(blob.width, blob.height))
            return Double(longer) >= Bounds.minimumSize * unit && Double(longer) <= Bounds.maximumSize * unit
                && longer <= 12 * shorter
        }
        guard signs.count >= Bounds.signs * Strokes.minimumLines else { return nil }
        let reach = Bounds.gaps[Bounds.gaps.count - 1] * unit
        let pairs = Strokes.near(signs, reach: Int(clamping: reach, to: 1...size.width)).sorted { $0.gap < $1.gap }
        var groups = Groups(signs)
        var best = (across: 0, down: 0)
        var next = 0
        for gap in Bounds.gaps {
            while next < pairs.count, Double(pairs[next].gap) <= gap * unit {
                groups.join(pairs[next].one, pairs[next].other)
                next += 1
            }
            var found = (across: 0, down: 0)
            for (box, count) in groups.boxes where count >= Bounds.signs {
                let (width, height) = (Double(box.width), Double(box.height))
                guard Bounds.thickness.contains(min(width, height) / unit) else { continue }
                if width >= Bounds.slenderness * height { found.across += 1 }
                if height >= Bounds.slenderness * width { found.down += 1 }
            }
            if abs(found.across - found.down) > abs(best.across - best.down) { best = found }
        }
        if best.across >= Strokes.minimumLines, best.across >= Strokes.minimumRatio * best.down { return .horizontal }
        if best.down >= Strokes.minimumLines, best.down >= Strokes.minimumRatio * best.across { return .vertical }
        return nil
    }

    /// Returns the pairs of symbols within a reach, each once, with their distance.
    private static func near(_ signs: [ConnectedComponent], reach: Int) -> [(one: Int, other: Int, gap: Int)] {
        let order = signs.indices.sorted { (signs[$0].left, $0) < (signs[$1].left, $1) }
        let widest = signs.map(\.width).max() ?? 0
        var pairs: [(one: Int, other: Int, gap: Int)] = []
        // Symbols by rows as high as the reach, so that few are compared.
        let height = max(1, reach + widest)
        var rows: [Int: [Int]] = [:]
        for index in order {
            let sign = signs[index]
            let (top, bottom) = ((Int(sign.top) - reach) / height, (Int(sign.bottom) + reach) / height)
            for row in top...max(top, bottom) {
                for other in (rows[row] ?? []).reversed() {
                    // These are as wide as any, and begin in order.
                    if Int(sign.left) - Int(signs[other].left) > widest + reach { break }
                    let across = Int(sign.left) - Int(signs[other].right)
                    let down = max(Int(sign.top) - Int(signs[other].bottom), Int(signs[other].top) - Int(sign.bottom))
                    let gap = max(0, across, down)
                    // If both are in several rows, the first that the symbol reaches counts.
                    let isFirst = row == max(top, (Int(signs[other].top) - reach) / height)
                    if gap <= reach, isFirst { pairs.append((other, index, gap)) }
                }
                rows[row, default: []].append(index)
            }
        }
        return pairs
    }

    /// Connected groups of symbols, as a forest.
    private struct Groups {
        private var parents: [Int]
        private var all: [(box: ConnectedComponent, count: Int)]

        init(_ signs: [ConnectedComponent]) {
            parents = Array(signs.indices)
            all = signs.map { ($0, 1) }
        }

        /// The boxes around the groups, and the number of their symbols.
        var boxes: [(box: ConnectedComponent, count: Int)] { all.indices.filter { parents[$0] == $0 }.map { all[$0] } }

        private mutating func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }

        mutating func join(_ one: Int, _ other: Int) {
            let (first, second) = (root(one), root(other))
            guard first != second else { return }
            let (low, high) = (min(first, second), max(first, second))
            parents[high] = low
            let (a, b) = (all[low].box, all[high].box)
            all[low].box.left = min(a.left, b.left)
            all[low].box.top = min(a.top, b.top)
            all[low].box.right = max(a.right, b.right)
            all[low].box.bottom = max(a.bottom, b.bottom)
            all[low].count += all[high].count
        }
    }
}
