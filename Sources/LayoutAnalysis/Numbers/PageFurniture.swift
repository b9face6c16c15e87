package import PageModel

/// The possible page numbers and running heads of one page.
package struct PageItems: Sendable {
    let size: PixelSize
    let isPrinted: Bool
    let candidates: [Candidate]
    let ambiguous: [Candidate]
    let letterHeight: Double?
    let letterCount: Int

    /// - Parameters:
    ///   - size: the size of the page.
    ///   - isPrinted: whether it is paper with print on it.
    ///   - candidates: its possible page number and running head.
    ///   - ambiguous: the symbols that are a page number only if other pages have one at their place.
    ///   - letterHeight: the height of its letters, as a share of the page's height. Nil if it is not text.
    ///   - letterCount: the number of its letters. 0 if it is not text.
    package init(
        size: PixelSize, isPrinted: Bool, candidates: [Candidate], ambiguous: [Candidate], letterHeight: Double?,
        letterCount: Int = 0
    ) {
        (self.size, self.isPrinted, self.letterHeight) = (size, isPrinted, letterHeight)
        self.letterCount = letterCount
        (self.candidates, self.ambiguous) = (candidates, ambiguous)
    }
}

/// The page numbers and running heads of a book ("page furniture").
///
/// They are the candidates that repeat on other pages: as large, at the same height, and at the same horizontal place or its
/// mirror image. Unambiguous items in the first line of a text need no repetition. `NumberMark` finds the sides of pages,
/// which needs less.
package struct PageFurniture: Sendable {
    /// For each page the candidates that are numbers.
    package private(set) var numbers: [[Candidate]]
    /// For each page the candidates that are heads.
    package private(set) var heads: [[Candidate]]
    /// For each page the marks above its head or number that look like a number: dirt, or a second number.
    package private(set) var strays: [[Candidate]]

    package init(_ pages: [PageItems?]) {
        numbers = pages.map { _ in [] }
        (heads, strays) = (numbers, numbers)
        let comparison = PageComparison(pages)
        for (index, page) in pages.enumerated() {
            guard let page else { continue }
            for item in page.ambiguous where item.isNumberLike {
                if comparison.repeats(item, at: index, isAmbiguous: true) { numbers[index].append(item) }
            }
            let found = PageItem.all(of: page, at: index, comparison)
            heads[index] = found.filter { !$0.candidate.isNumberLike && $0.isHead }.map(\.candidate)
            for item in found where item.candidate.isNumberLike {
                let isNextToHead = heads[index].contains { item.candidate.isNext(to: $0) }
                if isNextToHead || item.isNumber { numbers[index].append(item.candidate) }
            }
            #if JISUI_FIRST_LINES
            printFacts(about: found, at: index, comparison)
            #endif
            let known = numbers[index] + heads[index]
            // On a title page it may be a word.
            guard known.contains(where: \.isBelowNumber), !comparison.isTitle(at: index) else { continue }
            strays[index] = page.candidates.filter {
                $0.isClose && $0.isNumberLike && !$0.isBelowNumber && !known.contains($0)
            }
        }
    }
}

/// A candidate of a page, compared with those of the other pages.
struct PageItem {
    let candidate: Candidate
    private let page: PageItems
    private let index: Int
    private let comparison: PageComparison

    static func all(of page: PageItems, at index: Int, _ comparison: PageComparison) -> [PageItem] {
        page.candidates.map { PageItem(candidate: $0, page: page, index: index, comparison: comparison) }
    }

    /// Whether other pages have a similar item at its place.
    private var repeats: Bool { comparison.repeats(candidate, at: index) }

    /// Whether a good part of the pages nearby have a similar item in their first line.
    private var isUsual: Bool { comparison.isUsual(candidate, at: index) }

