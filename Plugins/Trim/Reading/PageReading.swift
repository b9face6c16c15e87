internal import AdapterKit
internal import LayoutAnalysis
internal import PageModel

/// The limits of the consequences of an analysis.
enum PageReadingLimits {
    /// The minimum skew in degrees, either way, for deskewing a page, which means to re-encode it.
    ///
    /// At the end of a line of 45 letters it is a sixth of their height. Half of it may be an error of measurement: the
    /// median error is 0.03 degrees (`Benchmarks/deskew_accuracy.py`, 400 rotations).
    static let minimumSkew = 0.15
    /// The share of the image outside the paper above which the report says that a scan shows more than the page. It
    /// affects no crop, and no measurement is recorded.
    static let backdropShare = 0.05
}

/// The result of analyzing one page, in pixels of the page.
///
/// `RasterReading` finds it in pixels of the reduced preview. Here it is scaled to the page, and possible page numbers and
/// running heads are separated from the rest.
struct PageReading: Sendable {
    let size: PixelSize
    /// The origin of the page in its upright image, which may have been cropped before.
    let origin: (x: Int, y: Int)
    let resolution: Resolution?
    /// The grid on which it can be cut without loss; nil if any pixel will do.
    let grid: CutGrid?
    private(set) var kind: RasterReading.Kind
    /// The box around all print and ambiguous marks; nil if the page has none.
    private(set) var whole: PixelRect?
    /// The same box without the candidates.
    private(set) var body: PixelRect?
    /// The possible page number and running head.
    private(set) var candidates: [Candidate]
    /// The symbols that are a page number only if other pages have one at their place, and dirt otherwise.
    private(set) var ambiguous: [Candidate]
    /// The color of its paper, or of the ground in place of paper.
    let color: PaperColor
    /// The counterclockwise angle of its lines before any deskewing, in degrees; nil if the page has no text.
    let skew: Double?
    /// Whether it was deskewed before it was analyzed: all boxes are those of the deskewed page.
    let isDeskewed: Bool
    /// Whether its paper has a grain.
    let isScan: Bool
    /// Whether nearly all of its paper, or of the ground in its place, has one level.
    let isPlain: Bool
    /// Whether the scan shows a scanner's lid or a table next to the page.
    let hasBackdrop: Bool
    /// For the left, top, right and bottom of the printed area, whether the panels of a comic end there.
    let hasFrames: [Bool]
    /// The height of its letters, as a share of the page's height; nil if it is not read as text.
    let letterHeight: Double?
    /// The number of its letters in rows; 0 if it is not read as text.
    let letterCount: Int
    /// Whether it is read as art, and has marks too small for art.
    let isSpeckledArt: Bool
    /// The probability that the box around the printed area is right, as far as the page by itself shows, 0 to 1.
    let confidence: Double
    /// The doubt about that box; nil without one.
    let doubt: PageLayout.Doubt?
    /// A JPEG of the page, if requested.
    let thumbnail: [UInt8]?
    /// The dark marks on the page with their classification, and the box around the paper if its surroundings are visible. Both
    /// come with the thumbnail.
    let marks: [Mark]
    let sheet: PixelRect?
    /// The words outside the printed area, if the page is rendered from a PDF.
    var words = PrintedWords()
    /// The objects over its scan, if it is a page of a PDF.
    var objects: [ScanObject] = []

