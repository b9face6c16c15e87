internal import LayoutAnalysis
internal import PageModel

/// The limits of the choice between text and art, and the sizes that all detectors share.
///
/// Chosen on synthetic scans and on the 295 pages of sixteen books in `Benchmarks/README.md`; no separate measurement
/// of these values is recorded.
enum RasterReadingLimits {
    /// The depth of the dark edges that scanners leave, as a share of the shorter side.
    static let darkEdge = Ratio(4, 100)
    /// The side of the cells for grouping blobs, in units. Gaps up to that are bridged, gaps wider than twice that
    /// never.
    static let cell = 4.0
    /// The same in pixels: a minimum for small previews, and a bound for any image.
    static let cellPixels = 2...1_000_000
    /// The maximum share of the image outside the paper; a larger part is not a scanner background, but art that runs
    /// off the page.
    static let maximumOutsideShare = 0.3
    /// The maximum share for paper on a scanner background, which is not art as long as the paper is a good part of the
    /// image.
    static let maximumBackgroundShare = 0.6
    /// The minimum darkness of handwriting that runs into an edge's shadow, as a share of that of a mixed blob's parts.
    static let writingContrast = Ratio(3, 5)
}

/// The result of analyzing the preview of one page, in pixels of the preview: paper, print, and the rest.
///
/// The pipeline: `PaperSheet` finds the paper in the image and its local level. `PaperTone` computes the thresholds for ink, and `ForegroundMask`
/// finds the blobs of ink. `TextContextClassifier` selects the blobs that are print, based on the text around them. A page with too little text
/// for that, or with more art, is analyzed by the size and shape of its blobs alone.
struct RasterReading: Sendable {
    enum Kind: Sendable, Equatable {
        /// Paper with print on it.
        case printed
        /// Paper with only dirt on it.
        case blank
        /// Nearly black up to its edges.
        case dark
        /// An image that fills the page: no paper is visible along its edges.
        case fullBleed
    }

    let size: PixelSize
    let kind: Kind
    /// The printed groups, page number and running head included.
    let groups: [Group]
    let ink: ForegroundMask
    let paper: PaperTone
    /// The number of pixels in a 620th of the page's shorter side: the unit of sizes.
    ///
    /// On a page of a paperback it is about 0.17 mm, a pixel of a scan of 150 dpi.
    let unit: Double
    /// The classification of print and dirt, if the page has enough text for it.
    let classifier: TextContextClassifier?
    /// The share of the image outside the paper, 0 to 1; 0 on a page that is read as art.
    let outsideShare: Double
    /// The box around the paper; nil if its surroundings are not visible, and on a page that is read as art.
    let sheet: Bounds?

    /// - Parameters:
    ///   - raster: gray of 8 bits, upright.
    ///   - isAmongText: whether most pages of the book are text. If so, a page like art is text with images, unless parts of them
    ///     would be lost.
    ///   - page: the box around the paper, if it is known.
    init(_ raster: Raster, isAmongText: Bool = false, page: Bounds? = nil) {
        let (sheet, paper) = (PaperSheet(raster), PaperTone(raster))
        var local = paper
        if !paper.isClean || !paper.isSeen && sheet.isOnBackground { local.follow(sheet) }
        let marks = Marks(raster, local)
        self =
            RasterReading.text(raster, sheet, marks, isAmongText: isAmongText, page: page)
            // Art may be dark up to the edge, so that its paper is known by its level alone.
            ?? RasterReading.art(raster, local.isLocal ? Marks(raster, paper) : marks)
    }

    /// The marks that are darker than the paper.
    private struct Marks {
        let paper: PaperTone
        var ink: ForegroundMask
        /// For each blob whether its shape and its place allow it to be content.
        var mayBe: [Bool]

        init(_ raster: Raster, _ paper: PaperTone) {
            let size = raster.size
            self.paper = paper
            ink = ForegroundMask(raster, paper, edge: edge(size))
            mayBe = withoutNoise(
                &ink, size, edge: edge(size), isClean: paper.isClean, unit: PageFraction.pixels(of: size))
        }
    }

