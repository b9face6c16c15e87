internal import LayoutAnalysis
internal import PageModel

/// A classifier for the blobs of a text page, based on their neighbors.
///
/// Letters form rows with others of their height; specks, streaks and stains do not. The rows show the height and the darkness of
/// letters on this page. Blobs near them are print as well; a smaller blob must be nearer. Images are print because of their
/// mass. A blob as high as a letter, alone near the text's column, may be a number. If there are many such blobs, they are
/// specks. A blob at the image's edge, or outside the paper, is never print.
struct TextContextClassifier: Sendable {
    enum Role: Sendable {
        /// A letter in a row of letters.
        case letter
        case picture
        /// Punctuation, accents, single symbols and rules near letters; parts of images.
        case punctuation
        /// A blob as large as a letter and by itself, at a possible place of a number.
        case isolatedMark
        case noise
    }

    /// For each blob its role.
    var roles: [Role]
    /// The usual height of the letters in pixels.
    let letter: Double
    /// The number of letters in rows of four or more.
    let letterCount: Int
    /// Whether so many symbols are isolated that most of them must be specks.
    private(set) var isNoisy = false
    /// The boxes of symbols that are print only if others have the same place on other pages: numbers, signatures.
    var ambiguous: [Bounds] = []
    /// The boxes of dirt that could be pencil, a stamp or a faded line, the likeliest first.
    private(set) var unlikely: [Bounds] = []
    /// Whether marks as large as letters were at the edges of the paper, so that they are not print.
    var hasSymbolsAtEdge = false
    /// The boxes of dirt on a scan that looks like print by itself.
    var overlooked: [Bounds] = []

    let blobs: [ConnectedComponent]
    var rows: Rows
    /// For each blob whether it can be print: not dirt by its shape, not at the edge, and not outside the paper.
    var isFree: [Bool]
    /// For each blob whether most of it is outside the paper.
    let isOutsidePaper: [Bool]
    let size: PixelSize
    /// The box around the paper, or the whole image.
    let page: Bounds
    /// The darkness of the letters, and the sharpness of their edges.
    private let contrast: Int
    let sharpness: Double
    /// The side of a cell of the distance maps, in pixels.
    let cell: Int