    /// - Parameters:
    ///   - shown: the source of the thumbnail. Nil for no thumbnail.
    ///   - deskewing: the rotation before analysis.
    ///   - table: the page on a table, if the image is a photograph of one.
    ///   - isAmongText: whether most pages of the book are text.
    init(
        _ preview: PagePreview, shownAs shown: Raster?, _ deskewing: Deskewing, isAmongText: Bool = false,
        on table: TablePhotograph? = nil
    ) {
        let page = table?.page(in: preview.raster) ?? Backdrop.removed(from: preview.raster)
        let paper = table?.box(in: preview.raster.size)
        var reading = RasterReading(page ?? preview.raster, isAmongText: isAmongText, page: paper)
        hasBackdrop = page != nil || reading.outsideShare > PageReadingLimits.backdropShare
        switch deskewing {
        case .none: (skew, isDeskewed) = (reading.skew(on: preview.raster), false)
        case .measured:
            skew = reading.skew(on: preview.raster)
            isDeskewed = abs(skew ?? 0) >= PageReadingLimits.minimumSkew
        case .by(let degrees): (skew, isDeskewed) = (degrees, true)
        }
        if isDeskewed, let skew {
            // A scanner's dark edge is recognized along the page's edge, where it would not be after rotation.
            reading = RasterReading(
                reading.withoutEdges(page ?? preview.raster).deskewed(by: skew), isAmongText: isAmongText, page: paper)
            thumbnail = shown.flatMap { Thumbnail.jpeg(of: $0.deskewed(by: skew)) }
        } else {
            thumbnail = shown.flatMap { Thumbnail.jpeg(of: $0) }
        }
        size = preview.size
        origin = preview.origin
        resolution = preview.resolution
        grid = isDeskewed ? nil : preview.grid
        marks = shown == nil ? [] : reading.marks(preview)
        sheet = shown == nil ? nil : reading.sheet.map { preview.page($0.rect) }
        (kind, isScan, isPlain) = (reading.kind, !reading.paper.isClean, reading.paper.isPlain)
        color = PaperColor(preview.paper, level: reading.paper.level)
        isSpeckledArt = reading.isSpeckledArt
        let ownDoubt = reading.doubt
        let ownConfidence = reading.confidence(with: ownDoubt)
        let isDoubtful = table != nil && ownConfidence > ConfidenceLimits.edge
        (confidence, doubt) = isDoubtful ? (ConfidenceLimits.edge, .photograph) : (ownConfidence, ownDoubt)
        hasFrames = reading.hasFrames
        letterHeight = reading.classifier.map { $0.letter / Double(reading.size.height) }
        letterCount = reading.classifier?.letterCount ?? 0
        guard reading.kind == .printed else {
            whole = reading.kind == .blank ? nil : PixelRect(x: 0, y: 0, preview.size)
            body = whole
            (candidates, ambiguous) = ([], [])
            return
        }
        let angle = isDeskewed ? 0 : skew ?? 0
        var strips = reading.candidates(skew: angle)
        if strips.isEmpty, angle != 0 { strips = reading.candidates(skew: 0) }
        let (size, letter) = (reading.size, reading.classifier?.letter)
        let limit = isDeskewed ? nil : table
        let onPaper: (Bounds) -> PixelRect = { box in
            preview.page((limit?.box(box, in: size, letter: letter) ?? box).rect)
        }
        whole = reading.safe(reading.content).map(onPaper)
        let rest = Bounds.union(reading.boxes(without: strips))
        let top = strips.filter(\.isAtTop).map(\.box.bottom).max()
        body = reading.safe(rest, below: top.map { min($0, rest?.top ?? $0) }).map(onPaper)
        candidates = strips.map { Candidate($0, on: preview) }
        ambiguous = reading.ambiguous.map { Candidate($0, on: preview) }
    }

    /// Reads the page as an image that fills it, because its ground is ink.
    mutating func fillPage() {
        kind = .fullBleed
        whole = PixelRect(x: 0, y: 0, size)
        body = whole
        (candidates, ambiguous) = ([], [])
    }
}

extension Candidate {
    /// Places a strip of a preview on its page.
    fileprivate init(_ strip: TextLineItem, on preview: PagePreview) {
        self.init(strip, rect: preview.page(strip.box.rect), core: strip.core.map { preview.page($0.rect) })
    }
}

extension RasterReading {
    /// Returns the counterclockwise angle of the lines of text, in degrees; nil if no lines are found.
    ///
    /// - Parameter raster: the whole image.
    fileprivate func skew(on raster: Raster) -> Double? {
        switch kind {
        case .blank: nil
        case .printed: skew
        case .dark, .fullBleed: RasterReading.skewOnBackground(raster)
        }
    }
}

extension PageFurniture {
    /// - Parameter readings: the pages of a book. Nil for a page that cannot be analyzed.
    init(_ readings: [PageReading?]) {
        self.init(
            readings.map { reading in
                reading.map {
                    PageItems(
                        size: $0.size, isPrinted: $0.kind == .printed, candidates: $0.candidates,
                        ambiguous: $0.ambiguous, letterHeight: $0.letterHeight, letterCount: $0.letterCount)
                }
            })
    }
}

/// The rotation of a page before its analysis.
enum Deskewing: Sendable {
    case none
    /// By the skew that the analysis finds, unless it is too small.
    case measured
    /// By counterclockwise degrees that are already decided.
    case by(Double)
}

/// The outcome of analyzing a page.
enum PageInspection: Sendable {
    case read(PageReading)
    /// It cannot be analyzed; the layout contains the reason, and keeps the page uncropped.
    case unreadable(PageLayout)

    var page: PageReading? { if case .read(let page) = self { page } else { nil } }
    var layout: PageLayout? { if case .unreadable(let layout) = self { layout } else { nil } }

    /// - Parameter damage: the defect of the page's data; nil for other reasons, about which the run warns.
    static func unreadable(because reason: Message, damage: Message? = nil) -> PageInspection {
        .unreadable(
            PageLayout(
                content: nil, confidence: 0, remark: "kept whole: \(reason)", isOutlier: true,
                damage: damage, trimming: .unseen))
    }
}
