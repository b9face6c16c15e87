internal import PageModel

/// The page numbers and running heads of a book.
///
/// They are the candidates that come back on other pages: as large, at the same height, and at the same place across
/// or at its mirror image. Of the first line of a text, what can be nothing else needs no others.
struct Furniture {
    /// For each page the candidates that are numbers.
    private(set) var numbers: [[Candidate]]
    /// For each page the candidates that are heads.
    private(set) var heads: [[Candidate]]

    init(_ pages: [PageReading?]) {
        numbers = pages.map { _ in [] }
        heads = numbers
        for (index, page) in pages.enumerated() {
            guard let page else { continue }
            for sign in page.doubtful where sign.isNumberLike {
                if Furniture.comesBack(sign, page, at: index, among: pages, isDoubtful: true) {
                    numbers[index].append(sign)
                }
            }
            let known = page.candidates.filter { Furniture.isFurniture($0, page, at: index, among: pages) }
            heads[index] += known.filter { !$0.isNumberLike }
            numbers[index] += page.candidates.filter { sign in
                sign.isNumberLike
                    && (known.contains(sign) || sign.isClose && heads[index].contains { sign.isBeside($0) })
            }
        }
    }

    /// How many pages before and after are compared with: layouts change in the middle of a book.
    private static let reach = 24
    /// A candidate must come back on so many pages; on one fewer will do if that is a good share of those nearby.
    private static let leastPages = 3
    private static let leastShare = 0.3
    /// Where so many pages have a number and a head in their first line, what looks like that is that.
    private static let clearShare = 0.7