    /// Whether it is a page number, as far as it is not next to a head.
    var isNumber: Bool {
        guard candidate.isClose else { return repeats }
        if candidate.isTight { return isTightHead }
        // A word of a line that stays is not a number.
        if page.candidates.contains(where: {
            $0.isClose && !$0.isNumberLike && !$0.isBelowNumber && $0.isOnSameLine(as: candidate)
        }) || candidate.isLikeText {
            return false
        }
        // A word of a title may be at the place of the numbers.
        let isTitle = comparison.isTitle(at: index) || comparison.isTitleWord(candidate, at: index)
        if repeats, !isTitle || candidate.isAtRightEnd && candidate.standsApart { return true }
        if candidate.isInBrackets { return !isTitle }
        guard candidate.standsApart, !candidate.isBelowNumber else { return false }
        return candidate.isAtRightEnd || candidate.isCentered && isUsual && !isTitle
    }

    /// Whether it is a running head.
    var isHead: Bool {
        guard candidate.isClose else { return repeats }
        // The title of a chapter has the words of its running heads, but is lower on its page.
        if comparison.hasSameWords(candidate, at: index),
            repeats || candidate.isCentered && !numbersNextToIt.isEmpty
                || comparison.hasClearlySameWords(candidate, at: index)
        {
            return true
        }
        if candidate.isTight { return isTightHead }
        // Only its words show that a line that is set like the text is a head.
        if candidate.isLikeText { return false }
        let isSetAsUsual = comparison.isSetAsUsual(at: index)
        if candidate.isWithNumber, isSetAsUsual,
            numbersNextToIt.contains(where: { comparison.hasSimilar($0, at: index) })
        {
            return true
        }
        // A line without a number that is below one, or higher than the heads nearby, is a title.
        if numbersNextToIt.isEmpty, !candidate.isWithNumber,
            candidate.isBelowNumber || comparison.isHigherThanHeads(candidate, at: index)
        {
            return false
        }
        if candidate.isSeparate, isSetAsUsual, repeats { return true }
        let mayBeHead = candidate.standsApart || comparison.repeatsHeads(near: index)
        // A long line indented on both sides is not part of the text if other pages have one as long at the same place.
        if candidate.isInset, mayBeHead, comparison.repeats(candidate, at: index, isAsWide: true) { return true }
        // A short centered line is a head if most pages have such a line. One as near to the text as its lines may be the title of
        // a poem. Then another page must have its words, or the text below goes on in a book whose heads repeat.
        let isAtUsualPlace = candidate.isCentered || candidate.isInset && candidate.standsApart
        let isText = isSetAsUsual || comparison.isTextInLargerType(at: index)
        if isAtUsualPlace, isText, isUsual, repeats,
            candidate.standsApart || comparison.sharesWords(candidate, at: index)
                || candidate.isAboveFullLines && comparison.repeatsHeads(near: index)
        {
            return true
        }
        // An item next to a number is the head. On a title page, dirt may look like a number.
        let isTitle = comparison.isTitle(at: index)
        return candidate.isInset
            && numbersNextToIt.contains { number in
                let numberRepeats = comparison.repeats(number, at: index)
                return comparison.isUsual(number, at: index)
                    && (isTitle ? numberRepeats : candidate.standsApart || repeats || numberRepeats)
            }
    }

    /// The possible numbers in its line.
    private var numbersNextToIt: [Candidate] {
        page.candidates.filter { $0.isClose && $0.isNumberLike && $0.isOnSameLine(as: candidate) }
    }

    /// Whether a first line with only a small gap between a number and a head is a running head.
    private var isTightHead: Bool {
        let tight = page.candidates.filter(\.isTight)
        guard let number = tight.first(where: \.isNumberLike), let head = tight.first(where: { !$0.isNumberLike })
        else {
            return false
        }
        if comparison.hasSameWords(head, at: index) { return true }
        return head.isInset && !head.isLikeText
            && [number, head].allSatisfy {
                comparison.isUsual($0, at: index, share: PageFurnitureLimits.clearShare)
            }
    }
}
