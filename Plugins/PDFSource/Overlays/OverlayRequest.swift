internal import PDFStructure
internal import PageModel

/// What to draw to learn what lies over a page's picture.
struct OverlayRequest: Sendable {
    /// A PDF of one page: the page as it is, except that it does not paint the picture.
    var file: [UInt8]
    /// The size of the picture as it is stored.
    var size: PixelSize
    /// Brings the page as poppler draws it (points, y downwards) to the picture's pixels.
    var matrix: Matrix
}

extension Matrix {
    /// Brings a page's own coordinates to those of the page as poppler draws it: points from the top left corner of what is
    /// shown, turned, without the user unit.
    init(drawing geometry: PageGeometry) {
        let box = geometry.shown
        switch geometry.turns {
        case 1: self.init(a: 0, b: 1, c: 1, d: 0, e: -box.bottom, f: -box.left)
        case 2: self.init(a: -1, b: 0, c: 0, d: 1, e: box.right, f: -box.bottom)
        case 3: self.init(a: 0, b: -1, c: -1, d: 0, e: box.top, f: box.right)
        default: self.init(a: 1, b: 0, c: 0, d: -1, e: -box.left, f: box.top)
        }
    }

    /// Brings the unit square in which a picture is painted to its pixels, whose first row is at the square's top.
    init(pixelsOf size: PixelSize) {
        self.init(a: Double(size.width), d: -Double(size.height), f: Double(size.height))
    }

    /// The transformation that undoes this one; nil where nothing does.
    var inverse: Matrix? {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return nil }
        return Matrix(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            e: (c * f - d * e) / determinant, f: (b * e - a * f) / determinant)
    }
}
