/// The dewarping of a page: a mesh of points on the flat page, with their positions on the curved page.
///
/// The mesh covers the page from edge to edge. All lengths are shares of the page's width and height, so a result found
/// on one representation of a page applies to other resolutions.
public struct Flattening: Hashable, Sendable {
    /// The distance between a point's position on the flat page and on the curved page.
    public struct Shift: Hashable, Codable, Sendable {
        /// The distance to the right, as a share of the width.
        public var across: Double
        /// The distance down, as a share of the height.
        public var down: Double

        public init(across: Double, down: Double) {
            self.across = across
            self.down = down
        }
    }

    /// The number of points of the mesh across and down.
    public let columns: Int
    public let rows: Int
    /// The points, row by row.
    public let shifts: [Shift]

    /// The allowed number of points in each direction.
    public static let points = 2...64
    /// The maximum shift of a point, as a share of the page.
    public static let maximumShift = 0.25

    /// Returns nil if the mesh is too small or too large, points are missing, or they are shifted too far.
    public init?(columns: Int, rows: Int, shifts: [Shift]) {
        guard Flattening.points.contains(columns), Flattening.points.contains(rows), shifts.count == columns * rows,
            shifts.allSatisfy({ max(abs($0.across), abs($0.down)) <= Flattening.maximumShift })
        else { return nil }
        self.columns = columns
        self.rows = rows
        self.shifts = shifts
    }
}

extension Flattening: Codable {
    private enum CodingKeys: CodingKey {
        case columns, rows, shifts
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let (columns, rows) = (
            try values.decode(Int.self, forKey: .columns), try values.decode(Int.self, forKey: .rows)
        )
        guard
            let mesh = Flattening(
                columns: columns, rows: rows, shifts: try values.decode([Shift].self, forKey: .shifts))
        else {
            throw DecodingError.dataCorruptedError(forKey: .shifts, in: values, debugDescription: "no mesh of a page")
        }
        self = mesh
    }
}
