internal import LayoutAnalysis
internal import PageModel

/// A builder that computes the mesh for dewarping a page from its lines of text.
struct FlatteningMaker {
    private let page: CurvedLines
    private let uprights: Uprights
    /// The size of the raster in which the lines are level.
    private let size: PixelSize
    /// The distance by which all of the flat page is moved down, so that no line moves over an edge, in pixels.
    private let moved: Double

    /// Returns nil if lines would move over the edges of the page.
    init?(_ page: CurvedLines, _ size: PixelSize) {
        self.page = page
        self.size = size
        uprights = Uprights(page)
        // Marks next to the long lines may be dirt, or parts of another page.
        let (left, right) = (
            page.long.map { $0[0].left }.min() ?? 0, page.long.map { $0[$0.count - 1].right }.max() ?? 0
        )
        let pieces = page.lines.joined().filter { $0.left >= left && $0.right <= right }
        let top = pieces.map(\.top).min() ?? 0
        let bottom = pieces.map(\.bottom).max() ?? 0
        moved = max(0, -top) + min(0, Double(size.height) - bottom)
        let uprights = uprights
        let places = pieces.flatMap { piece in
            let height: Double = (piece.top + piece.bottom) / 2 - uprights.middle
            return [piece.left, piece.right].map { $0 - uprights.lean(at: $0) * height }
        }
        guard top + moved >= 0, bottom + moved <= Double(size.height),
            places.allSatisfy({ (0...Double(size.width)).contains($0) })
        else { return nil }
    }

    /// Returns the mesh; nil if it would be torn.
    ///
    /// - Parameter isTransposed: whether rows and columns are exchanged in the raster. Its lines are level.
    func flattening(isTransposed: Bool) -> Flattening? {
        let (columns, rows) = (FlattenLimits.Mesh.columns, FlattenLimits.Mesh.rows)
        var sources: [(x: Double, y: Double)] = []
        for row in 0..<rows {
            for column in 0..<columns {
                sources.append(
                    source(
                        Double(size.width) * Double(column) / Double(columns - 1),
                        Double(size.height) * Double(row) / Double(rows - 1)))
            }
        }
        let steps = (across: Double(size.width) / Double(columns - 1), down: Double(size.height) / Double(rows - 1))
        for row in 0..<rows {
            for column in 0..<columns {
                let here = sources[row * columns + column]
                if column + 1 < columns,
                    !FlattenLimits.Mesh.stretch.contains(
                        (sources[row * columns + column + 1].x - here.x) / steps.across)
                {
                    return nil
                }
                if row + 1 < rows,
                    !FlattenLimits.Mesh.stretch.contains(
                        (sources[(row + 1) * columns + column].y - here.y) / steps.down)
                {
                    return nil
                }
            }
        }
        func rounded(_ share: Double) -> Double {
            (share * FlattenLimits.Mesh.parts).rounded() / FlattenLimits.Mesh.parts
        }
        let shifts = sources.enumerated().map { index, source in
            Flattening.Shift(
                across: rounded((source.x / steps.across - Double(index % columns)) / Double(columns - 1)),
                down: rounded((source.y / steps.down - Double(index / columns)) / Double(rows - 1)))
        }
        guard isTransposed else { return Flattening(columns: columns, rows: rows, shifts: shifts) }
        let transposed = (0..<columns).flatMap { column in
            (0..<rows).map { row in
                let shift = shifts[row * columns + column]
                return Flattening.Shift(across: shift.down, down: shift.across)
            }
        }
        return Flattening(columns: rows, rows: columns, shifts: transposed)
    }

    /// Returns the source on the original page for a place of the flat page.
    private func source(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let level = y - moved
        var across = x
        for _ in 0..<FlattenLimits.Mesh.rounds { across = x + uprights.lean(at: across) * (level - uprights.middle) }
        return (across, level - page.surface.rise(onFlat: level, at: across))
    }
}
