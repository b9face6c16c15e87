internal import Imaging
internal import LayoutAnalysis
internal import PageModel

/// The dark borders and the punch holes on the preview of a page, and the paper that replaces them.
struct BorderReading: Sendable {
    /// The pixels that become paper.
    private(set) var pixels: PixelMask
    /// The paper; nil for a page that stays as it is.
    private(set) var surface: PaperSurface?
    private(set) var borders = 0
    private(set) var holes = 0
    /// The reason that the page stays as it is; nil if it was searched.
    private(set) var reason: Message?

    /// - Parameters:
    ///   - raster: gray or RGB of 8 bits.
    ///   - hasFilledCorners: whether an operation filled the corners with paper.
    init(_ raster: Raster, hasFilledCorners: Bool) {
        let (width, height) = (raster.size.width, raster.size.height)
        pixels = PixelMask(width: width, height: height, [Bool](repeating: false, count: width * height))
        let luma = raster.gray().samples
        let tiles = PaperTiles(raster, luma: luma)
        let sheet = tiles.sheet()
        let reading = PaperReading(raster, tiles, sheet)
        guard let sheet, reading.share >= PaperLimits.minimumShare else {
            reason = "it shows no paper, or too little"
            return
        }
        let page = RelativeLevels(luma, raster.size, tiles, sheet)
        let unit = min(width, height)
        func radius(_ share: Double) -> Int { max(1, Int(clamping: share * Double(unit), to: 1...max(1, unit / 4))) }
        let dark = page.dark.opened(radius(BorderLimits.stroke), continues: true)
        let textured = page.textured
        var found = pixels
        let filled = hasFilledCorners ? Int(clamping: BorderLimits.filled * Double(unit), to: 0...unit) : 0
        let depths = EdgeLines.all(of: raster.size).map { side in
            var band = EdgeBand(
                side, page.levels, dark, textured, unit: unit, distance: max(BorderLimits.distance, filled))
            borders += band.mark(&found, needsSkew: reading.isWhite)
            return band.markedDepth
        }
        BorderReading.markCorners(&found, dark, depths)
        let punched = PunchHoles(page, textured, dark: dark, excluded: found)
        holes = punched.discs.count
        guard borders + holes > 0 else { return }
        punched.mark(&found)
        if let art = BorderReading.art(reading, page, found, radius(BorderLimits.solid)) {
            (reason, borders, holes) = (art, 0, 0)
            return
        }
        (pixels, surface) = (found, page.surface)
    }

    /// Marks the dark pixels where the borders of two sides meet.
    ///
    /// - Parameter depths: the depths of the borders at the left, the right, the top and the bottom.
    private static func markCorners(_ found: inout PixelMask, _ dark: PixelMask, _ depths: [Int]) {
        let (width, height) = (found.width, found.height)
        let columns = [0..<min(width, depths[0]), max(0, width - depths[1])..<width]
        let rows = [0..<min(height, depths[2]), max(0, height - depths[3])..<height]
        for (rows, columns) in rows.flatMap({ rows in columns.map { (rows, $0) } }) {
            for y in rows { for x in columns where dark[x, y] { found[x, y] = true } }
        }
    }

    /// Returns the reason that a page is art; nil for others. A dark area at its edge may be a part of it.
    private static func art(
        _ reading: PaperReading, _ page: RelativeLevels, _ found: PixelMask, _ radius: Int
    ) -> Message? {
        if reading.coloredShare > PaperLimits.maximumColored { return "it shows art in color" }
        if reading.isDigitalArt || reading.middleShare > PaperLimits.maximumMiddle { return "most of it is art" }
        var solid = page.dark.opened(radius, continues: false)
        // A dark area at the edge of paper with a grain may be the bed of the scanner.
        if !reading.isWhite { solid = solid.withoutEdges }
        let inside = zip(solid.isSet, found.isSet).count { $0 && !$1 }
        let share = reading.isWhite ? BorderLimits.solidsOnWhite : BorderLimits.solids
        return Double(inside) > share * Double(found.isSet.count) ? "it has large black areas" : nil
    }
}
