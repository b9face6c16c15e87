internal import PageModel

/// The comparison of the possible page numbers and running heads of a book's pages.
struct PageComparison {
    private let pages: [PageItems?]
    /// For each page, whether the words of a possible head are on other pages nearby.
    private let hasRepeatedHead: [Bool]

    init(_ pages: [PageItems?]) {
        self.pages = pages
        hasRepeatedHead = pages.indices.map { index in
            pages[index]?.candidates.contains {
                !$0.isNumberLike && PageComparison.hasSameWords($0, at: index, among: pages)
            } ?? false
        }
    }

    /// Returns the indexes of the pages nearby, the page itself included.
    private static func neighbors(of index: Int, among pages: [PageItems?]) -> ClosedRange<Int> {
        max(0, index - PageFurnitureLimits.reach)...min(pages.count - 1, index + PageFurnitureLimits.reach)
    }

    private func neighbors(of index: Int) -> ClosedRange<Int> { PageComparison.neighbors(of: index, among: pages) }

    /// Whether any page nearby has a head whose words other pages have.
    func repeatsHeads(near index: Int) -> Bool { neighbors(of: index).contains { hasRepeatedHead[$0] } }

    /// Whether enough pages nearby have the same words.
    func hasSameWords(_ candidate: Candidate, at index: Int) -> Bool {
        hasRepeatedHead[index] && PageComparison.hasSameWords(candidate, at: index, among: pages)
    }

    /// Whether a page nearby has the same words.
    func sharesWords(_ candidate: Candidate, at index: Int) -> Bool {
        PageComparison.hasSameWords(candidate, at: index, among: pages, count: 1)
    }

    /// Whether enough pages nearby have clearly the same words about as high on the page.
    func hasClearlySameWords(_ candidate: Candidate, at index: Int) -> Bool {
        hasRepeatedHead[index]
            && PageComparison.hasSameWords(
                candidate, at: index, among: pages, correlation: LineShapeLimits.clearCorrelation,
                tolerance: PageFurnitureLimits.firstLineTolerance)
    }

    /// - Parameters:
    ///   - count: the minimum number of other pages.
    ///   - correlation: the minimum correlation coefficient of the lines.
    ///   - tolerance: the maximum difference of their vertical places, in heights of the page.
    private static func hasSameWords(
        _ candidate: Candidate, at index: Int, among pages: [PageItems?],
        count: Int = PageFurnitureLimits.minimumSimilar, correlation: Float = LineShapeLimits.minimumCorrelation,
        tolerance: Double = .infinity
    ) -> Bool {
        guard let page = pages[index] else { return false }
        let level = Place(candidate.rect, page.size).middleDown
        var found = 0
        for other in neighbors(of: index, among: pages) where other != index {
            guard let neighbor = pages[other] else { continue }
            let isFound = neighbor.candidates.contains {
                abs(Place($0.rect, neighbor.size).middleDown - level) <= tolerance
                    && candidate.isLike($0, correlation: correlation)
            }
            if isFound { found += 1 }
            if found >= count { return true }
        }
        return false
    }

    /// Whether a good part of the pages nearby have a similar item in their first line.
    ///
    /// The item is a number at an end of it, or a short line in the middle.
    func isUsual(_ candidate: Candidate, at index: Int, share: Double = PageFurnitureLimits.minimumShare) -> Bool {
        let (found, printed) = similar(candidate, at: index)
        return found >= PageFurnitureLimits.minimumPages && Double(found) >= share * Double(printed)
    }

    /// Whether a page nearby has a similar item in its first line.
    func hasSimilar(_ candidate: Candidate, at index: Int) -> Bool { similar(candidate, at: index).found > 0 }

    /// Returns the number of pages nearby with a similar item in their first line, and the number of printed pages.
    private func similar(_ candidate: Candidate, at index: Int) -> (found: Int, printed: Int) {
        guard let page = pages[index] else { return (0, 0) }
        let place = Place(candidate.rect, page.size)
        let maximumRatio = candidate.isNumberLike ? PageFurnitureLimits.numberHeights : PageFurnitureLimits.heights
        var (printed, found) = (0, 0)
        for other in neighbors(of: index) where other != index {
            guard let neighbor = pages[other], neighbor.isPrinted else { continue }
            printed += 1
            let isFound = neighbor.candidates.contains { one in
                let its = Place(one.rect, neighbor.size)
                return one.isClose && !one.isLikeText && one.isNumberLike == candidate.isNumberLike
                    && (one.isNumberLike || one.isCentered)
                    && abs(its.middleDown - place.middleDown) <= PageFurnitureLimits.firstLineTolerance
                    && its.height <= maximumRatio * place.height && place.height <= maximumRatio * its.height
            }
            if isFound { found += 1 }
        }
        return (found, printed)
    }

