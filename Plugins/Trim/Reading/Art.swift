internal import LayoutAnalysis
internal import PageModel

/// The limits of the decision whether a page is a page of text.
///
/// Chosen on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement of these values is
/// recorded.
enum ArtLimits {
    /// The minimum number of letters in rows of a text: chance makes shorter rows of an image's marks.
    static let minimumTextLetters = 60
    /// The number of letters in rows below which a page has little text, like a title page.
    static let littleText = 120
    /// The minimum share of the marks' area that letters cover on a page without visible paper.
    static let minimumLetterShare = Ratio(1, 3)
    /// The minimum number of sides with screentone: one or two may be a scanner's edge or the binding.
    static let minimumTonedSides = 3
    /// The number of blobs at one side beyond which they are screentone.
    static let screentone = 30
    /// The minimum size of a blob that may be art, in letter heights.
    static let minimumSize = 4.0
    /// The minimum shorter side of an image on a clean page of little text, as a share of the page's width.
    static let breadthWithLittleText = Ratio(1, 8)
    /// The minimum shorter side of an image that may run off the page, as a share of the page's width. The scanner
    /// background next to the paper is narrower.
    static let wideBreadth = Ratio(1, 5)
    /// The share of its box that a dense image covers more than; an outline covers less.
    static let denseCover = Ratio(1, 4)
    /// The share of its box that an image covers more than on a clean page; an outline of the paper covers less.
    static let outlineCover = Ratio(1, 10)
    /// Twice the ratio of areas of art to letters from which a page is art.
    static let artInText = 3
    /// The same for a scan with more than a little text, where stains look like art.
    static let artInLongText = 8
    /// The maximum size of a speck, in letter heights: a symbol is larger.
    static let speckSize = 0.5
    /// The maximum area of specks on a clean page of text, as a share of the print's area.
    static let maximumSpecks = Ratio(1, 20)
    /// The contrast with the paper, in levels, from which an edge bar is black like one of a scanner, not gray or
    /// colored.
    static let black = 200
}

/// The decision whether a page is a page of text.
extension TextContextClassifier {
    /// Whether images outweigh letters so much that the page is to be analyzed as art.
    ///
    /// - Parameters:
    ///   - mayBe: whether blobs may be print. It has a value for each.
    ///   - isScan: whether the paper has a grain. Then outlines and blobs at the edges are not a sign of art.
    ///   - isPaperSeen: whether the image has paper along its edges.
    func isArt(_ mayBe: [Bool], isScan: Bool, isPaperSeen: Bool) -> Bool {
        if !isPaperSeen {
            // Chance makes rows of an image's marks, but not of most of them.
            var (letters, all) = (0, 0)
            for index in blobs.indices where isFree[index] {
                all += blobs[index].area
                if roles[index] == .letter { letters += blobs[index].area }
            }
            if letterCount < ArtLimits.minimumTextLetters || letters.isLess(than: ArtLimits.minimumLetterShare, of: all)
            {
                return true
            }
        }
        if !isScan, hasBand { return true }
        if !isScan, leavesOutLittle { return false }
        let isLittleText = letterCount < ArtLimits.littleText
        if !isScan, tonedSides(mayBe) >= ArtLimits.minimumTonedSides { return true }
        var (letters, art) = (0, 0)
        for (index, blob) in blobs.enumerated() where mayBe[index] {
            let box = blob.box
            if roles[index] == .letter {
                letters += blob.area
            } else if Double(box.extent) > ArtLimits.minimumSize * letter, blob.deepArea * 2 > blob.area {
                if !isScan, isLittleText,
                    min(box.width, box.height).isAtLeast(ArtLimits.breadthWithLittleText, of: size.width)
                {
                    return true
                }
                let isDense = blob.area.isMore(than: ArtLimits.denseCover, of: box.width * box.height)
                // A blob outside the paper is narrower than an image that runs off the page.
                let isWide = min(box.width, box.height).isAtLeast(ArtLimits.wideBreadth, of: size.width)
                if !isScan || isDense && (isFree[index] || isWide) { art += blob.area }
            }
        }
        return 2 * art > (isScan && !isLittleText ? ArtLimits.artInLongText : ArtLimits.artInText) * letters
    }

