internal import PageModel

/// The rulers and color charts outside the paper.
extension TextContextClassifier {
    /// Removes rows of non-letters near the image's edge: the marks of a ruler are all thin, and the patches of a color chart all
    /// full.
    mutating func dropChartsAndRulers() {
        var members: [Int: [Int]] = [:]
        for index in blobs.indices
        where roles[index] == .letter && isNearEdge(blobs[index].box, TextContextClassifier.margin) {
            members[rows.number[index], default: []].append(index)
        }
        for row in members.values where row.count >= 6 {
            let thin = row.count { 5 * blobs[$0].box.width <= 2 * blobs[$0].box.height }
            let full = row.count { index in
                let (area, box) = (blobs[index].area, blobs[index].box)
                return 100 * area >= 92 * box.width * box.height && Double(min(box.width, box.height)) >= letter
            }
            guard 4 * thin >= 3 * row.count && row.count >= 12 || 4 * full >= 3 * row.count else { continue }
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
    /// Shorter ones, at the very rim and with their figures towards the paper, are left to `dropChartsAndRulers`.
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
        let reach = edge.depth(of: size) / 5
        let step = max(1, letter / 2)
        func level(_ place: Int) -> Int { Int(clamping: Double(place) / step, to: 0...1 << 20) }
        var marks = [[Int]](repeating: [], count: level(reach) + 3)
        var others = [Int](repeating: 0, count: marks.count)
        for index in blobs.indices {
            let box = blobs[index].box
            let place = edge.reach(of: box, size)
            let (far, thick, long) = (place.upperBound, edge.along(box).count, place.count)
            guard far <= reach, Double(long) <= 2.5 * letter, Double(long) >= 0.3 * letter else { continue }
            if Double(thick) <= max(2, 0.3 * letter), long >= 2 * thick {
                marks[level(far)].append(index)
            } else {
                others[level(far)] += 1
            }
        }
        let all = marks.reduce(0) { $0 + $1.count }
        for place in marks.indices.dropLast().reversed() {
            let row = marks[place] + marks[place + 1]
            // Squared paper has such rows everywhere.
            guard row.count >= TextContextClassifier.minimumMarks, 2 * row.count >= all,
                row.count >= 2 * (others[place] + others[place + 1])
            else { continue }
            let parts = Set(row.map { edge.along(blobs[$0].box).lowerBound * 20 / edge.length(of: size) })
            // The dashes of a table's column are as far from each other as its lines.
            let isClose = Double(parts.count * edge.length(of: size)) <= 20 * 1.2 * letter * Double(row.count)
            if parts.count >= 12, isClose { return row.map { edge.reach(of: blobs[$0].box, size).upperBound }.max() }
        }
        return nil
    }

    /// The minimum number of marks: a ruler of 20 cm has that many, and other rulers many more.
    private static let minimumMarks = 40
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
