internal import Marks
internal import PageModel

/// The page numbers and running heads of a book ("page furniture").
///
/// They are the candidates that repeat on other pages: as large, at the same height, and at the same horizontal place or its
/// mirror image. Unambiguous items in the first line of a text need no repetition.
struct PageFurniture {
    /// For each page the candidates that are numbers.
    private(set) var numbers: [[Candidate]]
    /// For each page the candidates that are heads.
    private(set) var heads: [[Candidate]]

    init(_ pages: [PageReading?]) {
        numbers = pages.map { _ in [] }
        heads = numbers
        for (index, page) in pages.enumerated() {
            guard let page else { continue }
            for item in page.ambiguous where item.isNumberLike {
                if PageFurniture.repeatsOnOtherPages(item, page, at: index, among: pages, isAmbiguous: true) {
                    numbers[index].append(item)
                }
            }
            let known = page.candidates.filter { PageFurniture.isPageFurniture($0, page, at: index, among: pages) }
            heads[index] += known.filter { !$0.isNumberLike }
            numbers[index] += page.candidates.filter { item in
                item.isNumberLike
                    && (known.contains(item) || item.isClose && heads[index].contains { item.isOnSameLine(as: $0) })
            }
        }
    }

    private static func isPageFurniture(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?]
    ) -> Bool {
        guard candidate.isClose else { return repeatsOnOtherPages(candidate, page, at: index, among: pages) }
        if candidate.isTight { return isTightHead(page, at: index, among: pages) }
        if candidate.isNumberLike {
            // A number by itself is content less often than one at the end of a line. With nothing before it, it is not the last
            // word of a paragraph, which is at the left.
            let isByItself = !page.candidates.contains { $0.isClose && !$0.isNumberLike }
            return isUsual(candidate, page, at: index, among: pages) || candidate.isAtRightEnd
                || isByItself && repeatsOnOtherPages(candidate, page, at: index, among: pages)
        }
        if alike(candidate, at: index, among: pages) >= PageFurnitureLimits.minimumSimilar { return true }
        if candidate.isWithNumber, isSetAsUsual(page, at: index, among: pages),
            page.candidates.contains(where: { one in
                one.isClose && one.isNumberLike && one.isOnSameLine(as: candidate)
                    && similar(one, page, at: index, among: pages).found > 0
            })
        {
            return true
        }
        if candidate.isSeparate, repeatsOnOtherPages(candidate, page, at: index, among: pages),
            isSetAsUsual(page, at: index, among: pages)
        {
            return true
        }
        // A long line indented on both sides is not part of the text if other pages have one as long at the same place.
        if candidate.isInset, repeatsOnOtherPages(candidate, page, at: index, among: pages, isAsWide: true) {
            return true
        }
        // An item next to a number is the head. A short centered line is a head if most pages have such a line.
        if candidate.isCentered, isUsual(candidate, page, at: index, among: pages),
            isSetAsUsual(page, at: index, among: pages)
        {
            return true
        }
        return candidate.isInset
            && page.candidates.contains {
                $0.isClose && $0.isNumberLike && $0.isOnSameLine(as: candidate)
                    && isUsual($0, page, at: index, among: pages)
            }
    }

    /// Whether a first line with only a small gap between a number and a head is a running head.
    private static func isTightHead(_ page: PageReading, at index: Int, among pages: [PageReading?]) -> Bool {
        let tight = page.candidates.filter(\.isTight)
        guard let number = tight.first(where: \.isNumberLike), let head = tight.first(where: { !$0.isNumberLike })
        else {
            return false
        }
        return alike(head, at: index, among: pages) >= PageFurnitureLimits.minimumSimilar
            || head.isInset
                && [number, head].allSatisfy {
                    isUsual($0, page, at: index, among: pages, share: PageFurnitureLimits.clearShare)
                }
    }

    /// Returns the indexes of the pages nearby, the page itself included.
    private static func neighbors(of index: Int, among pages: [PageReading?]) -> ClosedRange<Int> {
        max(0, index - PageFurnitureLimits.reach)...min(pages.count - 1, index + PageFurnitureLimits.reach)
    }

    /// Returns the number of pages nearby with the same words.
    private static func alike(_ candidate: Candidate, at index: Int, among pages: [PageReading?]) -> Int {
        let near = neighbors(of: index, among: pages)
        return near.count { other in
            other != index && pages[other]?.candidates.contains { candidate.isLike($0) } ?? false
        }
    }

    /// Whether a good part of the pages nearby have a similar item in their first line.
    ///
    /// The item is a number at an end of it, or a short line in the middle.
    private static func isUsual(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?],
        share: Double = PageFurnitureLimits.minimumShare
    ) -> Bool {
        let (found, printed) = similar(candidate, page, at: index, among: pages)
        return found >= PageFurnitureLimits.minimumPages && Double(found) >= share * Double(printed)
    }

    /// Returns the number of pages nearby with a similar item in their first line, and the number of printed pages.
    private static func similar(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?]
    ) -> (found: Int, printed: Int) {
        let place = Place(candidate.rect, page.size)
        let maximumRatio = candidate.isNumberLike ? PageFurnitureLimits.numberHeights : PageFurnitureLimits.heights
        var (printed, found) = (0, 0)
        for other in neighbors(of: index, among: pages) where other != index {
            guard let neighbor = pages[other], neighbor.kind == .printed else { continue }
            printed += 1
            let isFound = neighbor.candidates.contains { one in
                let its = Place(one.rect, neighbor.size)
                return one.isClose && one.isNumberLike == candidate.isNumberLike
                    && (one.isNumberLike || one.isCentered)
                    && abs(its.middleDown - place.middleDown) <= PageFurnitureLimits.firstLineTolerance
                    && its.height <= maximumRatio * place.height && place.height <= maximumRatio * its.height
            }
            if isFound { found += 1 }
        }
        return (found, printed)
    }

    /// Whether a page's letters are about as high as on most pages nearby: on a title page they are higher.
    private static func isSetAsUsual(_ page: PageReading, at index: Int, among pages: [PageReading?]) -> Bool {
        let near = neighbors(of: index, among: pages)
        let heights = near.compactMap { pages[$0]?.letterHeight }.sorted()
        guard let height = page.letterHeight, !heights.isEmpty else { return false }
        let usual = heights[heights.count / 2]
        return PageFurnitureLimits.letterHeights.scaled(by: usual).contains(height)
    }

    private static func repeatsOnOtherPages(
        _ candidate: Candidate, _ page: PageReading, at index: Int, among pages: [PageReading?],
        isAmbiguous: Bool = false, isAsWide: Bool = false
    ) -> Bool {
        var (printed, found) = (0, 0)
        for other in neighbors(of: index, among: pages) where other != index {
            guard let neighbor = pages[other], neighbor.kind == .printed else { continue }
            printed += 1
            let others = neighbor.candidates + neighbor.ambiguous
            let isFound = others.contains {
                isLike($0, neighbor.size, candidate, page.size, isAsWide: isAsWide)
            }
            if isFound { found += 1 }
        }
        // A speck has similar ones on some pages.
        if isAsWide {
            return found >= PageFurnitureLimits.minimumPages
                && Double(found) >= PageFurnitureLimits.minimumShare * Double(printed) / 2
        }
        if isAmbiguous {
            return found >= PageFurnitureLimits.minimumPages
                && Double(found) >= PageFurnitureLimits.minimumShare * Double(printed)
        }
        return found >= PageFurnitureLimits.minimumPages
            || found == PageFurnitureLimits.minimumPages - 1
                && Double(found) >= PageFurnitureLimits.minimumShare * Double(printed)
    }

    private static func isLike(
        _ one: Candidate, _ oneSize: PixelSize, _ other: Candidate, _ otherSize: PixelSize, isAsWide: Bool = false
    ) -> Bool {
        guard one.isAtTop == other.isAtTop, one.isNumberLike == other.isNumberLike else { return false }
        let (first, second) = (Place(one.rect, oneSize), Place(other.rect, otherSize))
        guard abs(first.middleDown - second.middleDown) <= PageFurnitureLimits.verticalTolerance,
            first.height <= PageFurnitureLimits.heights * second.height,
            second.height <= PageFurnitureLimits.heights * first.height
        else { return false }
        if isAsWide { return one.isInset && first.matchesBothSides(of: second) }
        return first.matches(second) || first.matches(second.mirrored)
    }

    /// The position of an item, in heights of the page: wide pages are as high as the others.
    private struct Place {
        /// The distances from the page's left and right edges.
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

        /// Whether another item is as long, and at the same place.
        func matchesBothSides(of other: Place) -> Bool {
            max(abs(left - other.left), abs(right - other.right)) <= PageFurnitureLimits.endTolerance
        }

        /// Whether another item is set flush left, flush right or centered at the same distance.
        func matches(_ other: Place) -> Bool {
            let tolerance = PageFurnitureLimits.horizontalTolerance
            return abs(left - other.left) <= tolerance || abs(right - other.right) <= tolerance
                || abs(left - right - other.left + other.right) / 2 <= tolerance
        }
    }
}

