internal import LayoutAnalysis
internal import PageModel

/// The probabilities that boxes are right, and the limits of the cases that have them.
///
/// The probabilities are the frequencies on 432 pages of 22 scanned books whose print other people had marked, rounded. A
/// case in which print may be cut has at most 0.8. `Benchmarks/reliability.py` shows the frequencies, also for each book
/// with the values of the others.
enum ConfidenceLimits {
    /// The probability for a page of text without a doubt: all 318 are right.
    static let text = 0.95
    /// The probability for text among dirt, for text with marks outside that may be print, and for art without specks.
    ///
    /// All 33 such boxes of the 22 books are right. It is lower than `text`, because such boxes cut print in other books.
    /// The 22 books have no art without specks.
    static let fair = 0.8
    /// The probability for text whose print reaches far beyond its rows.
    ///
    /// 38 of 45 are right, and 24 of 50 on 27 other books.
    static let beyondText = 0.65
    /// The probability for print at the edge, for an image that fills the page, and for art with specks.
    ///
    /// A page on a table has the same, because its paper may have holes and shadows. 17 of 27 are right.
    static let edge = 0.6
    /// The probability for a box nearly as large as a scan of text, and for art that may fade on a side.
    ///
    /// The pages stay whole. Of 14 such boxes 2 were right, before the edges of leaves were ignored.
    static let unlikely = 0.3
    /// The minimum share of the scan for the former: print takes 0.5 to 0.8 of the image of a page.
    static let filledShare = 0.85
    /// The probability for a page without print.
    static let blank = 0.9
    /// The share of the image outside the paper above which a page is as uncertain as one with specks.
    static let outsideShare = 0.15
    /// The maximum ratio of the area of the print's box to that of the rows' box for `text`.
    static let growth = 1.2
    /// The maximum numbers of blobs in a speck, and its maximum size in units of 1/620 of the page's shorter side.
    static let (speckBlobs, speckSize) = (2, 6.0)
    /// The minimum number of specks that makes a page of art doubtful.
    static let minimumSpecks = 8
    /// The maximum growth of a box for ambiguous marks, as a ratio of areas. It keeps boxes well within 1.25 times the
    /// print.
    static let maximumGrowth = 1.15
    /// The same on an uncertain page, with its margin.
    ///
    /// Measured on the 432 pages, compared with a margin that does not count. With 1.1 and 1.12, three boxes fewer are too
    /// large, and with 1.15 two fewer. With 1.05 print is cut on one page more.
    static let maximumUncertainGrowth = 1.12

    /// The number of sides, out of four, that an image reaches if the fourth may be as light as paper.
    static let sidesOfFadingImage = 3
    /// The distance from the page's edge that counts as reaching it: the shorter side divided by this, at least 2
    /// pixels.
    static let edgeDivisor = 200
    /// The probability for other pages that are kept whole.
    static let whole = 0.9
    /// The probability for a page that is only deskewed.
    static let untrimmed = 0.95
    /// The minimum probability for a page that gets the box of the book: it was analyzed as reliably as the others.
    static let shared = 0.8
    /// The default minimum probability that a box is right; other pages are not cropped.
    static let minimum = 0.5
}

/// The reliability of a reading, and its consequences.
extension RasterReading {
    /// Returns the probability that the box around the printed area is right.
    ///
    /// Then no print is cut, and the box is at most a quarter too large. The figures are its frequency on scans of books
    /// whose print other people had marked (`Benchmarks/reliability.py` shows it). The deciding factors are the
    /// distance that print reaches beyond the rows of text, and the presence of specks.
    ///
    /// - Parameter doubt: the doubt about the box, which takes a search.
    func confidence(with doubt: PageLayout.Doubt?) -> Double {
        content == nil ? ConfidenceLimits.blank : ConfidenceLimits.probability(doubt)
    }

    /// The doubt about that box; nil for a page of text without one, and for a blank page.
    var doubt: PageLayout.Doubt? {
        let doubt = doubtWithoutOverlooked
        guard let content, let classifier,
            ConfidenceLimits.probability(doubt) > ConfidenceLimits.probability(.possiblePrint)
        else { return doubt }
        let mayCut =
            classifier.hasSymbolsAtEdge || classifier.overlooked.contains { !content.contains($0) }
            || classifier.cutsMarks(content, in: ink)
        return mayCut ? .possiblePrint : doubt
    }

    /// The same doubt, apart from dirt that looks like print by itself.
    private var doubtWithoutOverlooked: PageLayout.Doubt? {
        guard let content else { return nil }
        guard let classifier, let text = classifier.text else { return isSpeckled ? .speckledArt : .noText }
        if classifier.isNoisy || outsideShare > ConfidenceLimits.outsideShare { return .dirt }
        let beyond = Double(content.width * content.height) / Double(max(1, text.width * text.height))
        return beyond <= ConfidenceLimits.growth ? nil : .beyondText
    }

    /// Whether it is read as art, and has marks too small for art: it may be text with an image.
    var isSpeckledArt: Bool { content != nil && classifier == nil && isSpeckled }

    private var isSpeckled: Bool {
        groups.count {
            $0.blobCount <= ConfidenceLimits.speckBlobs && Double($0.largest) <= ConfidenceLimits.speckSize * unit
        } >= ConfidenceLimits.minimumSpecks
    }

    /// The strips that are print only if other pages have an item at the same place.
    var ambiguous: [TextLineItem] {
        guard let content, let classifier else { return [] }
        return classifier.ambiguous.map { box in
            TextLineItem(
                members: [], box: box, blobCount: 1, isAtTop: box.top + box.bottom < content.top + content.bottom)
        }
    }

    /// Returns a box around the printed area, or a part of it. On an uncertain page it includes ambiguous marks.
    ///
    /// It includes them, and on each page dirt that looks like print, unless they make the box much larger. Cutting print
    /// is worse than leaving a margin. With ambiguous marks on a scan, the box has a margin of a letter.
    ///
    /// - Parameter top: the row above which nothing is included. Nil without such a limit.
    func safe(_ printed: Bounds?, below top: Int? = nil) -> Bounds? {
        guard let printed, let classifier else { return printed }
        let isUnsure = doubtWithoutOverlooked != nil
        let marks = ((isUnsure ? classifier.unlikely : []) + classifier.overlooked).filter { $0.top >= top ?? 0 }
        let hasMargin = isUnsure && !classifier.unlikely.isEmpty && !paper.isClean
        var start = printed
        if hasMargin {
            start = printed.grown(Int(clamping: classifier.letter, to: 0...size.height)).clamped(to: size)
            start.top = max(start.top, min(top ?? 0, printed.top))
        }
        let growth = hasMargin ? ConfidenceLimits.maximumUncertainGrowth : ConfidenceLimits.maximumGrowth
        let maximumArea = Double(printed.width * printed.height) * growth
        return marks.reduce(start) { box, mark in
            let wider = box.union(mark)
            return Double(wider.width * wider.height) <= maximumArea ? wider : box
        }
    }
}
