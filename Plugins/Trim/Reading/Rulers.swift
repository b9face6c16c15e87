internal import LayoutAnalysis
internal import PageModel

/// The limits of the detection of rulers and color charts.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement of these values is
/// recorded.
enum RulerLimits {
    /// The minimum number of blobs in a row of a ruler or a chart near the image's edge.
    static let minimumRow = 6
    /// The minimum number of blobs in a row of thin marks: words have fewer.
    static let minimumThinRow = 12
    /// The maximum ratio of a thin mark's width to its height.
    static let thinRatio = Ratio(2, 5)
    /// The minimum share of its box that a chart's patch covers. Letters cover less.
    static let patchCover = Ratio(92, 100)
    /// The minimum share of a row's blobs that are thin, or patches.
    static let minimumShare = Ratio(3, 4)
    /// The part of the image along an edge in which a ruler's marks are, as a share of the image's side.
    static let depth = Ratio(1, 5)
    /// The number of further places, so that the last one has a neighbor.
    static let borderPlaces = 3
    /// The maximum number of places to compare, each half a letter wide: a bound for any image.
    static let places = 0...1 << 20
    /// The lengths of a ruler's marks, in letter heights.
    static let markLengths = 0.3...2.5
    /// The maximum thickness of a mark, in letter heights.
    static let markThickness = 0.3
    /// The minimum thickness, in pixels, that counts as thin: a mark is not thinner at low resolution.
    static let markPixels = 2.0
    /// The minimum number of marks: a ruler of 20 cm has that many, and other rulers many more.
    static let minimumMarks = 40
    /// The number of parts of the edge, and the minimum number of those with marks: a ruler is along most of the edge.
    static let (parts, minimumParts) = (20, 12)
    /// The maximum distance of marks, in letter heights: the dashes of a table's column are as far from each other as
    /// its lines.
    static let markDistance = 1.2
}

/// The rulers and color charts outside the paper.
extension TextContextClassifier {
    /// Removes rows of non-letters near the image's edge: the marks of a ruler are all thin, and the patches of a color chart all
    /// full.
    mutating func dropChartsAndRulers() {
        var members: [Int: [Int]] = [:]
        for index in blobs.indices
        where roles[index] == .letter && isNearEdge(blobs[index].box, TextContextLimits.chartMargin) {
            members[rows.number[index], default: []].append(index)
        }
        for row in members.values where row.count >= RulerLimits.minimumRow {
            let thin = row.count { blobs[$0].box.width.isAtMost(RulerLimits.thinRatio, of: blobs[$0].box.height) }
            let full = row.count { index in
                let (area, box) = (blobs[index].area, blobs[index].box)
                return area.isAtLeast(RulerLimits.patchCover, of: box.width * box.height)
                    && Double(min(box.width, box.height)) >= letter
            }
            guard
                thin.isAtLeast(RulerLimits.minimumShare, of: row.count) && row.count >= RulerLimits.minimumThinRow
                    || full.isAtLeast(RulerLimits.minimumShare, of: row.count)
            else { continue }
            // With the figures of the ruler.
            guard
                let box = Bounds.union(row.map { blobs[$0].box })?.grown(Int(clamping: 2 * letter, to: 0...size.height))
            else { continue }
            for index in blobs.indices where box.contains(blobs[index].box) {
                (roles[index], isFree[index]) = (.noise, false)
            }
        }
    }

    /// Removes rulers along a whole edge of the image, in its outer fifth, with their figures and everything beyond them.
    ///
    /// Shorter ones, at the very edge and with their figures towards the paper, are left to `dropChartsAndRulers`.
    mutating func dropRulers() {
        for edge in Edge.allCases {
            guard let end = ruler(edge) else { continue }
            let reach = end + Int(clamping: letter, to: 0...size.height)
            for index in blobs.indices {
                let place = edge.reach(of: blobs[index].box, size)
                if place.lowerBound + place.upperBound <= 2 * end, place.upperBound <= reach {
                    (roles[index], isFree[index]) = (.noise, false)
                }
            }
        }
    }

    /// Returns the depth of a ruler along an edge, in pixels; nil if there is not one.
    ///
    /// Its marks are thin, in line along the whole edge, and nearly the only ones there.
    private func ruler(_ edge: Edge) -> Int? {
        let reach = RulerLimits.depth.of(edge.depth(of: size))
        let step = max(1, letter / 2)
        func level(_ place: Int) -> Int { Int(clamping: Double(place) / step, to: RulerLimits.places) }
        var marks = [[Int]](repeating: [], count: level(reach) + RulerLimits.borderPlaces)
        var others = [Int](repeating: 0, count: marks.count)
        for index in blobs.indices {
            let box = blobs[index].box
            let place = edge.reach(of: box, size)
            let (far, thick, long) = (place.upperBound, edge.along(box).count, place.count)
            guard far <= reach, RulerLimits.markLengths.scaled(by: letter).contains(Double(long)) else { continue }
            if Double(thick) <= max(RulerLimits.markPixels, RulerLimits.markThickness * letter), long >= 2 * thick {
                marks[level(far)].append(index)
            } else {
                others[level(far)] += 1
            }
        }
        let all = marks.reduce(0) { $0 + $1.count }
        for place in marks.indices.dropLast().reversed() {
            let row = marks[place] + marks[place + 1]
            // Squared paper has such rows everywhere.
            guard row.count >= RulerLimits.minimumMarks, 2 * row.count >= all,
                row.count >= 2 * (others[place] + others[place + 1])
            else { continue }
            let parts = Set(
                row.map { edge.along(blobs[$0].box).lowerBound * RulerLimits.parts / edge.length(of: size) })
            // The dashes of a table's column are as far from each other as its lines.
            let isClose =
                Double(parts.count * edge.length(of: size)) <= Double(RulerLimits.parts) * RulerLimits.markDistance
                * letter * Double(row.count)
            if parts.count >= RulerLimits.minimumParts, isClose {
                return row.map { edge.reach(of: blobs[$0].box, size).upperBound }.max()
            }
        }
        return nil
    }
}

/// An edge of an image, with positions as seen from it.
private enum Edge: CaseIterable {
    case left, top, right, bottom

    /// Returns the distances from the edge at which a box begins and ends.
    func reach(of box: Bounds, _ size: PixelSize) -> Range<Int> {
        switch self {
        case .left: box.left..<box.right
        case .top: box.top..<box.bottom
        case .right: size.width - box.right..<size.width - box.left
        case .bottom: size.height - box.bottom..<size.height - box.top
        }
    }

    private var isUpright: Bool { self == .left || self == .right }

    /// Returns the range of a box along the edge.
    func along(_ box: Bounds) -> Range<Int> { isUpright ? box.top..<box.bottom : box.left..<box.right }

    func length(of size: PixelSize) -> Int { max(1, isUpright ? size.height : size.width) }
    func depth(of size: PixelSize) -> Int { isUpright ? size.width : size.height }
}