extension RasterReading {
    /// A candidate in pixels of the preview: an isolated item at the top or bottom of the page.
    struct Strip {
        /// The indexes of its groups in `groups`.
        var members: [Int]
        var box: Bounds
        var blobCount: Int
        var isAtTop: Bool
        /// The indexes of its blobs in `ink`, if it does not consist of whole groups.
        var blobs: [Int] = []
        var shape: LineShape?
        /// The shape of its longest piece, if it consists of several.
        var mainShape: LineShape?
        /// Whether the text's lines extend beyond it on both sides, and whether it is short and centered over them.
        var (isInset, isCentered) = (false, false)
        /// Whether its distance from the text is more than that between lines.
        var isSeparate = false
        /// Whether it is the only item in its line, at the right end of it.
        var isAtRightEnd = false
        /// Whether it is in the middle of its line with a separate number at one end.
        var isWithNumber = false
        /// Whether the gap between a number and a head is so small that it may be a word space.
        var isTight = false
        /// Whether it may be a number: digits are narrow and one blob each, and a few symbols may surround them.
        var isNumberLike: Bool

        init(members: [Int], box: Bounds, blobCount: Int, isAtTop: Bool, blobs: [Int] = []) {
            (self.members, self.box, self.blobCount) = (members, box, blobCount)
            (self.isAtTop, self.blobs) = (isAtTop, blobs)
            isNumberLike = Strip.isNumberLike(box, blobCount)
        }

