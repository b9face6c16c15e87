internal import PDFStructure
internal import PageModel

/// A request to render the content over a page's image.
struct OverlayRequest: Sendable {
    /// A PDF of one page: the original page without the image.
    var file: [UInt8]
    /// The size of the image as stored.
    var size: PixelSize
    /// The transformation from the page as rendered by poppler (points, y downwards) to the image's pixels.
    var matrix: Matrix
}

extension Matrix {
    /// Creates the transformation from a page's own coordinates to those of the page as rendered by poppler.
    ///
    /// Those are points from the top left corner of the visible part, rotated, without the user unit.
    init(drawing geometry: PageGeometry) {
        let box = geometry.shown
        switch geometry.turns {
        case 1: self.init(a: 0, b: 1, c: 1, d: 0, e: -box.bottom, f: -box.left)
        case 2: self.init(a: -1, b: 0, c: 0, d: 1, e: box.right, f: -box.bottom)
        case 3: self.init(a: 0, b: -1, c: -1, d: 0, e: box.top, f: box.right)
        default: self.init(a: 1, b: 0, c: 0, d: -1, e: -box.left, f: box.top)
        }
    }

    /// Creates the transformation from the unit square of an image to its pixels, whose first row is at the square's top.
    init(pixelsOf size: PixelSize) {
        self.init(a: Double(size.width), d: -Double(size.height), f: Double(size.height))
    }

    /// The inverse transformation; nil if it does not exist.
    var inverse: Matrix? {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return nil }
        return Matrix(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            e: (c * f - d * e) / determinant, f: (b * e - a * f) / determinant)
    }
}
