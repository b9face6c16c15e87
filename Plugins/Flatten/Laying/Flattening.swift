internal import PageModel

/// The dewarping of a page: a mesh of points on the flat page, with their positions on the curved page.
///
/// The mesh covers the page from edge to edge. All lengths are shares of the page's width and height, so a result found
/// on one representation of a page applies to other resolutions.
struct Flattening: Hashable, Sendable {
    /// The distance between a point's position on the flat page and on the curved page.
    struct Shift: Hashable, Sendable {
        /// The distance to the right, as a share of the width.
        var across: Double
        /// The distance down, as a share of the height.
        var down: Double
    }

    /// The number of points of the mesh across and down.
    let columns: Int
    let rows: Int
    /// The points, row by row.
    let shifts: [Shift]

    /// Returns nil if the mesh is too small or too large, points are missing, or they are shifted too far.
    init?(columns: Int, rows: Int, shifts: [Shift]) {
        guard FlattenLimits.Mesh.points.contains(columns), FlattenLimits.Mesh.points.contains(rows),
            shifts.count == columns * rows,
            shifts.allSatisfy({ max(abs($0.across), abs($0.down)) <= FlattenLimits.Mesh.maximumShift })
        else { return nil }
        self.columns = columns
        self.rows = rows
        self.shifts = shifts
    }
}

extension Flattening {
    /// Returns the shift of a point of the flat page on the curved page. Between the points of the mesh, and beyond
    /// them, it uses the Catmull-Rom cubic, as the image resampling does.
    func shift(at point: PagePoint) -> Shift {
        let (column, across) = Flattening.weights(point.across, columns)
        let (row, down) = Flattening.weights(point.down, rows)
        func mixed(_ value: (Shift) -> Double) -> Double {
            func point(_ row: Int, _ column: Int) -> Double { value(shifts[row * columns + column]) }
            func four(_ first: Int, _ count: Int, _ weights: [Double], _ point: (Int) -> Double) -> Double {
                let (here, next) = (point(first), point(first + 1))
                let before = first > 0 ? point(first - 1) : 2 * here - next
                let behind = first + 2 < count ? point(first + 2) : 2 * next - here
                return before * weights[0] + here * weights[1] + next * weights[2] + behind * weights[3]
            }
            return four(column, columns, across) { column in four(row, rows, down) { row in point(row, column) } }
        }
        return Shift(across: mixed(\.across), down: mixed(\.down))
    }

    /// Returns the position on the flat page of a point of the curved page.
    func flatPlace(of point: PagePoint) -> PagePoint {
        var place = point
        for _ in 0..<FlattenLimits.Mesh.iterations {
            let shift = shift(at: place)
            place = PagePoint(across: point.across - shift.across, down: point.down - shift.down)
        }
        return place
    }

    /// Returns the point of the mesh at or before a place, and the weights of four points. These are the one before it,
    /// the point itself and the two after it.
    private static func weights(_ place: Double, _ points: Int) -> (first: Int, weights: [Double]) {
        let exact = min(max(place, 0), 1) * Double(points - 1)
        let first = Int(clamping: exact.rounded(.down), to: 0...(points - 2))
        let t = exact - Double(first)
        return (
            first,
            [
                ((2 - t) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((4 - 3 * t) * t + 1) * t / 2,
                (t - 1) * t * t / 2,
            ]
        )
    }
}