        private static func isNumberLike(_ box: Bounds, _ blobCount: Int) -> Bool {
            blobCount <= StripLimits.maximumDigits && box.width.isAtMost(StripLimits.numberWidth, of: box.height)
        }

        mutating func add(_ blob: Int, _ box: Bounds) {
            self.box = self.box.union(box)
            blobs.append(blob)
            blobCount += 1
            isNumberLike = Strip.isNumberLike(self.box, blobCount)
        }

        /// Adds a group of the reading.
        mutating func add(_ group: Group, at index: Int) {
            members.append(index)
            box = box.union(group.box)
            blobCount += group.blobCount
            isNumberLike = Strip.isNumberLike(box, blobCount)
        }
    }

    /// Returns the candidates: the first line of text, or else the separate items at the top; and those at the bottom.
    func candidates(skew: Double) -> [Strip] {
        let separate = strips(skew: skew)
        guard var line = FirstLine(self, skew: skew)?.strips else { return separate }
        for index in line.indices {
            line[index].isSeparate = separate.contains { $0.isAtTop && $0.box.intersects(line[index].box) }
        }
        return line + separate.filter { !$0.isAtTop }
    }

    /// Returns the separate candidates: lines of small symbols above or below everything else. They are split into pieces at wide
    /// gaps.
    ///
    /// - Parameter skew: the counterclockwise angle of the page's lines, in degrees. Heights are compared along them.
    func strips(skew: Double) -> [Strip] {
        guard let content, kind == .printed else { return [] }
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
    private func strips(_ levels: [(top: Double, bottom: Double)], isAtTop: Bool) -> [Strip] {
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
        guard StripLimits.heights.scaled(by: unit).contains(height)
        else {
            return []
        }
        if let next, next - bottom < height * StripLimits.minimumGap { return [] }
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
        return strips.count <= StripLimits.maximumStrips ? strips : []
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
            guard bottom - levels[index].top <= StripLimits.followingHeight * height else { return false }
            distances.append(levels[index].top - previous.bottom)
            previous = (levels[index].top, bottom)
            if distances.count == 2 { return distances[0] < StripLimits.followingDistance * distances[1] }
        }
        return false
    }
}
