internal import PDFStructure
internal import PageModel

/// The thresholds for finding the original encoding of a rendered page's pixels.
enum LikenessLimits {
    /// The minimum part of the page that an image covers to count as the page's.
    static let minimumCoverage = 0.5
    /// The minimum ratio of the image's resolution to the rendering's: a coarser image is enlarged, and the content next to it is
    /// finer.
    static let minimumResolutionRatio = 0.9
    /// The minimum number of pixels of an image. A5 at 100 pixels per inch has as many; a PNG of fewer is small enough.
    static let minimumPixels = 480_000
}

/// The original encoding of the pixels of a page to be rendered.
enum PageLikeness: Sendable {
    /// One JPEG, which is this stream.
    case jpeg(PDFReference)
    /// Several layers, not all of them masks.
    case layers
    /// Images of black and white alone. Other content could have a gray so faint that few levels would hide it.
    case bilevel
}

extension PageAnalyzer {
    /// Returns the original encoding of the pixels in a rendering of the page. It is nil if no image is most of the page.
    ///
    /// - Parameter resolution: the resolution of the rendering, in pixels per inch.
    func likeness(of marks: [Mark], _ geometry: PageGeometry, _ resolution: Double?) -> PageLikeness? {
        guard let resolution else { return nil }
        let page = geometry.shown.width * geometry.shown.height
        let pictures = marks.compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
        let main = pictures.filter { picture in
            let box = picture.state.matrix.unitSquare.intersection(geometry.shown)
            return !box.isEmpty && box.width * box.height >= LikenessLimits.minimumCoverage * page
        }
        let pixels = main.map { PageLikeness.pixels(of: $0.object) }.max() ?? 0
        let filters = main.map { PageLikeness.lastFilter(of: $0.object) }
        guard pixels >= LikenessLimits.minimumPixels else { return nil }
        if pictures.count == marks.count, pictures.allSatisfy(isBilevel) { return .bilevel }
        guard filters.contains(where: \.isLossy) else { return nil }
        // Letters may be a small mask over coarse paper, whose tables would blur them.
        if pictures.count > 1 || main[0].object["Mask"].kind == .stream || main[0].object["SMask"].kind == .stream {
            return .layers
        }
        guard filters[0] == .jpeg, let stream = main[0].object.reference,
            // The only mark was looked at already.
            let own = marks.count == 1 ? resolution : self.resolution(of: [.picture(main[0])], geometry),
            own >= LikenessLimits.minimumResolutionRatio * resolution
        else { return nil }
        return .jpeg(stream)
    }

    /// Whether an image is painted in black and white.
    private func isBilevel(_ painted: PaintedPicture) -> Bool {
        // The number of bits alone excludes most images, before their colors are read.
        guard !painted.state.isTranslucent, PDFImage.bits(of: painted.object) == 1,
            let image = try? PDFImage(painted.object, resources: painted.resources, file: file)
        else { return false }
        return image.color == .stencil
            ? painted.state.fill.isBlack : image.pixelFormat == .gray(bits: 1) && image.alpha == nil
    }
}

extension PageLikeness {
    /// The last compression filter of a stream.
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

    /// Returns the number of pixels in an image's dictionary; 0 if it is impossible.
    fileprivate static func pixels(of stream: PDFObject) -> Int {
        guard let width = stream["Width"].integer, let height = stream["Height"].integer, 0..<1 << 20 ~= width,
            0..<1 << 20 ~= height
        else { return 0 }
        return width * height
    }
}
