#if JISUI_FIRST_LINES
internal import PageModel

/// The facts about first lines on standard output, for `Benchmarks/first_lines.py`. Releases do not have it.
extension PageFurniture {
    /// Prints the facts about a page's candidates, and the decisions about them.
    func printFacts(about items: [PageItem], at index: Int, _ comparison: PageComparison) {
        for item in items where item.candidate.isClose {
            let candidate = item.candidate
            let facts = [
                candidate.isInset, candidate.isCentered, candidate.isSeparate, candidate.isAtRightEnd,
                candidate.isInBrackets, candidate.isWithNumber, candidate.isTight, candidate.standsApart,
                candidate.isLikeText, candidate.isBelowNumber, comparison.repeats(candidate, at: index),
                comparison.repeats(candidate, at: index, isAsWide: true), comparison.isUsual(candidate, at: index),
                comparison.hasSameWords(candidate, at: index), comparison.isSetAsUsual(at: index),
                comparison.isTitle(at: index), comparison.isTextInLargerType(at: index),
                comparison.isTitleWord(candidate, at: index), comparison.repeatsHeads(near: index),
            ].map { $0 ? 1 : 0 }
            let (rect, found) = (candidate.rect, numbers[index] + heads[index])
            print(
                "FIRST_LINES {\"page\": \(index), \"rect\": \([rect.x, rect.y, rect.width, rect.height]), "
                    + "\"isNumberLike\": \(candidate.isNumberLike), \"facts\": \(facts), "
                    + "\"isFound\": \(found.contains(candidate))}")
        }
    }
}
#endif
