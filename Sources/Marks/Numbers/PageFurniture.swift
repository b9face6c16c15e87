public import PageModel

/// The possible page numbers and running heads of one page.
public struct PageItems: Sendable {
    let size: PixelSize
    let isPrinted: Bool
    let candidates: [Candidate]
    let ambiguous: [Candidate]
    let letterHeight: Double?

    /// - Parameters:
    ///   - size: the size of the page.
    ///   - isPrinted: whether it is paper with print on it.
    ///   - candidates: its possible page number and running head.
    ///   - ambiguous: the symbols that are a page number only if other pages have one at their place.
    ///   - letterHeight: the height of its letters, as a share of the page's height. Nil if it is not text.
    public init(
        size: PixelSize, isPrinted: Bool, candidates: [Candidate], ambiguous: [Candidate], letterHeight: Double?
    ) {
        (self.size, self.isPrinted, self.letterHeight) = (size, isPrinted, letterHeight)
        (self.candidates, self.ambiguous) = (candidates, ambiguous)
    }
}

/// The page numbers and running heads of a book ("page furniture").
///
/// They are the candidates that repeat on other pages: as large, at the same height, and at the same horizontal place or its
/// mirror image. Unambiguous items in the first line of a text need no repetition. `NumberMark` finds the sides of pages,
/// which needs less.
public struct PageFurniture: Sendable {
    /// For each page the candidates that are numbers.
    public private(set) var numbers: [[Candidate]]
    /// For each page the candidates that are heads.
    public private(set) var heads: [[Candidate]]

    public init(_ pages: [PageItems?]) {
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
        _ candidate: Candidate, _ page: PageItems, at index: Int, among pages: [PageItems?]
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
    private static func isTightHead(_ page: PageItems, at index: Int, among pages: [PageItems?]) -> Bool {
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
    private static func neighbors(of index: Int, among pages: [PageItems?]) -> ClosedRange<Int> {
        max(0, index - PageFurnitureLimits.reach)...min(pages.count - 1, index + PageFurnitureLimits.reach)
    }

    /// Returns the number of pages nearby with the same words.
    private static func alike(_ candidate: Candidate, at index: Int, among pages: [PageItems?]) -> Int {
        let near = neighbors(of: index, among: pages)
        return near.count { other in
            other != index && pages[other]?.candidates.contains { candidate.isLike($0) } ?? false
        }
    }

    /// Whether a good part of the pages nearby have a similar item in their first line.
    ///
    /// The item is a number at an end of it, or a short line in the middle.
    private static func isUsual(
        _ candidate: Candidate, _ page: PageItems, at index: Int, among pages: [PageItems?],
        share: Double = PageFurnitureLimits.minimumShare
    ) -> Bool {
        let (found, printed) = similar(candidate, page, at: index, among: pages)
        return found >= PageFurnitureLimits.minimumPages && Double(found) >= share * Double(printed)
    }

    /// Returns the number of pages nearby with a similar item in their first line, and the number of printed pages.
    private static func similar(
        _ candidate: Candidate, _ page: PageItems, at index: Int, among pages: [PageItems?]
    ) -> (found: Int, printed: Int) {
        let place = Place(candidate.rect, page.size)
        let maximumRatio = candidate.isNumberLike ? PageFurnitureLimits.numberHeights : PageFurnitureLimits.heights
        var (printed, found) = (0, 0)
        for other in neighbors(of: index, among: pages) where other != index {
            guard let neighbor = pages[other], neighbor.isPrinted else { continue }
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
    private static func isSetAsUsual(_ page: PageItems, at index: Int, among pages: [PageItems?]) -> Bool {
        let near = neighbors(of: index, among: pages)
        let heights = near.compactMap { pages[$0]?.letterHeight }.sorted()
        guard let height = page.letterHeight, !heights.isEmpty else { return false }
        let usual = heights[heights.count / 2]
        return PageFurnitureLimits.letterHeights.scaled(by: usual).contains(height)
    }

    private static func repeatsOnOtherPages(
        _ candidate: Candidate, _ page: PageItems, at index: Int, among pages: [PageItems?],
        isAmbiguous: Bool = false, isAsWide: Bool = false
    ) -> Bool {
        var (printed, found) = (0, 0)
        for other in neighbors(of: index, among: pages) where other != index {
            guard let neighbor = pages[other], neighbor.isPrinted else { continue }
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