    private init(
        _ kind: Kind, _ groups: [Group], _ ink: ForegroundMask, _ paper: PaperTone, _ size: PixelSize,
        classifier: TextContextClassifier? = nil, outsideShare: Double = 0, sheet: Bounds? = nil
    ) {
        (self.kind, self.groups, self.ink, self.paper, self.size) = (kind, groups, ink, paper, size)
        (self.classifier, self.outsideShare, self.sheet) = (classifier, outsideShare, sheet)
        unit = PageFraction.pixels(of: size)
    }

    /// Returns a page read as text; nil if it has too little text, or more art.
    private static func text(
        _ raster: Raster, _ sheet: PaperSheet, _ marks: Marks, isAmongText: Bool, page: Bounds?
    ) -> RasterReading? {
        let (size, paper) = (raster.size, marks.paper)
        guard sheet.outsideShare <= maximumOutsideShare(sheet),
            paper.isSeen || sheet.isEven
        else { return nil }
        var (ink, mayBe) = (marks.ink, marks.mayBe)
        let isScan = !paper.isClean
        func classifier() -> TextContextClassifier? {
            TextContextClassifier(
                ink, mayBe: mayBe, outsideArea: sheet.outsideArea(ink), size: size, unit: PageFraction.pixels(of: size),
                isScan: isScan, page: page ?? Bounds(left: 0, top: 0, right: size.width, bottom: size.height))
        }
        guard var classified = classifier() else { return nil }
        if classified.isArt(mayBe, isScan: isScan, isPaperSeen: paper.isSeen) {
            guard isAmongText, !classified.leavesOutArt(mayBe, isScan: isScan) else { return nil }
        }
        var hasNewBlobs = isScan && ink.splitDarkParts(of: classified.mixed, contrast: classified.minimumContrast)
        if isScan, ink.splitFromEdges(size, edge: edge(size)) { hasNewBlobs = true }
        if addWriting(to: &ink, inShadowsOf: classified, raster, paper) { hasNewBlobs = true }
        if hasNewBlobs {
            mayBe += [Bool](repeating: true, count: ink.blobs.count - mayBe.count)
            guard let again = classifier() else { return nil }
            classified = again
        }
        // Only now: images outside the text decide whether a page is art.
        if !isScan { classified.findOverlookedOnCleanPage() }
        let groups = Grouping(&ink, classified.roles.map { $0 != .noise }, size: size, cell: cell(size))
            .groups
        return RasterReading(
            groups.isEmpty ? .blank : .printed, groups, ink, paper, size, classifier: classified,
            outsideShare: sheet.outsideShare, sheet: sheet.box(in: size))
    }

    /// Adds the letters that have merged with the shadow of an edge as separate blobs. Returns whether there are any.
    private static func addWriting(
        to ink: inout ForegroundMask, inShadowsOf classified: TextContextClassifier, _ raster: Raster,
        _ paper: PaperTone
    ) -> Bool {
        let (edges, count) = (classified.edges, ink.blobs.count)
        if edges.isEmpty { return false }
        let print = classified.near([.letter, .picture, .punctuation])
        let hasWriting = ink.addDarkest(
            of: edges, raster, paper, contrast: RasterReadingLimits.writingContrast.of(classified.minimumContrast),
            where: { classified.isWriting($0, near: print) })
        // In a deep shadow, only marks as dark as letters are separate from it.
        // A part of a mark that was found above lies in its box: only boxes in its rows are compared.
        var known = [[Bounds]](repeating: [], count: raster.size.height)
        for blob in ink.blobs.dropFirst(count) {
            for row in blob.box.top..<blob.box.bottom { known[row].append(blob.box) }
        }
        let lines = classified.nearLines()
        let hasLetters = ink.addDarkest(
            of: edges, raster, paper, contrast: classified.minimumContrast,
            where: { part in
                classified.isWriting(part, near: print) && classified.isLevel(part, with: lines)
                    && !known[part.box.top].contains { $0.contains(part.box) }
            })
        return hasWriting || hasLetters
    }

    private static func maximumOutsideShare(_ sheet: PaperSheet) -> Double {
        sheet.isOnBackground ? RasterReadingLimits.maximumBackgroundShare : RasterReadingLimits.maximumOutsideShare
    }