    /// Whether a possible image that is not treated as print reaches beyond the text.
    ///
    /// Such an image is large and sharp, or dense and wide, even at the edge.
    ///
    /// - Parameters:
    ///   - mayBe: whether blobs may be print. It has a value for each.
    ///   - isScan: whether the paper has a grain. Without one, blobs at the edges are not shadows.
    func leavesOutArt(_ mayBe: [Bool], isScan: Bool) -> Bool {
        if !isScan, hasBand || tonedSides(mayBe) >= ArtLimits.minimumTonedSides { return true }
        guard let text = text?.grown(Int(clamping: letter, to: 0...size.height)) else { return true }
        return blobs.indices.contains { index in
            let (area, box) = (blobs[index].area, blobs[index].box)
            guard roles[index] == .noise, !text.contains(box) else { return false }
            if isFree[index], strength(index) >= DarknessLimits.faint, sharpness(index) >= SharpnessLimits.picture {
                return Double(min(box.width, box.height)) > letter
            }
            if !isScan {
                return area.isMore(than: ArtLimits.outlineCover, of: box.width * box.height)
                    && Double(min(box.width, box.height)) > 2 * letter
            }
            return area.isMore(than: ArtLimits.denseCover, of: box.width * box.height)
                && min(box.width, box.height).isAtLeast(ArtLimits.wideBreadth, of: size.width)
        }
    }

    /// Whether all supposed dirt outside the print is specks and bars along the edges, and little of it.
    private var leavesOutLittle: Bool {
        guard let print = Bounds.union(blobs.indices.filter { roles[$0] != .noise }.map { blobs[$0].box }) else {
            return false
        }
        var (within, specks) = (0, 0)
        for (index, blob) in blobs.enumerated() {
            if print.contains(blob.box) {
                within += blob.area
            } else if !isFree[index], !blob.box.touchesEdge(of: size) {
                // A known streak, ruler or chart.
                continue
            } else if blob.box.touchesEdge(of: size), !isFree[index] {
                // A bar, or an outline of the paper; a panel of a comic contains more.
                let isBar = Double(min(blob.box.width, blob.box.height)) <= 2 * letter
                if !isBar, blob.area.isMore(than: ArtLimits.outlineCover, of: blob.box.width * blob.box.height) {
                    return false
                }
                if Double(blob.box.extent) < 2 * letter { specks += blob.area }
            } else {
                // A speck that is smaller than a symbol.
                if Double(blob.box.extent) > ArtLimits.speckSize * letter,
                    !isNearEdge(blob.box, TextContextLimits.noPrintMargin)
                {
                    return false
                }
                specks += blob.area
            }
        }
        return letterCount >= ArtLimits.minimumTextLetters && specks.isAtMost(ArtLimits.maximumSpecks, of: within)
    }

    /// Whether a gray or colored bar runs along an edge of a page that is not a scan: it is part of the design.
    ///
    /// The edges that a scanner leaves on black-and-white pages are black.
    private var hasBand: Bool {
        blobs.contains { blob in
            blob.box.touchesEdge(of: size) && blob.deepArea > 0 && blob.contrast < ArtLimits.black
                && 2 * blob.box.extent >= min(size.width, size.height)
                && 2 * blob.area >= blob.box.width * blob.box.height
        }
    }

    /// Returns the number of sides with so many blobs at the edge that they must be screentone.
    private func tonedSides(_ mayBe: [Bool]) -> Int {
        var counts = [0, 0, 0, 0]
        for (index, blob) in blobs.enumerated() where mayBe[index] {
            if blob.box.left == 0 { counts[0] += 1 }
            if blob.box.top == 0 { counts[1] += 1 }
            if blob.box.right == size.width { counts[2] += 1 }
            if blob.box.bottom == size.height { counts[3] += 1 }
        }
        return counts.count { $0 > ArtLimits.screentone }
    }
}
