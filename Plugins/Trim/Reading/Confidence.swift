internal import Marks
internal import PageModel

/// The probabilities that boxes are right, and the limits of the cases that have them.
///
/// The probabilities of boxes are the frequencies on ten scanned books whose print other people had marked, rounded.
/// `Benchmarks/reliability.py` compares them with 295 pages of sixteen books.
enum ConfidenceLimits {
    /// The probability for a page of text whose print hardly reaches beyond its rows of letters.
    static let text = 0.95
    /// The probability for a page of text whose print reaches somewhat beyond them.
    static let textWithMore = 0.8
    /// The probability for a page of text with specks, or with much print beyond its rows.
    static let uncertainText = 0.7
    /// The probabilities for a page that is read as art: without specks, and with them.
    static let (art, speckledArt) = (0.85, 0.6)
    /// The probability for a page without print.
    static let blank = 0.9
    /// The share of the image outside the paper above which a page is as uncertain as one with specks.
    static let outsideShare = 0.15
    /// The maximum ratios of the area of the print's box to that of the rows' box: for `text` and for `textWithMore`.
    static let (growth, moreGrowth) = (1.2, 1.5)
    /// The maximum numbers of blobs in a speck, and its maximum size in units of 1/620 of the page's shorter side.
    static let (speckBlobs, speckSize) = (2, 6.0)
    /// The minimum number of specks that makes a page of art doubtful.
    static let minimumSpecks = 8
    /// The probability below which a box includes ambiguous marks, and the contact sheet shows a page earlier.
    static let sure = 0.9
    /// The maximum growth of a box for ambiguous marks, as a ratio of areas. It keeps boxes well within 1.25 times the
    /// print.
    static let maximumGrowth = 1.15

    /// The number of sides, out of four, that an image reaches if the fourth may be as light as paper.
    static let sidesOfFadingImage = 3
    /// The probability for such an image: with panels that end on the fourth side, and without.
    static let (framedImage, fadingImage) = (0.6, 0.4)
    /// The maximum probability for print that reaches other edges.
    static let bleeding = 0.6
    /// The distance from the page's edge that counts as reaching it: the shorter side divided by this, at least 2
    /// pixels.
    static let edgeDivisor = 200
    /// The probability for a page that an image fills.
    static let fullBleed = 0.8
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
    /// The probability that the box around the printed area is right: no print is cut, and the box is at most a quarter too
    /// large.
    ///
    /// The figures are its frequency on scans of books whose print other people had marked (`Benchmarks/reliability.py` shows
    /// it). The deciding factors are the distance that print reaches beyond the rows of text, and the presence of specks.
    var confidence: Double {
        guard let content, let overlooked = classifier?.overlooked,
            overlooked.contains(where: { !content.contains($0) })
        else { return confidenceWithoutOverlooked }
        return min(confidenceWithoutOverlooked, ConfidenceLimits.textWithMore)
    }

    /// The same probability, apart from dirt that looks like print by itself.
    private var confidenceWithoutOverlooked: Double {
        guard let content else { return ConfidenceLimits.blank }
        guard let classifier, let text = classifier.text else {
            return isSpeckled ? ConfidenceLimits.speckledArt : ConfidenceLimits.art
        }
        if classifier.isNoisy || outsideShare > ConfidenceLimits.outsideShare { return ConfidenceLimits.uncertainText }
        let beyond = Double(content.width * content.height) / Double(max(1, text.width * text.height))
        if beyond <= ConfidenceLimits.growth { return ConfidenceLimits.text }
        return beyond <= ConfidenceLimits.moreGrowth ? ConfidenceLimits.textWithMore : ConfidenceLimits.uncertainText
    }

    /// Whether it is read as art, and has marks too small for art: it may be text with an image.
    var isSpeckledArt: Bool { content != nil && classifier == nil && isSpeckled }

    private var isSpeckled: Bool {
        groups.count {
            $0.blobCount <= ConfidenceLimits.speckBlobs && Double($0.largest) <= ConfidenceLimits.speckSize * unit
        } >= ConfidenceLimits.minimumSpecks
    }

    /// The strips that are print only if other pages have an item at the same place.
    var ambiguous: [Strip] {
        guard let content, let classifier else { return [] }
        return classifier.ambiguous.map { box in
            Strip(members: [], box: box, blobCount: 1, isAtTop: box.top + box.bottom < content.top + content.bottom)
        }
    }

    /// Returns a box around the printed area, or a part of it. On an uncertain page it includes ambiguous marks.
    ///
    /// It includes them, and on each page dirt that looks like print, unless they make the box much larger. Cutting print
    /// is worse than leaving a margin.
    ///
    /// - Parameter top: the row above which nothing is included. Nil without such a limit.
    func safe(_ printed: Bounds?, below top: Int? = nil) -> Bounds? {
        guard let printed, let classifier else { return printed }
        let isUnsure = confidenceWithoutOverlooked < ConfidenceLimits.sure
        let maximumArea = Double(printed.width * printed.height) * ConfidenceLimits.maximumGrowth
        let marks = ((isUnsure ? classifier.unlikely : []) + classifier.overlooked).filter { $0.top >= top ?? 0 }
        let wide = marks.reduce(printed) { box, mark in
            let wider = box.union(mark)
            return Double(wider.width * wider.height) <= maximumArea ? wider : box
        }
        if !isUnsure || classifier.unlikely.isEmpty || paper.isClean { return wide }
        var grown = wide.grown(Int(clamping: classifier.letter, to: 0...size.height)).clamped(to: size)
        grown.top = max(grown.top, min(top ?? 0, wide.top))
        return grown
    }
}
