internal import AdapterKit
internal import PDFStructure
internal import PageModel

/// A page with the image of another one.
struct PageImage {
    let page: PDFObject
    /// Its visible part.
    let shown: PDFBox
    let original: ReplacedPage

    /// Returns the place of the other page on it.
    ///
    /// - Parameters:
    ///   - other: the other page in the target.
    ///   - node: the same in its own document.
    func appearance(of other: PDFObject, _ node: PageNode) -> PDFFile.Appearance {
        let geometry = PageGeometry(node, showing: original.document.box.flatMap(PageBox.init) ?? .crop)
        let whole = Framing(PixelSize(width: 1, height: 1))
        let corners = [PagePoint(across: 0, down: 0), PagePoint(across: 1, down: 0), PagePoint(across: 0, down: 1)]
        let part = original.shown
        let (first, last) = (
            geometry.place(of: PagePoint(across: part.left, down: part.top), whole),
            geometry.place(of: PagePoint(across: part.right, down: part.bottom), whole)
        )
        let box = PDFBox([first.x, first.y, last.x, last.y]) ?? geometry.crop
        return PDFFile.Appearance(
            of: other, on: page, showing: box,
            by: PDFMatrix.affine(
                from: corners.map { geometry.place(of: $0, whole) },
                to: corners.map { shown.point(at: original.place(of: $0)) }))
    }
}

/// Matrices of six numbers: a, b, c, d, e, f (ISO 32000-1, 8.3.3).
private enum PDFMatrix {
    /// The precision of a page's coordinates, relative to its size. Smaller numbers are errors of rounding.
    private static let precision = 1e-9

    /// Returns the matrix that brings three points, which are not on a line, to three others.
    static func affine(from: [(x: Double, y: Double)], to: [(x: Double, y: Double)]) -> [Double] {
        let (u, v) = (
            (x: from[1].x - from[0].x, y: from[1].y - from[0].y), (x: from[2].x - from[0].x, y: from[2].y - from[0].y)
        )
        let determinant = u.x * v.y - v.x * u.y
        /// The factors for x and y of one coordinate of the result.
        func factors(_ one: Double, _ other: Double) -> (Double, Double) {
            let factors = ((one * v.y - other * u.y) / determinant, (other * u.x - one * v.x) / determinant)
            return (abs(factors.0) < precision ? 0 : factors.0, abs(factors.1) < precision ? 0 : factors.1)
        }
        let (a, c) = factors(to[1].x - to[0].x, to[2].x - to[0].x)
        let (b, d) = factors(to[1].y - to[0].y, to[2].y - to[0].y)
        let (x, y) = (to[0].x - a * from[0].x - c * from[0].y, to[0].y - b * from[0].x - d * from[0].y)
        return [a, b, c, d, x, y]
    }
}
