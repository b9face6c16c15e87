internal import func Glibc.cos
internal import func Glibc.sin

/// An affine map of the plane, for points in shares of a page.
struct Affine: Hashable, Sendable {
    /// The factors of a point's shares across and down, and of 1.
    typealias Row = (across: Double, down: Double, one: Double)

    private let values: [Double]

    init(across: Row, down: Row) {
        values = [across.across, across.down, across.one, down.across, down.down, down.one]
    }

    /// Makes the map from a stored image to its visible part.
    init(_ framing: Framing) {
        let orientation = framing.orientation
        func row(_ isDown: Bool, _ isMirrored: Bool) -> Row {
            let sign: Double = isMirrored ? -1 : 1
            return (isDown ? 0 : sign, isDown ? sign : 0, isMirrored ? 1 : 0)
        }
        let across = row(orientation.isTransposed, orientation.isMirroredAcross)
        let down = row(!orientation.isTransposed, orientation.isMirroredDown)
        let (full, rect) = (framing.full, framing.rect)
        func kept(_ row: Row, of full: Int, from start: Int, _ length: Int) -> Row {
            let scale = Double(full) / Double(length)
            return (row.across * scale, row.down * scale, row.one * scale - Double(start) / Double(length))
        }
        self.init(
            across: kept(across, of: full.width, from: rect.x, rect.width),
            down: kept(down, of: full.height, from: rect.y, rect.height))
    }

    /// Makes a clockwise rotation about the middle of a page of that size.
    init(rotating degrees: Double, _ size: PixelSize) {
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let shape = Double(size.height) / Double(max(size.width, 1))
        self.init(
            across: (cosine, -sine * shape, (1 - cosine + sine * shape) / 2),
            down: (sine / shape, cosine, (1 - sine / shape - cosine) / 2))
    }

    func applied(to point: PagePoint) -> PagePoint {
        PagePoint(
            across: values[0] * point.across + values[1] * point.down + values[2],
            down: values[3] * point.across + values[4] * point.down + values[5])
    }

    /// Returns this map followed by another.
    func followed(by next: Affine) -> Affine {
        let (a, b) = (values, next.values)
        func row(_ start: Int) -> Row {
            (
                b[start] * a[0] + b[start + 1] * a[3], b[start] * a[1] + b[start + 1] * a[4],
                b[start] * a[2] + b[start + 1] * a[5] + b[start + 2]
            )
        }
        return Affine(across: row(0), down: row(3))
    }

    /// The inverse of this map. All maps that come from framings have one.
    var inverse: Affine {
        let v = values
        let determinant = v[0] * v[4] - v[1] * v[3]
        return Affine(
            across: (
                v[4] / determinant, -v[1] / determinant, (v[1] * v[5] - v[4] * v[2]) / determinant
            ),
            down: (
                -v[3] / determinant, v[0] / determinant, (v[3] * v[2] - v[0] * v[5]) / determinant
            ))
    }
}

extension PagePoint {
    /// Returns the point after a clockwise rotation about the middle of a page of that size.
    public func rotated(degrees: Double, on size: PixelSize) -> PagePoint {
        Affine(rotating: degrees, size).applied(to: self)
    }
}
