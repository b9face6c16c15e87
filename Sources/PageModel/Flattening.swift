/// How a curved page is laid flat: where the points of a mesh on the flat page lie on the page as it is.
///
/// The mesh covers the page from edge to edge. All lengths are shares of the page's width and height, so that what was found
/// on one representation of a page holds for those of other resolutions.
public struct Flattening: Hashable, Sendable {
    /// How far a point of the flat page lies from its place on the page as it is.
    public struct Shift: Hashable, Codable, Sendable {
        /// To the right, as a share of the width.
        public var across: Double
        /// Downwards, as a share of the height.
        public var down: Double

        public init(across: Double, down: Double) {
            self.across = across
            self.down = down
        }
    }

    /// How many points the mesh has across and down.
    public let columns: Int
    public let rows: Int
    /// The points, row by row.
    public let shifts: [Shift]

    /// A mesh has at least two points each way.
    public static let points = 2...64
    /// No point is shifted by a larger share of the page.
    public static let mostShift = 0.25

    /// Nil when the mesh is too small or too large, points are missing, or they are shifted too far.
    public init?(columns: Int, rows: Int, shifts: [Shift]) {
        guard Flattening.points.contains(columns), Flattening.points.contains(rows), shifts.count == columns * rows,
            shifts.allSatisfy({ max(abs($0.across), abs($0.down)) <= Flattening.mostShift })
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