    /// Returns a page read by the size and shape of the marks darker than its paper.
    private static func art(_ raster: Raster, _ marks: Marks) -> RasterReading {
        let (size, paper) = (raster.size, marks.paper)
        var ink = marks.ink
        guard paper.isSeen else {
            return RasterReading(paper.isDark ? .dark : .fullBleed, [], ink, paper, size)
        }
        let all = Grouping(&ink, marks.mayBe, size: size, cell: cell(size)).groups
        let isNoise = all.map { RasterReading.isNoise($0, unit: PageFraction.pixels(of: size), isClean: paper.isClean) }
        let sure = all.indices.filter { !isNoise[$0] }.map { all[$0].box }
        let symbols = ink.blobs.filter { $0.group >= 0 && !isNoise[$0.group] }.map(\.box)
        let groups = all.indices.filter { index in
            !isNoise[index]
                || isPunctuation(all[index], nextTo: sure, among: symbols, unit: PageFraction.pixels(of: size))
        }.map { all[$0] }
        return RasterReading(groups.isEmpty ? .blank : .printed, groups, ink, paper, size)
    }

    /// Returns the depth of the dark edges that scanners leave, in pixels: four percent of the page's shorter side.
    private static func edge(_ size: PixelSize) -> Int {
        max(1, RasterReadingLimits.darkEdge.of(min(size.width, size.height)))
    }

    /// Returns the side of the cells for grouping blobs, in pixels.
    private static func cell(_ size: PixelSize) -> Int {
        Int(
            clamping: (RasterReadingLimits.cell * PageFraction.pixels(of: size)).rounded(),
            to: RasterReadingLimits.cellPixels)
    }

    /// Returns the raster with paper in place of non-content at its edges.
    ///
    /// - Parameter raster: the raster that was analyzed.
    func withoutEdges(_ raster: Raster) -> Raster {
        let (width, height) = (raster.size.width, raster.size.height)
        var samples = raster.samples
        for run in ink.runs {
            let blob = ink.blobs[Int(run.blob)]
            let isAtEdge =
                blob.box.left == 0 || blob.box.top == 0 || blob.box.right == width
                || blob.box.bottom == height
            guard blob.group < 0, isAtEdge else { continue }
            // With the pixels around it, which are half of it.
            for y in max(0, Int(run.row) - 1)...min(height - 1, Int(run.row) + 1) {
                for x in max(0, Int(run.start) - 1)..<min(width, Int(run.end) + 1) {
                    samples[y * width + x] = UInt8(paper.level)
                }
            }
        }
        return Raster(size: raster.size, format: raster.format, samples: samples)
    }

    /// The box around all printed groups.
    var content: Bounds? { Bounds.union(groups.lazy.map(\.box)) }
}

/// The possible page numbers and running heads.
extension RasterReading {
    /// Returns the candidates: the first line of text, or else the separate items at the top; and those at the bottom.
    func candidates(skew: Double) -> [TextLineItem] {
        let separate = kind == .printed ? SeparateLines(groups, unit: unit).strips(skew: skew) : []
        guard let classifier, let text = classifier.text,
            var line = FirstLine(ink.blobs, letter: classifier.letter, text: text, skew: skew)?.strips
        else { return separate }
        for index in line.indices {
            line[index].isSeparate = separate.contains { $0.isAtTop && $0.box.intersects(line[index].box) }
        }
        return line + separate.filter { !$0.isAtTop }
    }

    /// Returns the boxes of all printed items except some strips.
    func boxes(without strips: [TextLineItem]) -> [Bounds] {
        let separate = Set(strips.flatMap(\.members))
        let close = Set(strips.flatMap(\.blobs))
        let rest = groups.indices.filter { !separate.contains($0) }
        if close.isEmpty { return rest.map { groups[$0].box } }
        return ink.blobs.indices.filter {
            ink.blobs[$0].group >= 0 && !separate.contains(ink.blobs[$0].group) && !close.contains($0)
        }.map { ink.blobs[$0].box }
    }
}
