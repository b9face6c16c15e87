internal import LayoutAnalysis
internal import PageModel

/// The limits of the choice of a mode for a book. No measurement of these values is recorded.
enum AutoTrimLimits {
    /// The minimum share of printed pages that fit the book's box; below it, every page gets its own box.
    static let minimumShare = 0.6
    /// The maximum excess of the book's box; above it, a seventh of the screen would be blank on more than half of the
    /// pages.
    static let maximumExcess = 1.15
    /// The minimum ratio of height to width of a strip that is read downwards; pages of books are below 2.
    static let stripAspect = Ratio(5, 2)
}

/// The boxes that suit a book if the user chose no mode.
struct AutoTrim {
    let decisions: [Int: TrimDecision]
    /// The mode that gives the same boxes; nil for a strip, which is not cropped.
    let mode: TrimOptions.Mode?

    /// - Parameters:
    ///   - findings: the findings by the pages' indexes.
    ///   - isLeft: for each page, whether it is a left one.
    init(_ findings: [Int: PrintFinding], isLeft: [Bool], _ margins: Margins) {
        // In a strip that is read downwards the gaps between images are part of the story.
        let strips = findings.values.count {
            $0.page.size.height.isAtLeast(AutoTrimLimits.stripAspect, of: $0.page.size.width)
        }
        if 2 * strips > findings.count {
            mode = nil
            decisions = findings.mapValues { _ in .whole("the book is a strip that is read downwards", as: .strip) }
            return
        }
        let sides = BookBoxes(findings, isLeft: isLeft, margins)
        if sides.isMirrored, AutoTrim.isFit(sides) {
            (mode, decisions) = (.sides, sides.decisions)
            return
        }
        let book = BookBoxes(findings, isLeft: nil, margins)
        let isFit = AutoTrim.isFit(book)
        mode = isFit ? .book : .page
        decisions = isFit ? book.decisions : findings.mapValues { .own($0, margins) }
    }

    /// Whether a book's boxes suit most of its pages, and are hardly larger than the pages' own would be.
    private static func isFit(_ boxes: BookBoxes) -> Bool {
        boxes.share >= AutoTrimLimits.minimumShare && boxes.excess <= AutoTrimLimits.maximumExcess
    }
}
