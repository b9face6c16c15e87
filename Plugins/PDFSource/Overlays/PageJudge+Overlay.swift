internal import AdapterKit
internal import Imaging
internal import PDFStructure
internal import PageModel

/// The thresholds of deciding whether what lies over a picture is laid on the picture's own pixels.
enum OverlayLimits {
    /// Pixels per inch of the coarsest picture on which small print stays legible: letters of 8 points are 11 pixels high.
    static let leastResolution = 100.0
    /// By how much another picture may be finer than the one that it lies on, as a factor: rounding of producers.
    static let mostFiner = 1.25
    /// The part of the page that finer pictures may cover, such as a logo or a bar code.
    static let mostCoveredByFiner = 0.02
    /// The part of the page that all pictures on a picture may cover. Where they cover more, none of them is the scan.
    static let mostCoveredByPictures = 0.5
}

extension PageJudge {
    /// Judges what a page paints after its scan.
    ///
    /// - Parameters:
    ///   - over: what it paints, from the bottom up; not empty.
    ///   - scan: the pictures that the scan consists of.
    ///   - resolution: that of the scan.
    ///   - toPixels: brings the page's coordinates to the scan's pixels.
    ///   - isMixed: whether something on the page depends on what is in the same transparency group.
    /// - Throws: a `Refusal` when the scan's pixels could not express it.
    func overlay(
        _ over: [Mark], on scan: [PaintedPicture], _ resolution: Resolution, _ toPixels: Matrix, isMixed: Bool,
        _ geometry: PageGeometry
    ) throws(Refusal) -> Extraction.Overlay {
        let list = over.map(\.description).unique.listed()
        if isMixed, scan.contains(where: \.state.isInGroup) {
            throw Refusal("\(list) over the picture is blended with it in an unusual way")
        }
        let finest = max(resolution.horizontal, resolution.vertical)
        guard finest >= OverlayLimits.leastResolution else {
            throw Refusal("\(list) lies over a coarse picture of \(PDFBook.whole(finest)) pixels per inch")
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
            if pixels > finest * OverlayLimits.mostFiner { finer += share }
        }
        guard finer <= OverlayLimits.mostCoveredByFiner, covered <= OverlayLimits.mostCoveredByPictures else {
            throw Refusal("the page is made of several layers")
        }
        let below = Set(scan.compactMap(\.object.reference))
        guard pictures.isDisjoint(with: below) else { throw Refusal("the page shows a picture twice") }
        guard let matrix = Matrix(drawing: geometry).inverse?.then(toPixels) else {
            throw Refusal("the picture is empty")
        }
        return Extraction.Overlay(description: list, below: below, pictures: pictures, matrix: matrix)
    }
}
