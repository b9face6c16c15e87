internal import AdapterKit
internal import Imaging
internal import PageModel

/// A page that was looked at: what was read on it, in pixels of the page.
struct PageReading: Sendable {
    let size: PixelSize
    let origin: (x: Int, y: Int)
    let resolution: Resolution?
    /// Where it can be cut without loss; nil where any pixel will do.
    let grid: CutGrid?
    let kind: RasterReading.Kind
    /// The box around what is printed but the candidates; nil when there is nothing else.
    let body: PixelRect?
    /// What may be the page's number or head.
    let candidates: [Candidate]
    /// How far its lines are turned counter-clockwise, in degrees, as it was seen first.
    let skew: Double?
    /// Whether it was turned by that before it was read.
    let isDeskewed: Bool
    /// Whether the scan shows something beside the page.
    let hasBackdrop: Bool
    /// A JPEG of the page, where one is wanted.
    let thumbnail: [UInt8]?

    /// A slant of fewer degrees, either way, is not worth encoding a page anew: it lifts the end of a line as long as a
    /// page is wide by a sixth of the height of the letters of a book (45 letters to a line), and half of it may be an
    /// error of measuring.
    static let leastSlant = 0.15

    /// - Parameters:
    ///   - shown: what a picture of the page is to be made of; nil when none is wanted.
    ///   - deskews: whether to turn the page before it is read, where its lines slant.
    init(_ preview: PagePreview, shownAs shown: Raster?, deskews: Bool) {
        let page = Backdrop.removed(from: preview.raster)
        hasBackdrop = page != nil
        var reading = RasterReading(page ?? preview.raster)
        skew = reading.kind == .printed ? reading.skew : nil
        isDeskewed = deskews && abs(skew ?? 0) >= PageReading.leastSlant
        if isDeskewed, let skew {
            // A dark edge would no longer lie along the edge of the page.
            reading = RasterReading(reading.withoutEdges(page ?? preview.raster).deskewed(by: skew))
            thumbnail = shown.flatMap { Thumbnail.jpeg(of: $0.deskewed(by: skew)) }
        } else {
            thumbnail = shown.flatMap { Thumbnail.jpeg(of: $0) }
        }
        size = preview.size
        origin = preview.origin
        resolution = preview.resolution
        grid = isDeskewed ? nil : preview.grid
        kind = reading.kind
        guard reading.kind == .printed else {
            body = reading.kind == .blank ? nil : PixelRect(x: 0, y: 0, preview.size)
            candidates = []
            return
        }
        let slant = isDeskewed ? 0 : skew ?? 0
        var strips = reading.strips(skew: slant)
        if strips.isEmpty, slant != 0 { strips = reading.strips(skew: 0) }
        let apart = Set(strips.flatMap(\.members))
        let rest = reading.groups.indices.filter { !apart.contains($0) }.map { reading.groups[$0].box }
        body = Bounds.union(rest).map { preview.page($0.rect) }
        candidates = strips.map {
            Candidate(rect: preview.page($0.box.rect), isAtTop: $0.isAtTop, isNumberLike: $0.isNumberLike)
        }
    }
}

/// What came of looking at a page.
enum PageInspection: Sendable {
    case read(PageReading)
    /// It cannot be judged: why stands in the layout.
    case unreadable(PageLayout)

    var page: PageReading? { if case .read(let page) = self { page } else { nil } }
    var layout: PageLayout? { if case .unreadable(let layout) = self { layout } else { nil } }

    /// - Parameter damage: what is wrong with the page's data; nil when that will show anyway.
    static func unreadable(because reason: String, damage: String? = nil) -> PageInspection {
        .unreadable(
            PageLayout(
                content: nil, confidence: 0, remark: "kept whole: \(reason)", isOutlier: true, damage: damage))
    }
}
