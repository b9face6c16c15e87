package import PageModel

/// A photograph of a page on a table, which may show a ruler, a color chart, cards and a book rest too.
///
/// The table is of one level along most of the edges. Paper is lighter or more yellow, and a cover darker. It is broad, with
/// straight sides, and the table is visible on most sides of it. Rulers, cards and the like are narrower.
package struct TablePhotograph: Sendable {
    private let grid: TableGrid
    /// For each cell whether it is part of the page.
    private let isPage: [Bool]
    /// Whether the page is a dark cover.
    private let isCover: Bool

    /// Whether a page may be a photograph of a table, as far as the amount of ink shows: its brightness is then needed.
    package static func isPossible(_ ink: Raster) -> Bool {
        guard let grid = TableGrid(ink.size) else { return false }
        return Table(grid.means(of: ink), grid) != nil
    }

    /// Returns nil if nothing is certain.
    ///
    /// - Parameters:
    ///   - ink: the amount of ink.
    ///   - brightness: the same image as brightness. It may have another size.
    package init?(ink: Raster, brightness: Raster) {
        guard let grid = TableGrid(ink.size) else { return nil }
        let levels = grid.means(of: brightness)
        guard let table = Table(levels, grid), brightness.size.width >= grid.across, brightness.size.height >= grid.down
        else { return nil }
        let inks = grid.means(of: ink), lightest = grid.lightest(of: brightness)
        let inkLevels = table.places.map { Int(inks[$0]) }.sorted()
        let inkLevel = inkLevels[inkLevels.count / 2]
        let inTable = table.places.filter { abs(Int(inks[$0]) - inkLevel) <= TableLimits.inkGrain }
        guard table.isWide(inTable) else { return nil }
        /// The amount of color of a cell, compared with the table.
        func tint(_ place: Int) -> Int { Int(levels[place]) - Int(inks[place]) }
        let tableTint = table.level - inkLevel
        let isLighter = levels.indices.map { place in
            Int(lightest[place]) - table.level(at: place) > TableLimits.lighter
                || tint(place) - tableTint > TableLimits.tinted
                    && Int(levels[place]) - table.level(at: place) > -TableLimits.tintedDarker
        }
        func contrasts(_ page: [Bool]) -> [Int] {
            page.indices.filter { page[$0] }.map { Int(levels[$0]) - table.level(at: $0) }.sorted()
        }
        if let page = grid.page(isLighter) {
            let sorted = contrasts(page)
            guard sorted[TableLimits.quartile.of(sorted.count)] >= TableLimits.paperContrast else { return nil }
            (isPage, isCover) = (page, false)
        } else {
            let isDarker = levels.indices.map { Int(levels[$0]) - table.level(at: $0) < -TableLimits.darker }
            guard tableTint <= TableLimits.maximumTint, let page = grid.page(isDarker) else { return nil }
            let sorted = contrasts(page)
            let patches = levels.indices.count { !page[$0] && tint($0) > TableLimits.saturation }
            guard sorted[TableLimits.quartile.of(sorted.count)] <= -TableLimits.coverContrast,
                patches.isAtLeast(TableLimits.minimumChart, of: levels.count)
            else { return nil }
            (isPage, isCover) = (page, true)
        }
        self.grid = grid
    }

    /// Returns the box around the page, in pixels of a raster.
    package func box(in size: PixelSize) -> Bounds? {
        Bounds.union(
            isPage.indices.lazy.filter { isPage[$0] }.map { place in
                let columns = grid.pixels(place % grid.across, of: size.width, in: grid.across)
                let rows = grid.pixels(place / grid.across, of: size.height, in: grid.down)
                return Bounds(
                    left: columns.lowerBound, top: rows.lowerBound, right: columns.upperBound, bottom: rows.upperBound)
            })
    }

    /// Returns the same box with the edges of the page to its left and right, which may show some of the table.
    ///
    /// Leaves that are folded at the outer edge have print up to the fold.
    package func boxWithRim(in size: PixelSize) -> Bounds? {
        let rim = TableLimits.rim * grid.pixels(0, of: size.width, in: grid.across).count
        return box(in: size)?.grown(rim, 0).clamped(to: size)
    }

    /// Returns the image with paper in place of everything outside the page, or with the table around a dark cover.
    ///
    /// - Parameter raster: the amount of ink.
    package func page(in raster: Raster) -> Raster {
        let inks = grid.means(of: raster)
        let levels = inks.indices.filter { isPage[$0] != isCover }.map { inks[$0] }.sorted()
        guard !levels.isEmpty else { return raster }
        let level = levels[levels.count / 2]
        var samples = raster.samples
        for y in 0..<raster.size.height {
            let row = y * grid.down / raster.size.height * grid.across
            for column in 0..<grid.across where !isPage[row + column] {
                for x in grid.pixels(column, of: raster.size.width, in: grid.across) {
                    samples[y * raster.size.width + x] = level
                }
            }
        }
        return Raster(size: raster.size, format: raster.format, samples: samples)
    }
}
