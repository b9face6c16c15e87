internal import PageModel

/// The surface along the edges of an image.
struct Table {
    /// The usual level.
    let level: Int
    /// The cells along the edges that show it.
    let places: [Int]
    private let grid: TableGrid
    private let band: [Int]
    /// The differences of the level per cell, across and down: light falls from one side.
    private let slope: (across: Double, down: Double)

    /// Returns nil without a surface of about one level along most of the edges.
    init?(_ levels: [UInt8], _ grid: TableGrid) {
        let band = grid.band
        var counts = [Int](repeating: 0, count: PaperToneLimits.levelCount)
        for place in band { counts[Int(levels[place])] += 1 }
        func count(_ level: Int) -> Int {
            counts[max(0, level - TableLimits.grain)...min(counts.count - 1, level + TableLimits.grain)].reduce(0, +)
        }
        guard let usual = counts.indices.max(by: { count($0) < count($1) }), TableLimits.levels.contains(usual) else {
            return nil
        }
        let places = band.filter { abs(Int(levels[$0]) - usual) <= TableLimits.grain }
        func mean(_ side: Int) -> Double? {
            let places = places.filter { grid.side(of: $0) == side }
            return places.isEmpty ? nil : Double(places.reduce(0) { $0 + Int(levels[$1]) }) / Double(places.count)
        }
        let sides = (0..<TableGrid.sides).map(mean)
        func slope(_ first: Double?, _ last: Double?, _ cells: Int) -> Double {
            guard let first, let last else { return 0 }
            return (last - first) / Double(cells)
        }
        self.slope = (slope(sides[0], sides[2], grid.across), slope(sides[1], sides[3], grid.down))
        (self.level, self.places, self.grid, self.band) = (usual, places, grid, band)
        guard isWide(places) else { return nil }
    }

    /// Whether some cells cover most of the edges.
    func isWide(_ places: [Int]) -> Bool {
        guard places.count.isAtLeast(TableLimits.minimumShare, of: band.count) else { return false }
        let sides = (0..<TableGrid.sides).count { side in
            places.count { grid.side(of: $0) == side }.isAtLeast(
                TableLimits.sideShare, of: band.count { grid.side(of: $0) == side })
        }
        return sides >= TableLimits.minimumSides
    }

    /// Returns its level at a cell.
    func level(at place: Int) -> Int {
        let (x, y) = (place % grid.across - grid.across / 2, place / grid.across - grid.down / 2)
        return level
            + Int(clamping: (slope.across * Double(x) + slope.down * Double(y)).rounded(), to: -level...level)
    }
}
