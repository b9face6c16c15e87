internal import PDFStructure
internal import PageModel

extension ContentInterpreter {
    /// Paints a box that is filled with one tile of a pattern as a form (ISO 32000-1, 8.7.3). Some programs write each page so.
    ///
    /// - Returns: false for all other shapes.
    mutating func paintTile(_ keyword: String, _ content: OpenContent) throws(AdapterError) -> Bool {
        guard ["f", "F", "f*"].contains(keyword), !content.isHidden, let pattern = content.state.pattern,
            pattern.kind == .stream, pattern["PatternType"].integer == 1, pattern["PaintType"].integer == 1,
            content.depth == 0, case .box(let box) = content.path.clip, !box.isEmpty,
            let cell = PDFBox(pattern["BBox"].numbers), !cell.isEmpty
        else { return false }
        let matrix = Matrix(pattern["Matrix"].numbers) ?? .identity
        guard let inverse = matrix.inverse, matrix.keepsAxes, let step = Tile.step(of: pattern) else { return false }
        let area = inverse.bounds(of: box)
        // The tile below the middle of the box.
        guard
            let column = Int(
                checked: (((area.left + area.right) / 2 - cell.left) / step.x).rounded(.down), in: -1 << 20...1 << 20),
            let row = Int(
                checked: (((area.bottom + area.top) / 2 - cell.bottom) / step.y).rounded(.down), in: -1 << 20...1 << 20)
        else { return false }
        let place = Tile.place(of: area, in: cell, step, column, row)
        guard let place else { return false }
        var state = content.state
        state.pattern = nil
        state.matrix = Matrix(e: place.x, f: place.y).then(matrix)
        state.clip = state.clip.narrowed(to: .box(box)).narrowed(to: .box(state.matrix.bounds(of: cell)))
        try paintTile(pattern, state, content)
        return true
    }
}

/// The tiles of a pattern.
private enum Tile {
    /// Returns the distances between tiles; nil if they are impossible.
    static func step(of pattern: PDFObject) -> (x: Double, y: Double)? {
        guard let x = pattern["XStep"].number, let y = pattern["YStep"].number, abs(x) > 1e-6, abs(y) > 1e-6,
            x.isFinite, y.isFinite
        else { return nil }
        return (abs(x), abs(y))
    }

    /// Returns the shift to the one tile that an area shows; nil if it shows several.
    static func place(
        of area: PDFBox, in cell: PDFBox, _ step: (x: Double, y: Double), _ column: Int, _ row: Int
    ) -> (x: Double, y: Double)? {
        // Rounding by producers may show a sliver of the next tile.
        let slack = (x: cell.width * 0.0025, y: cell.height * 0.0025)
        let shift = (x: Double(column) * step.x, y: Double(row) * step.y)
        let (left, bottom) = (cell.left + shift.x, cell.bottom + shift.y)
        let isInside =
            area.left >= left - slack.x && area.right <= left + step.x + slack.x
            && area.bottom >= bottom - slack.y && area.top <= bottom + step.y + slack.y
        // Tiles may not overlap.
        return isInside && step.x >= cell.width - slack.x && step.y >= cell.height - slack.y ? shift : nil
    }
}
