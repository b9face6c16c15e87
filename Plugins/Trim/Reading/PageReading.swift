internal import AdapterKit
internal import Imaging
internal import PageModel

/// What was found by looking at one page, in pixels of the page.
///
/// `RasterReading` finds it in pixels of the reduced preview; here it is scaled to the page, and what may be a page
/// number or running head is told from the rest.
struct PageReading: Sendable {
    let size: PixelSize
    /// Where the page begins in its upright picture, which may have been cropped before.
    let origin: (x: Int, y: Int)
    let resolution: Resolution?
    /// Where it can be cut without loss; nil where any pixel will do.
    let grid: CutGrid?
    let kind: RasterReading.Kind
    /// The box around all that is printed, and of what may be; nil when there is nothing.
    let whole: PixelRect?
    /// The same without the candidates.
    let body: PixelRect?
    /// What may be the page's number or running head.
    let candidates: [Candidate]
    /// Signs that are a page number only if other pages have one at their place, and dirt otherwise.
    let doubtful: [Candidate]
    /// How far its lines are turned counter-clockwise before any deskewing, in degrees; nil where there is no text.
    let skew: Double?
    /// Whether it was deskewed before it was read: all boxes are those of the deskewed page.
    let isDeskewed: Bool
    /// Whether the scan shows a scanner's lid or a table beside the page.
    let hasBackdrop: Bool
    /// For the left, top, right and bottom of what is printed, whether the panels of a comic end there.
    let hasFrames: [Bool]
    /// How high its letters are, as a share of the page's height; nil where it is not read as text.
    let letterHeight: Double?
    /// Whether it is read as art, and has marks too small for art.
    let isSpeckledArt: Bool
    /// How likely the box around what is printed is right, as far as the page by itself tells, 0 to 1.
    let confidence: Double
    /// A JPEG of the page, where one is wanted.
    let thumbnail: [UInt8]?
    /// With it, what is dark on the page and what that was taken for, and the box around the sheet of paper where something is
    /// seen beside it.
    let marks: [Mark]
    let sheet: PixelRect?

    /// Pages that slant by fewer degrees, either way, are not deskewed, since that means to encode them anew.
    ///
    /// At the end of a line of 45 letters it is a sixth of their height, and half of it may be an error of measuring.
    static let leastSlant = 0.15

    /// - Parameters:
    ///   - shown: what the thumbnail is made of; nil when none is wanted.
    ///   - deskews: whether to deskew the page before it is read, where its lines slant.
    ///   - isAmongText: whether most pages of the book are text.
    init(_ preview: PagePreview, shownAs shown: Raster?, deskews: Bool, isAmongText: Bool = false) {
        let page = Backdrop.removed(from: preview.raster)
        var reading = RasterReading(page ?? preview.raster, isAmongText: isAmongText)
        hasBackdrop = page != nil || reading.outsideShare > 0.05
        skew =
            switch reading.kind {
            case .blank: nil
            case .printed: reading.skew
            case .dark, .fullBleed: RasterReading.skewOnBed(preview.raster)
            }
        isDeskewed = deskews && abs(skew ?? 0) >= PageReading.leastSlant
        if isDeskewed, let skew {
            // A scanner's dark edge is known by lying along the page's edge, where it would not be after turning.
            reading = RasterReading(
                reading.withoutEdges(page ?? preview.raster).deskewed(by: skew), isAmongText: isAmongText)
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
        kind = reading.kind
        isSpeckledArt = reading.isSpeckledArt
        confidence = reading.confidence
        hasFrames = reading.hasFrames
        letterHeight = reading.company.map { $0.letter / Double(reading.size.height) }
        guard reading.kind == .printed else {
            whole = reading.kind == .blank ? nil : PixelRect(x: 0, y: 0, preview.size)
            body = whole
            (candidates, doubtful) = ([], [])
            return
        }
        let slant = isDeskewed ? 0 : skew ?? 0
        var strips = reading.candidates(skew: slant)
        if strips.isEmpty, slant != 0 { strips = reading.candidates(skew: 0) }
        whole = reading.safe(reading.content).map { preview.page($0.rect) }
        let rest = Bounds.union(reading.boxes(without: strips))
        let top = strips.filter(\.isAtTop).map(\.box.bottom).max()
        body = reading.safe(rest, below: top.map { min($0, rest?.top ?? $0) }).map { preview.page($0.rect) }
        func placed(_ strips: [RasterReading.Strip]) -> [Candidate] {
            strips.map {
                Candidate(
                    rect: preview.page($0.box.rect), isAtTop: $0.isAtTop, isNumberLike: $0.isNumberLike,
                    shape: $0.shape, mainShape: $0.mainShape, isClose: !$0.blobs.isEmpty, isInset: $0.isInset,
                    isCentred: $0.isCentred,
                    isApart: $0.isApart, isAtRightEnd: $0.isAtRightEnd,
                    isWithNumber: $0.isWithNumber, isTight: $0.isTight)
            }
        }
        candidates = placed(strips)
        doubtful = placed(reading.doubtful)
    }
}

/// The outcome of looking at a page.
enum PageInspection: Sendable {
    case read(PageReading)
    /// It cannot be looked at; the layout says why, and that the page stays whole.
    case unreadable(PageLayout)

    var page: PageReading? { if case .read(let page) = self { page } else { nil } }
    var layout: PageLayout? { if case .unreadable(let layout) = self { layout } else { nil } }

    /// - Parameter damage: what is wrong with the page's data; nil when the run will find it out by itself.
    static func unreadable(because reason: String, damage: String? = nil) -> PageInspection {
        .unreadable(
            PageLayout(
                content: nil, confidence: 0, remark: "kept whole: \(reason)", isOutlier: true,
                damage: damage, trimming: .unseen))
    }
}
