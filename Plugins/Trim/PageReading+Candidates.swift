extension PageReading {
    /// What stands by itself at one end of the page, and how large it is.
    struct Strip {
        /// The places of its groups in `groups`.
        var members: [Int]
        var box: Box
        var blobCount: Int
        var isAtTop: Bool

        /// Digits are one blob each and narrow; a few signs may stand around them.
        var isNumberLike: Bool { blobCount <= 6 && box.width * 2 <= 9 * box.height }
    }

    /// Lines of small signs above or below all else that is printed, in clusters: candidates for number and head.
    ///
    /// - Parameter skew: degrees, counter-clockwise; what is level on a skewed page is compared as if it were upright.
    func strips(skew: Double) -> [Strip] {
        guard let content, kind == .printed else { return [] }
        let slope = skew * .pi / 180
        let middle = Double(content.left + content.right) / 2
        let levels = groups.map { group -> (top: Double, bottom: Double) in
            let shift = (Double(group.box.left + group.box.right) / 2 - middle) * slope
            return (Double(group.box.top) + shift, Double(group.box.bottom) + shift)
        }
        return strips(levels, isAtTop: true)
            + strips(levels.map { (-$0.bottom, -$0.top) }, isAtTop: false)
    }

    /// - Parameter levels: of each group, where it begins and ends, counted from the end of the page looked at.
    private func strips(_ levels: [(top: Double, bottom: Double)], isAtTop: Bool) -> [Strip] {
        let order = groups.indices.sorted { levels[$0].top < levels[$1].top }
        guard let first = order.first else { return [] }
        var (top, bottom) = levels[first]
        var members: [Int] = []
        var next: Double?
        for index in order {
            // Groups beside each other are one line; the first that begins clearly later ends it.
            if levels[index].top >= bottom {
                next = levels[index].top
                break
            }
            members.append(index)
            (top, bottom) = (min(top, levels[index].top), max(bottom, levels[index].bottom))
        }
        let height = bottom - top
        guard height <= PageReading.mostStripHeight * unit, height >= PageReading.leastStripHeight * unit else {
            return []
        }
        if let next, next - bottom < height * PageReading.leastStripGap { return [] }
        let isLineOfText = isLikeWhatFollows(levels, order, (top, bottom))
        var strips: [Strip] = []
        for index in members.sorted(by: { groups[$0].box.left < groups[$1].box.left }) {
            let group = groups[index]
            if let last = strips.indices.last, Double(group.box.left - strips[last].box.right) < 2 * height {
                strips[last].members.append(index)
                strips[last].box = strips[last].box.union(group.box)
                strips[last].blobCount += group.blobCount
            } else {
                strips.append(
                    Strip(members: [index], box: group.box, blobCount: group.blobCount, isAtTop: isAtTop))
            }
        }
        if isLineOfText { strips.removeAll { !$0.isNumberLike } }
        return strips.count <= PageReading.mostStrips ? strips : []
    }

    /// Whether a line is followed by others of its height at the same distance: then it is the first of a text that is
    /// widely set, and no head of it.
    private func isLikeWhatFollows(
        _ levels: [(top: Double, bottom: Double)], _ order: [Int], _ line: (top: Double, bottom: Double)
    ) -> Bool {
        let height = line.bottom - line.top
        var (previous, distances) = (line, [Double]())
        for index in order where levels[index].top >= previous.bottom {
            let next = order.filter { levels[$0].top < levels[index].bottom && levels[$0].bottom > levels[index].top }
            let bottom = next.map { levels[$0].bottom }.max() ?? levels[index].bottom
            guard bottom - levels[index].top <= 1.35 * height else { return false }
            distances.append(levels[index].top - previous.bottom)
            previous = (levels[index].top, bottom)
            if distances.count == 2 { return distances[0] < 1.4 * distances[1] }
        }
        return false
    }

    /// In units. A number or head is set no larger than a title.
    private static let mostStripHeight = 24.0
    private static let leastStripHeight = 5.0
    /// In heights of the strip: lines of one text are closer to each other.
    private static let leastStripGap = 1.2
    /// A number, a head, and one of each for the other half of a spread.
    private static let mostStrips = 4
}