    private static func isFurniture(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?]
    ) -> Bool {
        guard candidate.isClose else { return comesBack(candidate, page, at: index, among: pages) }
        if candidate.isTight { return isTightHead(page, at: index, among: pages) }
        if candidate.isNumberLike {
            // By itself it is content less often than at the end of a line.
            // Where nothing stands before it, it is no last word of a paragraph: that stands at the left.
            let isByItself = !page.candidates.contains { $0.isClose && !$0.isNumberLike }
            return isUsual(candidate, page, at: index, among: pages) || candidate.isAtRightEnd
                || isByItself && comesBack(candidate, page, at: index, among: pages)
        }
        if alike(candidate, at: index, among: pages) >= leastAlike { return true }
        if candidate.isWithNumber, isSetAsUsual(page, at: index, among: pages),
            page.candidates.contains(where: { one in
                one.isClose && one.isNumberLike && one.isBeside(candidate)
                    && similar(one, page, at: index, among: pages).found > 0
            })
        {
            return true
        }
        if candidate.isApart, comesBack(candidate, page, at: index, among: pages),
            isSetAsUsual(page, at: index, among: pages)
        {
            return true
        }
        // So long a line, set in from both sides, is no line of the text where others are as long and at the same place.
        if candidate.isInset, comesBack(candidate, page, at: index, among: pages, isAsWide: true) { return true }
        // Beside a number stands the head; and a short line in the middle is one where most pages have such a line.
        if candidate.isCentred, isUsual(candidate, page, at: index, among: pages),
            isSetAsUsual(page, at: index, among: pages)
        {
            return true
        }
        return candidate.isInset
            && page.candidates.contains {
                $0.isClose && $0.isNumberLike && $0.isBeside(candidate)
                    && isUsual($0, page, at: index, among: pages)
            }
    }

    /// Whether a first line in which little parts a number from a head is one.
    private static func isTightHead(_ page: PageReading, at index: Int, among pages: [PageReading?]) -> Bool {
        let tight = page.candidates.filter(\.isTight)
        guard let number = tight.first(where: \.isNumberLike), let head = tight.first(where: { !$0.isNumberLike })
        else {
            return false
        }
        return alike(head, at: index, among: pages) >= leastAlike
            || head.isInset
                && [number, head].allSatisfy { isUsual($0, page, at: index, among: pages, share: clearShare) }
    }

    /// On how many pages nearby the same words stand.
    private static func alike(_ candidate: Candidate, at index: Int, among pages: [PageReading?]) -> Int {
        let near = max(0, index - reach)...min(pages.count - 1, index + reach)
        return near.count { other in
            other != index && pages[other]?.candidates.contains { candidate.isLike($0) } ?? false
        }
    }

    /// On so many other pages the words of a head stand.
    private static let leastAlike = 2

    /// Whether a good part of the pages nearby have such a thing in their first line: a number at an end of it, or a short
    /// line in the middle.
    private static func isUsual(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?],
        share: Double = leastShare
    ) -> Bool {
        let (found, printed) = similar(candidate, page, at: index, among: pages)
        return found >= leastPages && Double(found) >= share * Double(printed)
    }

    /// How many pages nearby have such a thing in their first line, and how many are printed.
    private static func similar(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?]
    ) -> (found: Int, printed: Int) {
        let place = Place(candidate.rect, page.size)
        // A roman x is half as high as xviij.
        let most = candidate.isNumberLike ? 2.5 : 1.7
        var (printed, found) = (0, 0)
        for other in max(0, index - reach)...min(pages.count - 1, index + reach) where other != index {
            guard let neighbour = pages[other], neighbour.kind == .printed else { continue }
            printed += 1
            let isFound = neighbour.candidates.contains { one in
                let its = Place(one.rect, neighbour.size)
                return one.isClose && one.isNumberLike == candidate.isNumberLike
                    && (one.isNumberLike || one.isCentred) && abs(its.middleDown - place.middleDown) <= 0.04
                    && its.height <= most * place.height && place.height <= most * its.height
            }
            if isFound { found += 1 }
        }
        return (found, printed)
    }

    /// Whether a page's letters are about as high as on most pages nearby: on a title page they are higher.
    private static func isSetAsUsual(_ page: PageReading, at index: Int, among pages: [PageReading?]) -> Bool {
        let near = max(0, index - reach)...min(pages.count - 1, index + reach)
        let heights = near.compactMap { pages[$0]?.letterHeight }.sorted()
        guard let height = page.letterHeight, !heights.isEmpty else { return false }
        let usual = heights[heights.count / 2]
        return 0.75 * usual <= height && height <= 1.33 * usual
    }

    private static func comesBack(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?],
        isDoubtful: Bool = false, isAsWide: Bool = false
    ) -> Bool {
        var (printed, found) = (0, 0)
        for other in max(0, index - reach)...min(pages.count - 1, index + reach) where other != index {
            guard let neighbour = pages[other], neighbour.kind == .printed else { continue }
            printed += 1
            let others = neighbour.candidates + neighbour.doubtful
            let isFound = others.contains {
                isLike($0, neighbour.size, candidate, page.size, isAsWide: isAsWide)
            }
            if isFound { found += 1 }
        }
        // A speck has its likes on some pages.
        if isAsWide { return found >= leastPages && Double(found) >= leastShare * Double(printed) / 2 }
        if isDoubtful { return found >= leastPages && Double(found) >= leastShare * Double(printed) }
        return found >= leastPages || found == leastPages - 1 && Double(found) >= leastShare * Double(printed)
    }

    private static func isLike(
        _ one: Candidate, _ oneSize: PixelSize, _ other: Candidate, _ otherSize: PixelSize, isAsWide: Bool = false
    ) -> Bool {
        guard one.isAtTop == other.isAtTop, one.isNumberLike == other.isNumberLike else { return false }
        let (first, second) = (Place(one.rect, oneSize), Place(other.rect, otherSize))
        guard abs(first.middleDown - second.middleDown) <= 0.015, first.height <= 1.7 * second.height,
            second.height <= 1.7 * first.height
        else { return false }
        if isAsWide { return one.isInset && first.matchesBothSides(of: second) }
        return first.matches(second) || first.matches(second.mirrored)
    }

    /// Where something lies, in heights of the page: wide pages are as high as the others.
    private struct Place {
        /// From the page's left and right edge.
        var left: Double
        var right: Double
        let middleDown: Double
        let height: Double

        init(_ rect: PixelRect, _ size: PixelSize) {
            let whole = Double(size.height)
            left = Double(rect.x) / whole
            right = Double(size.width - rect.x - rect.width) / whole
            middleDown = (Double(rect.y) + Double(rect.height) / 2) / whole
            height = Double(rect.height) / whole
        }

        var mirrored: Place {
            var copy = self
            (copy.left, copy.right) = (right, left)
            return copy
        }

        /// As long, and at the same place.
        func matchesBothSides(of other: Place) -> Bool {
            max(abs(left - other.left), abs(right - other.right)) <= 0.015
        }

        /// Set flush left, flush right or centred at the same distance.
        func matches(_ other: Place) -> Bool {
            let tolerance = 0.02
            return abs(left - other.left) <= tolerance || abs(right - other.right) <= tolerance
                || abs(left - right - other.left + other.right) / 2 <= tolerance
        }
    }
}

