/// The lines above and below everything else on a page: possible page numbers and running heads.
package struct SeparateLines {
    private let groups: [Group]
    private let unit: Double

    /// - Parameters:
    ///   - groups: the printed groups of the page.
    ///   - unit: the unit of `PageFraction`, in pixels.
    package init(_ groups: [Group], unit: Double) {
        (self.groups, self.unit) = (groups, unit)
    }

    /// Returns the separate candidates: lines of small symbols above or below everything else. They are split into pieces at wide
    /// gaps.
    ///
    /// - Parameter skew: the counterclockwise angle of the page's lines, in degrees. Heights are compared along them.
    package func strips(skew: Double) -> [TextLineItem] {
        guard let content = Bounds.union(groups.map(\.box)) else { return [] }
        let slope = skew.radians
        let middle = Double(content.left + content.right) / 2
        let levels = groups.map { group -> (top: Double, bottom: Double) in
            let shift = (Double(group.box.left + group.box.right) / 2 - middle) * slope
            return (Double(group.box.top) + shift, Double(group.box.bottom) + shift)
        }
        return strips(levels, isAtTop: true)
            + strips(levels.map { (-$0.bottom, -$0.top) }, isAtTop: false)
    }

    /// Returns the candidates at one end of the page.
    ///
    /// - Parameter levels: the beginning and end of each group, counted from that end.
    private func strips(_ levels: [(top: Double, bottom: Double)], isAtTop: Bool) -> [TextLineItem] {
        let order = groups.indices.sorted { levels[$0].top < levels[$1].top }
        guard let first = order.first else { return [] }
        var (top, bottom) = levels[first]
        var members: [Int] = []
        var next: Double?
        for index in order {
            // Groups on the same level are one line; the first that clearly begins later ends it.
            if levels[index].top >= bottom {
                next = levels[index].top
                break
            }
            members.append(index)
            (top, bottom) = (min(top, levels[index].top), max(bottom, levels[index].bottom))
        }
        let height = bottom - top
        guard TextLineItemLimits.heights.scaled(by: unit).contains(height)
        else {
            return []
        }
        if let next, next - bottom < height * TextLineItemLimits.minimumGap { return [] }
        let isLineOfText = isLikeWhatFollows(levels, order, (top, bottom))
        var strips: [TextLineItem] = []
        for index in members.sorted(by: { groups[$0].box.left < groups[$1].box.left }) {
            let group = groups[index]
            if let last = strips.indices.last, Double(group.box.left - strips[last].box.right) < 2 * height {
                strips[last].add(group, at: index)
            } else {
                strips.append(
                    TextLineItem(members: [index], box: group.box, blobCount: group.blobCount, isAtTop: isAtTop))
            }
        }
        if isLineOfText { strips.removeAll { !$0.isNumberLike } }
        return strips.count <= TextLineItemLimits.maximumStrips ? strips : []
    }

    /// Whether a line is followed by others of its height at the same distance.
    ///
    /// It is then the first line of widely spaced text, not its head.
    private func isLikeWhatFollows(
        _ levels: [(top: Double, bottom: Double)], _ order: [Int], _ line: (top: Double, bottom: Double)
    ) -> Bool {
        let height = line.bottom - line.top
        var (previous, distances) = (line, [Double]())
        for index in order where levels[index].top >= previous.bottom {
            let next = order.filter { levels[$0].top < levels[index].bottom && levels[$0].bottom > levels[index].top }
            let bottom = next.map { levels[$0].bottom }.max() ?? levels[index].bottom
            guard bottom - levels[index].top <= TextLineItemLimits.followingHeight * height else { return false }
            distances.append(levels[index].top - previous.bottom)
            previous = (levels[index].top, bottom)
            if distances.count == 2 { return distances[0] < TextLineItemLimits.followingDistance * distances[1] }
        }
        return false
    }
}
