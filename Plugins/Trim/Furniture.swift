internal import PageModel

/// The printed numbers and running heads of a book, found by coming back: at the same height, as large, and at the same
/// place across or at its mirror image.
struct Furniture {
    /// For each page the candidates that are numbers.
    private(set) var numbers: [[Candidate]]
    /// For each page the candidates that are heads.
    private(set) var heads: [[Candidate]]

    init(_ pages: [SeenPage?]) {
        numbers = pages.map { _ in [] }
        heads = numbers
        for (index, page) in pages.enumerated() {
            guard let page else { continue }
            for candidate in page.candidates where Furniture.comesBack(candidate, page, at: index, among: pages) {
                if candidate.isNumberLike {
                    numbers[index].append(candidate)
                } else {
                    heads[index].append(candidate)
                }
            }
        }
    }

    /// How many pages before and after are compared with: layouts change in the middle of a book.
    private static let reach = 24
    /// A candidate must come back on so many pages; on fewer only where there are hardly more.
    private static let leastPages = 3
    private static let leastShare = 0.3

    private static func comesBack(
        _ candidate: Candidate, _ page: SeenPage, at index: Int, among pages: [SeenPage?]
    ) -> Bool {
        var (printed, found) = (0, 0)
        for other in max(0, index - reach)...min(pages.count - 1, index + reach) where other != index {
            guard let neighbour = pages[other], neighbour.kind == .printed else { continue }
            printed += 1
            if neighbour.candidates.contains(where: { isLike($0, neighbour.size, candidate, page.size) }) { found += 1 }
        }
        return found >= leastPages || found == leastPages - 1 && Double(found) >= leastShare * Double(printed)
    }

    private static func isLike(
        _ one: Candidate, _ oneSize: PixelSize, _ other: Candidate, _ otherSize: PixelSize
    ) -> Bool {
        guard one.isAtTop == other.isAtTop, one.isNumberLike == other.isNumberLike else { return false }
        let (first, second) = (Place(one.rect, oneSize), Place(other.rect, otherSize))
        guard abs(first.middleDown - second.middleDown) <= 0.015, first.height <= 1.7 * second.height,
            second.height <= 1.7 * first.height
        else { return false }
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

        /// Set flush left, flush right or centred at the same distance.
        func matches(_ other: Place) -> Bool {
            let tolerance = 0.02
            return abs(left - other.left) <= tolerance || abs(right - other.right) <= tolerance
                || abs(left - right - other.left + other.right) / 2 <= tolerance
        }
    }
}
