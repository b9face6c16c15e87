internal import PageModel

/// Infers the reading direction from printed page numbers.
///
/// A number is printed at the outer side of its page, and a book begins on an odd page. Odd pages are right-hand pages if the
/// book is read from left to right, and left-hand pages otherwise.
enum PrintedNumbers {
    /// A number in a corner of a page.
    struct Mark: Hashable, Sendable {
        let number: Int
        let isAtRight: Bool

        init(number: Int, isAtRight: Bool) { (self.number, self.isAtRight) = (number, isAtRight) }

        /// Nil for a word that is not a number, or not in a corner.
        init?(_ word: TextWord, _ limits: DirectionLimits) {
            guard (1...4).contains(word.text.utf8.count),
                word.text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(word.text)
            else { return nil }
            let (x, y) = ((word.area.left + word.area.right) / 2, (word.area.top + word.area.bottom) / 2)
            guard min(y, 1 - y) <= limits.band, min(x, 1 - x) <= limits.outer else { return nil }
            self.init(number: number, isAtRight: x > 0.5)
        }
    }

    /// Returns the evidence of printed numbers on pages at given places in the book. The result is nil if too few of them are
    /// consecutive, or they do not agree.
    ///
    /// - Parameter marks: the candidates for each page's number.
    static func evidence(
        _ marks: [[Mark]], at places: [Int], _ limits: DirectionLimits
    ) -> ReadingDirection.Evidence? {
        // Numbers that count pages, and those of images that show two pages each.
        var (single, double): ([Int: [Mark]], [Int: [Mark]]) = ([:], [:])
        for (marks, place) in zip(marks, places) {
            // A page with the same number in two corners proves nothing.
            for (number, same) in Dictionary(grouping: marks, by: \.number) where Set(same).count == 1 {
                single[number - place, default: []].append(same[0])
                double[number / 2 - place, default: []].append(same[0])
            }
        }
        // Sorted by offset, so that the result for a book is always the same.
        let groups = [single, double].flatMap { $0.sorted { $0.key < $1.key }.map(\.value) }
        guard let best = groups.max(by: { $0.count < $1.count }) else { return nil }
        let along = best.count { ($0.number % 2 == 1) == $0.isAtRight }
        let majority = max(along, best.count - along)
        // A number that is always at the same side agrees for half of the pages.
        guard majority >= limits.numbers, Double(majority) >= limits.share * Double(best.count),
            Set(best.map(\.isAtRight)).count == 2
        else { return nil }
        return .init(
            .pageNumbers, along == majority ? .leftToRight : .rightToLeft, pages: (majority, best.count))
    }
}