    /// Whether a page's letters are about as high as on most pages nearby: on a title page they are higher.
    func isSetAsUsual(at index: Int) -> Bool {
        relativeHeight(at: index).map { PageFurnitureLimits.letterHeights.contains($0) } ?? false
    }

    /// Whether a page of higher letters has as many of them as most pages nearby: it is text in a larger type, not a title.
    func isTextInLargerType(at index: Int) -> Bool {
        isTitle(at: index) && letterShare(at: index).map { $0 >= PageFurnitureLimits.textLetters } ?? false
    }

    /// Returns the ratio of the number of a page's letters to that of most pages nearby; nil for a page without text.
    private func letterShare(at index: Int) -> Double? {
        let counts = neighbors(of: index).compactMap { pages[$0]?.letterCount }.filter { $0 > 0 }.sorted()
        guard let count = pages[index]?.letterCount, count > 0, !counts.isEmpty else { return nil }
        return Double(count) / Double(counts[counts.count / 2])
    }

    /// Whether a page has few letters, and an item that may be its number is much higher than the numbers nearby.
    ///
    /// It is then a word of a title.
    func isTitleWord(_ candidate: Candidate, at index: Int) -> Bool {
        guard let share = letterShare(at: index), share < PageFurnitureLimits.titleLetters,
            let ratio = relativeHeight(of: candidate, at: index)
        else { return false }
        return ratio > PageFurnitureLimits.titleHeight
    }

    /// Whether a possible head is much higher than those nearby: it is then the title of a chapter.
    func isHigherThanHeads(_ candidate: Candidate, at index: Int) -> Bool {
        relativeHeight(of: candidate, at: index).map { $0 > PageFurnitureLimits.titleLineHeight } ?? false
    }

    /// Returns the ratio of an item's height to that of most items of its kind nearby; nil without any.
    private func relativeHeight(of candidate: Candidate, at index: Int) -> Double? {
        guard let page = pages[index] else { return nil }
        let heights = neighbors(of: index).filter { $0 != index }.flatMap { other -> [Double] in
            guard let neighbor = pages[other] else { return [] }
            return neighbor.candidates.filter {
                $0.isClose && $0.isNumberLike == candidate.isNumberLike && !$0.isLikeText && !$0.isBelowNumber
            }.map { Place($0.rect, neighbor.size).height }
        }.sorted()
        if heights.isEmpty { return nil }
        return Place(candidate.rect, page.size).height / heights[heights.count / 2]
    }

    /// Whether a page's letters are higher than on most pages nearby.
    func isTitle(at index: Int) -> Bool {
        relativeHeight(at: index).map { $0 > PageFurnitureLimits.letterHeights.upperBound } ?? false
    }

    /// Returns the ratio of the height of a page's letters to that of most pages nearby; nil for a page without text.
    private func relativeHeight(at index: Int) -> Double? {
        let heights = neighbors(of: index).compactMap { pages[$0]?.letterHeight }.sorted()
        guard let height = pages[index]?.letterHeight, !heights.isEmpty else { return nil }
        return height / heights[heights.count / 2]
    }

    /// Whether enough pages nearby have a similar item at its place.
    ///
    /// - Parameters:
    ///   - isAmbiguous: whether it may be a speck.
    ///   - isAsWide: whether the items must be as long as each other.
    func repeats(_ candidate: Candidate, at index: Int, isAmbiguous: Bool = false, isAsWide: Bool = false) -> Bool {
        guard let page = pages[index] else { return false }
        var (printed, found) = (0, 0)
        for other in neighbors(of: index) where other != index {
            guard let neighbor = pages[other], neighbor.isPrinted else { continue }
            printed += 1
            let others = neighbor.candidates + neighbor.ambiguous
            let isFound = others.contains {
                PageComparison.isLike($0, neighbor.size, candidate, page.size, isAsWide: isAsWide)
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
