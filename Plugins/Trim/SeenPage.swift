internal import AdapterKit
internal import PageModel

/// A page that was looked at: what was read on it, in pixels of the page.
struct SeenPage: Sendable {
    let size: PixelSize
    let origin: (x: Int, y: Int)
    let resolution: Resolution?
    let kind: PageReading.Kind
    /// The box around what is printed but the candidates; nil when there is nothing else.
    let body: PixelRect?
    /// What may be the page's number or head.
    let candidates: [Candidate]
    let skew: Double?
    /// A JPEG of the page, where one is wanted.
    let thumbnail: [UInt8]?

    /// - Parameter thumbnail: whether to keep a picture of the page.
    init(_ look: PageLook, thumbnail isWanted: Bool) {
        let reading = PageReading(look.raster)
        size = look.size
        origin = look.origin
        resolution = look.resolution
        thumbnail = isWanted ? Thumbnail.jpeg(of: look.raster) : nil
        kind = reading.kind
        guard reading.kind == .printed else {
            body = reading.kind == .blank ? nil : PixelRect(x: 0, y: 0, look.size)
            candidates = []
            skew = nil
            return
        }
        skew = reading.skew
        var strips = reading.strips(skew: skew ?? 0)
        if strips.isEmpty, skew != nil { strips = reading.strips(skew: 0) }
        let apart = Set(strips.flatMap(\.members))
        let rest = reading.groups.indices.filter { !apart.contains($0) }.map { reading.groups[$0].box }
        body = Box.union(rest).map { look.page($0.rect) }
        candidates = strips.map {
            Candidate(rect: look.page($0.box.rect), isAtTop: $0.isAtTop, isNumberLike: $0.isNumberLike)
        }
    }
}
