internal import PDFStructure
internal import PageModel

/// The thresholds for deciding whether the content over an image is drawn on the image's own pixels.
enum OverlayLimits {
    /// The minimum pixels per inch of an image on which small print stays legible: letters of 8 points are 11 pixels high.
    static let minimumResolution = 100.0
    /// The factor by which another image may be finer than the one below it: rounding by producers.
    static let maximumFinerRatio = 1.25
    /// The part of the page that finer images may cover, such as a logo or a bar code.
    static let maximumFinerCoverage = 0.02
    /// The part of the page that all images on an image may cover. If they cover more, none of them are the scan.
    static let maximumPictureCoverage = 0.5
}

extension PageAnalyzer {
    /// Judges the content that a page paints after its scan.
    ///
    /// - Parameters:
    ///   - marks: the marks of the page, from the bottom up.
    ///   - first: the index of the first mark of that content.
    ///   - scan: the images of the scan.
    ///   - resolution: the resolution of the scan.
    ///   - toPixels: the transformation from the page's coordinates to the scan's pixels.
    ///   - isMixed: whether content of the page depends on other content of the same transparency group.
    /// - Throws: a `Refusal` if the scan's pixels could not express it.
    func overlay(
        _ marks: [Mark], from first: Int, on scan: [PaintedPicture], _ resolution: Resolution, _ toPixels: Matrix,
        isMixed: Bool, _ geometry: PageGeometry
    ) throws(Refusal) -> Extraction.Overlay {
        let over = marks[first...]
        let list = over.map(\.description).unique.listed()
        if !removesOverlay, isMixed, scan.contains(where: \.state.isInGroup) {
            throw Refusal("\(list) over the image is blended with it in an unusual way")
        }
        let finest = max(resolution.horizontal, resolution.vertical)
        guard removesOverlay || finest >= OverlayLimits.minimumResolution else {
            throw Refusal("\(list) lies over a coarse image of \(PDFBook.whole(finest)) pixels per inch")
        }
        var (covered, finer) = (0.0, 0.0)
        var pictures: Set<PDFReference> = []
        for case .picture(let other) in over {
            if let reference = other.object.reference { pictures.insert(reference) }
            let box = other.state.matrix.unitSquare
            guard let width = other.object["Width"].number, let height = other.object["Height"].number, !box.isEmpty
            else { continue }
            let seen = box.intersection(geometry.shown)
            if seen.isEmpty { continue }
            let share = seen.width * seen.height / (geometry.shown.width * geometry.shown.height)
            covered += share
            // Quarter turns exchange the sides.
            let pixels = (width * height / (box.width * box.height)).squareRoot() * 72 / geometry.userUnit
            if pixels > finest * OverlayLimits.maximumFinerRatio { finer += share }
        }
        guard finer <= OverlayLimits.maximumFinerCoverage, covered <= OverlayLimits.maximumPictureCoverage else {
            throw Refusal("the page is made of several layers")
        }
        let below = Set(scan.compactMap(\.object.reference))
        guard pictures.isDisjoint(with: below) else { throw Refusal("the page shows an image twice") }
        guard let matrix = Matrix(drawing: geometry).inverse?.then(toPixels) else {
            throw Refusal("the image is empty")
        }
        return Extraction.Overlay(description: list, firstMark: first, below: below, pictures: pictures, matrix: matrix)
    }
}
