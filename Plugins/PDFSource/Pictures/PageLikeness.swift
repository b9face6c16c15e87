internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// The thresholds of telling how the pixels of a page that is drawn were encoded.
enum LikenessLimits {
    /// The part of the page that a picture covers at least to be the page's.
    static let leastCovered = 0.5
    /// The part of the drawing's resolution that the picture has at least: a coarser one is enlarged, and what lies beside it is finer.
    static let leastOfResolution = 0.9
    /// Pixels of the least picture. A5 at 100 pixels per inch has as many; a PNG of fewer is small enough.
    static let leastPixels = 480_000
}

/// How the pixels of a page were encoded that is to be drawn.
enum PageLikeness: Sendable {
    /// As one JPEG, which is this stream.
    case jpeg(PDFReference)
    /// In layers, of which one at least is no mask.
    case layers
}

extension PageJudge {
    /// Finds out how the pixels were encoded that a drawing of the page shows; nil where no picture is most of it.
    ///
    /// - Parameter resolution: that of the drawing, in pixels per inch.
    func likeness(of marks: [Mark], _ geometry: PageGeometry, _ resolution: Double?) -> PageLikeness? {
        guard let resolution else { return nil }
        let page = geometry.shown.width * geometry.shown.height
        let pictures = marks.compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
        let main = pictures.filter { picture in
            let box = picture.state.matrix.unitSquare.intersection(geometry.shown)
            return !box.isEmpty && box.width * box.height >= LikenessLimits.leastCovered * page
        }
        let pixels = main.map { PageLikeness.pixels(of: $0.object) }.max() ?? 0
        let filters = main.map { PageLikeness.lastFilter(of: $0.object) }
        guard pixels >= LikenessLimits.leastPixels, filters.contains(where: \.isLossy) else { return nil }
        // Letters may be a small mask over coarse paper, whose tables would blur them.
        if pictures.count > 1 || main[0].object["Mask"].kind == .stream || main[0].object["SMask"].kind == .stream {
            return .layers
        }
        guard filters[0] == .jpeg, let stream = main[0].object.reference,
            let own = self.resolution(of: [.picture(main[0])], geometry),
            own >= LikenessLimits.leastOfResolution * resolution
        else { return nil }
        return .jpeg(stream)
    }
}

extension PageLikeness {
    /// How a stream is compressed at last.
    fileprivate enum Filter {
        case jpeg, jpeg2000, other

        var isLossy: Bool { self != .other }
    }

    fileprivate static func lastFilter(of stream: PDFObject) -> Filter {
        let filter = stream["Filter"]
        switch filter.name ?? filter.items.last?.name {
        case "DCTDecode", "DCT": return .jpeg
        case "JPXDecode": return .jpeg2000
        default: return .other
        }
    }

    /// The pixels that a picture says it has; 0 where it says nothing that can be.
    fileprivate static func pixels(of stream: PDFObject) -> Int {
        guard let width = stream["Width"].integer, let height = stream["Height"].integer, 0..<1 << 20 ~= width,
            0..<1 << 20 ~= height
        else { return 0 }
        return width * height
    }
}