extension RasterReading {
    /// A candidate in pixels of the preview: what stands by itself at the top or bottom of the page.
    struct Strip {
        /// The places of its groups in `groups`.
        var members: [Int]
        var box: Bounds
        var blobCount: Int
        var isAtTop: Bool
        /// The places of its blobs in `ink`, where it is not made of whole groups.
        var blobs: [Int] = []
        var shape: LineShape?
        /// That of the longest of its pieces, where it falls into some.
        var mainShape: LineShape?
        /// Whether the text's lines go on at both sides of it, and whether it is short and stands in their middle.
        var (isInset, isCentred) = (false, false)
        /// Whether it stands further from the text than its lines from each other.
        var isApart = false
        /// Whether it is all of its line, and stands at the right end of it.
        var isAtRightEnd = false
        /// Whether it stands in the middle of its line, and a number apart from it at one end.
        var isWithNumber = false
        /// Whether so little parts a number from a head that it may as well be the space between two words.
        var isTight = false
        /// Whether it may be a number: digits are narrow and one blob each, and a few signs may stand around them.
        var isNumberLike: Bool

        init(members: [Int], box: Bounds, blobCount: Int, isAtTop: Bool, blobs: [Int] = []) {
            (self.members, self.box, self.blobCount) = (members, box, blobCount)
            (self.isAtTop, self.blobs) = (isAtTop, blobs)
            isNumberLike = Strip.isNumberLike(box, blobCount)
        }

        private static func isNumberLike(_ box: Bounds, _ blobCount: Int) -> Bool {
            blobCount <= 6 && box.width * 2 <= 9 * box.height
        }

        mutating func add(_ blob: Int, _ box: Bounds) {
            self.box = self.box.union(box)
            blobs.append(blob)
            blobCount += 1
            isNumberLike = Strip.isNumberLike(self.box, blobCount)
        }

        /// Takes in a group of the reading.
        mutating func add(_ group: Group, at index: Int) {
            members.append(index)
            box = box.union(group.box)
            blobCount += group.blobCount
            isNumberLike = Strip.isNumberLike(box, blobCount)
        }
    }

    /// The candidates: the first line of text, or else what stands apart from the rest at the top; and that at the bottom.
    func candidates(skew: Double) -> [Strip] {
        let apart = strips(skew: skew)
        guard var line = FirstLine(self, skew: skew)?.strips else { return apart }
        for index in line.indices {
            line[index].isApart = apart.contains { $0.isAtTop && $0.box.intersects(line[index].box) }
        }
        return line + apart.filter { !$0.isAtTop }
    }

    /// The candidates that stand apart: lines of small signs above or below everything else, cut into pieces at wide gaps.
    ///
    /// - Parameter skew: how far the page's lines are turned counter-clockwise, in degrees; heights are compared along
    ///   them.
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

    /// The candidates at one end of the page.
    ///
    /// - Parameter levels: where each group begins and ends, counted from that end.
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
        guard height <= RasterReading.mostStripHeight * unit, height >= RasterReading.leastStripHeight * unit else {
            return []
        }
        if let next, next - bottom < height * RasterReading.leastStripGap { return [] }
        let isLineOfText = isLikeWhatFollows(levels, order, (top, bottom))
        var strips: [Strip] = []
        for index in members.sorted(by: { groups[$0].box.left < groups[$1].box.left }) {
            let group = groups[index]
            if let last = strips.indices.last, Double(group.box.left - strips[last].box.right) < 2 * height {
                strips[last].add(group, at: index)
            } else {
                strips.append(
                    Strip(members: [index], box: group.box, blobCount: group.blobCount, isAtTop: isAtTop))
            }
        }
        if isLineOfText { strips.removeAll { !$0.isNumberLike } }
        return strips.count <= RasterReading.mostStrips ? strips : []
    }

    /// Whether a line is followed by others of its height at the same distance: then it is the first line of a text
    /// that is widely set, not its head.
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