    /// Returns nil if there are too few letters for a comparison.
    ///
    /// - Parameters:
    ///   - mayBe: whether blobs may be print by shape and place. It has a value for each.
    ///   - outsideArea: each blob's pixels outside the paper.
    ///   - unit: a 620th of the page's shorter side. It is in pixels.
    ///   - isScan: whether the paper has a grain, and may have pencil and stamps paler than the text.
    ///   - page: the box around the paper, or the whole image.
    init?(
        _ ink: ForegroundMask, mayBe: [Bool], outsideArea: [Int], size: PixelSize, unit: Double, isScan: Bool,
        page: Bounds
    ) {
        let blobs = ink.blobs
        (self.blobs, self.size, self.page) = (blobs, size, page)
        let isOutsidePaper = blobs.indices.map { 2 * outsideArea[$0] > blobs[$0].area }
        let isFree = blobs.indices.map {
            mayBe[$0] && !blobs[$0].box.touchesEdge(of: size) && !isOutsidePaper[$0]
        }
        self.isOutsidePaper = isOutsidePaper
        let rows = Rows(blobs, isFree, size: size, unit: unit)
        (self.isFree, self.rows) = (isFree, rows)
        let letters = blobs.indices.filter { rows.length[$0] >= TextContextLimits.countedRow }
        guard letters.count >= TextContextLimits.minimumLetters else { return nil }
        letter = Double(letters.map { blobs[$0].box.height }.sorted()[letters.count / 2])
        cell = Int(
            clamping: max(letter / TextContextLimits.cellsPerLetter, TextContextLimits.minimumCell * unit),
            to: TextContextLimits.cellPixels)
        contrast = letters.map { blobs[$0].contrast }.sorted()[letters.count / 2]
        sharpness = letters.map { blobs[$0].sharpness }.sorted()[letters.count / 2]
        letterCount = letters.count
        roles = [Role](repeating: .noise, count: blobs.count)

        findLettersAndPictures()
        if isScan { dropAmbiguousRows() }
        dropSliver(cut: blobs.indices.filter { mayBe[$0] && blobs[$0].box.touchesEdge(of: size) })
        dropEdgeMarks()
        dropChartsAndRulers()
        dropRulers()
        let long = blobs.indices.filter { roles[$0] == .letter && rows.length[$0] >= TextContextLimits.longRow }
        let strong =
            long.count >= TextContextLimits.minimumInLongRows ? long : blobs.indices.filter { roles[$0] == .letter }
        guard let body = Bounds.union(strong.map { blobs[$0].box }) else { return nil }
        let streaks = dropStreaks(nextTo: body)
        if !isScan { dropOutline(around: body, streaks) }
        if isScan, long.count >= ArtLimits.minimumTextLetters { dropPaperEdges(ink, around: body) }
        let symbols = blobs.indices.filter { isLikeLetter($0) }
        let nearStrong = near(strong)
        let farCount = symbols.count {
            rows.length[$0] == 1 && nearStrong.distance(blobs[$0].box) > TextContextLimits.isolation * letter
        }
        isNoisy = farCount > TextContextLimits.maximumIsolatedMarks
        dropShortRows(awayFrom: nearStrong)
        findPunctuation(body)
        let print = blobs.indices.filter { roles[$0] == .letter || roles[$0] == .punctuation }.map {
            blobs[$0].box
        }
        findIsolatedMarks(
            symbols, Bounds.union(print) ?? body, areFew: farCount <= TextContextLimits.fewIsolatedMarks)
        if isScan { findFaintRows() }
        findHandwriting()
        findDots()
        findFragments()
        findAmbiguousMarks(symbols)
        unlikely = unlikelyMarks()
        if isScan { findOverlookedOnScan() }
    }

    /// Returns the darkness of a blob relative to the letters: 1 is as dark.
    func strength(_ index: Int) -> Double { Double(blobs[index].contrast) / Double(max(1, contrast)) }

    /// Returns the sharpness of a blob's edges relative to those of the letters: 1 is as sharp.
    func sharpness(_ index: Int) -> Double { blobs[index].sharpness / max(1, sharpness) }

    /// The minimum darkness of a part of a mixed blob that is analyzed separately.
    var minimumContrast: Int { TextContextLimits.partContrast.of(contrast) }

    /// Returns the distance of a box from the text to the side, and above or below it, in letters.
    func place(_ box: Bounds, _ body: Bounds) -> (horizontalGap: Double, verticalGap: Double) {
        let horizontalGap = max(0, body.left - box.left, box.right - body.right)
        let verticalGap = max(0, body.top - box.bottom, box.top - body.bottom)
        return (Double(horizontalGap) / letter, Double(verticalGap) / letter)
    }

    /// Returns the distances of all places from the blobs of some roles.
    func near(_ roles: Set<Role>) -> DistanceMap {
        near(blobs.indices.filter { roles.contains(self.roles[$0]) })
    }

    /// Returns the distances of all places from some blobs.
    func near(_ chosen: [Int]) -> DistanceMap {
        DistanceMap(size, cell: cell, boxes: chosen.map { blobs[$0].box })
    }

    /// Whether the distance of a box from an edge of the page is less than that many percent of its sides.
    func isNearEdge(_ box: Bounds, _ percent: Double) -> Bool {
        let across = Int(clamping: Double(page.width) * percent / 100, to: 0...size.width)
        let down = Int(clamping: Double(page.height) * percent / 100, to: 0...size.height)
        return !page.grown(-across, -down).contains(box)
    }

    /// The box around the letters in long rows; nil without such letters.
    var text: Bounds? {
        Bounds.union(
            blobs.indices.lazy.filter { roles[$0] == .letter && rows.length[$0] >= TextContextLimits.longRow }.map {
                blobs[$0].box
            })
    }
}
