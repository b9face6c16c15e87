internal import LayoutAnalysis
internal import PageModel

/// The limits of the last search for print, among the marks that all other searches treat as dirt.
///
/// Lengths are in letter heights unless stated otherwise. Measured on 432 pages of 22 books whose print people had
/// marked. About 40 pages have such marks outside the box, and two of them lost print before. The median area of the
/// boxes rose from 1.023 to 1.024, and the number of boxes that are too large from 38 to 39. Boxes of scans grow by at most
/// `ConfidenceLimits.maximumGrowth`. Boxes of clean pages may grow further: no image was found on the 126
/// black-and-white pages.
enum OverlookedLimits {
    /// The minimum shorter side of an image.
    static let imageBreadth = 1.5
    /// The minimum mean thickness of an image: its area divided by its width and height together. Outlines are thinner.
    static let imageThickness = 0.5
    /// The minimum share of its box that an image covers.
    static let imageCover = Ratio(1, 10)
    /// The ratio of length to thickness from which a mark near the image's edge is a bar that a scanner leaves. One book
    /// of scans in black and white has a blank frame of 0.6 % around such bars.
    static let barRatio = 4
    /// The size of a word whose letters touch.
    static let word = LetterShape(heights: 0.6...4, widths: 4...LetterShape.any.upperBound)
    /// The minimum share of its box that such a word covers.
    static let wordCover = Ratio(2, 25)
    /// The size of an isolated figure.
    static let figure = LetterShape(heights: 0.8...4, widths: 0.3...4, maximumHeightRatio: Ratio(5, 1))
    /// The maximum distance of a figure from print.
    static let figureDistance = 12.0
    /// The maximum number of figures: more of them are stains.
    static let maximumFigures = 3
    /// The margin around a mark. The serif of a worn title reached 0.2 further than the mark.
    static let margin = 0.25
    /// The heights of the marks in a long row on a clean page, such as the bars of a barcode.
    static let rowHeights = 0.5...4.0
}

/// The last search for print: marks outside the box that look like letters or images by themselves.
extension TextContextClassifier {
    /// Finds images and rows on a clean page, whose marks at the edges are not shadows.
    mutating func findOverlookedOnCleanPage() {
        for index in blobs.indices where roles[index] == .noise && !isOutsidePaper[index] {
            let box = blobs[index].box
            let isInRow =
                rows.length[index] >= TextContextLimits.longRow && strength(index) >= DarknessLimits.picture
                && OverlookedLimits.rowHeights.scaled(by: letter).contains(Double(box.height))
                && !box.touchesEdge(of: size)
            if isInRow {
                roles[index] = .punctuation
            } else if isImage(index), !isBarAtEdge(box) {
                roles[index] = .picture
            }
        }
    }

    /// Finds marks on a scan that are print if the box grows only a little.
    mutating func findOverlookedOnScan() {
        let print = near([.letter, .picture, .punctuation, .isolatedMark])
        var figures: [Bounds] = []
        for index in blobs.indices where isFree[index] && roles[index] == .noise {
            let box = blobs[index].box
            if isImage(index) || isTouchingWord(index) {
                overlooked.append(box)
            } else if isFigure(index), print.distance(box) <= OverlookedLimits.figureDistance * letter {
                figures.append(box)
            }
        }
        if figures.count <= OverlookedLimits.maximumFigures { overlooked += figures }
        // Their edges are soft.
        let margin = Int(clamping: OverlookedLimits.margin * letter, to: 0...size.height)
        overlooked = overlooked.map { $0.grown(margin).clamped(to: size) }
    }

    /// Whether a mark is as dark, sharp and massive as an image.
    private func isImage(_ index: Int) -> Bool {
        let (area, box) = (blobs[index].area, blobs[index].box)
        return strength(index) >= DarknessLimits.clear && sharpness(index) >= SharpnessLimits.symbol
            && Double(min(box.width, box.height)) >= OverlookedLimits.imageBreadth * letter
            && area.isAtLeast(OverlookedLimits.imageCover, of: box.width * box.height)
            && Double(area) > OverlookedLimits.imageThickness * letter * Double(box.width + box.height)
    }

    /// Whether a mark is as high as letters and so long that it is a word or a line whose letters touch.
    private func isTouchingWord(_ index: Int) -> Bool {
        let box = blobs[index].box
        return strength(index) >= DarknessLimits.symbol && sharpness(index) >= SharpnessLimits.symbol
            && OverlookedLimits.word.matches(box, unit: letter)
            && blobs[index].area.isAtLeast(OverlookedLimits.wordCover, of: box.width * box.height)
    }

    /// Whether a mark is as large and dark as a figure. It may be blurred.
    private func isFigure(_ index: Int) -> Bool {
        let box = blobs[index].box
        return strength(index) >= DarknessLimits.clear && sharpness(index) >= SharpnessLimits.punctuation
            && OverlookedLimits.figure.matches(box, unit: letter)
            && blobs[index].area.isAtLeast(SymbolLimits.minimumLetterCover, of: box.width * box.height)
            && !isNearEdge(box, TextContextLimits.noPrintMargin)
    }

    private func isBarAtEdge(_ box: Bounds) -> Bool {
        isNearEdge(box, TextContextLimits.noPrintMargin)
            && box.extent >= OverlookedLimits.barRatio * min(box.width, box.height)
    }
}
