internal import PageModel

/// The cells of an image, with the search for a page among them.
struct TableGrid {
    static let sides = 4
    let across: Int
    let down: Int

    /// Returns nil for an image that is too small, or too long for a photograph.
    init?(_ size: PixelSize) {
        let shorter = min(size.width, size.height)
        guard shorter >= TableLimits.cellsAcross,
            max(size.width, size.height).isAtMost(TableLimits.maximumAspect, of: shorter)
        else { return nil }
        (across, down) = (
            size.width * TableLimits.cellsAcross / shorter, size.height * TableLimits.cellsAcross / shorter
        )
    }

    /// Returns the pixels of a column or row of cells.
    func pixels(_ cell: Int, of length: Int, in cells: Int) -> Range<Int> {
        (cell * length + cells - 1) / cells..<((cell + 1) * length + cells - 1) / cells
    }

    /// The cells of the band along the edges.
    var band: [Int] {
        let (begin, end) = (depths.lowerBound, depths.upperBound)
        return (begin..<max(begin, down - begin)).flatMap { y in
            (begin..<max(begin, across - begin)).filter { x in
                min(x, across - 1 - x) < end || min(y, down - 1 - y) < end
            }.map { y * across + $0 }
        }
    }

    private var depths: Range<Int> {
        let shorter = min(across, down)
        let begin = TableLimits.bandBegins.of(shorter)
        return begin..<max(begin + 1, TableLimits.bandEnds.of(shorter))
    }

    /// Returns the side that a cell of the band is next to: 0 for left, 1 for top, 2 for right, 3 for bottom.
    func side(of place: Int) -> Int {
        let (x, y) = (place % across, place / across)
        let distances = [x, y, across - 1 - x, down - 1 - y]
        return distances.indices.min { distances[$0] < distances[$1] } ?? 0
    }

    /// Returns the mean level of each cell.
    func means(of raster: Raster) -> [UInt8] { reduced(raster, across, down) }

    /// Returns for each cell the level of its lightest part.
    func lightest(of raster: Raster) -> [UInt8] {
        let parts = TableLimits.parts
        guard raster.size.width >= parts * across, raster.size.height >= parts * down else { return means(of: raster) }
        let fine = reduced(raster, parts * across, parts * down)
        return (0..<across * down).map { place in
            let (x, y) = (parts * (place % across), parts * (place / across))
            return (0..<parts * parts).map { fine[(y + $0 / parts) * parts * across + x + $0 % parts] }.max() ?? 0
        }
    }

    private func reduced(_ raster: Raster, _ across: Int, _ down: Int) -> [UInt8] {
        let (width, height) = (raster.size.width, raster.size.height)
        let columns = (0..<across).map { pixels($0, of: width, in: across) }
        var levels = [UInt8](repeating: 0, count: across * down)
        // The sum of each column of pixels in a row of cells. Whole rows of pixels are added in vectors.
        var sums = [UInt32](repeating: 0, count: width)
        raster.samples.withUnsafeBufferPointer { samples in
            sums.withUnsafeMutableBufferPointer { sums in
                for row in 0..<down {
                    let rows = pixels(row, of: height, in: down)
                    sums.update(repeating: 0)
                    for y in rows { for x in 0..<width { sums[x] &+= UInt32(samples[y &* width &+ x]) } }
                    for column in columns.indices {
                        var sum = 0
                        for x in columns[column] { sum &+= Int(sums[x]) }
                        levels[row * across + column] = UInt8(
                            clamping: sum / max(1, rows.count * columns[column].count))
                    }
                }
            }
        }
        return levels
    }

    /// Returns the cells of the page among those that differ from the table; nil if they are not like one.
    func page(_ differs: [Bool]) -> [Bool]? {
        let radius = max(1, TableLimits.breadth.of(min(across, down)) / 2)
        var cells = differs.map { $0 ? UInt8.max : 0 }
        cells = fillingHoles(cells)
        cells = PaperSheet.spread(cells, across, down, by: radius) { min($0, $1) }
        cells = PaperSheet.spread(cells, across, down, by: radius) { max($0, $1) }
        let islands = GridComponents(cells.map { $0 > 0 }, across: across, .sides).members
        guard let largest = islands.map(\.count).max() else { return nil }
        let page = islands.filter { $0.count.isAtLeast(TableLimits.minimumIsland, of: largest) }.flatMap(\.self)
        guard
            let box = Bounds.union(
                page.lazy.map { place in
                    let (x, y) = (place % across, place / across)
                    return Bounds(left: x, top: y, right: x + 1, bottom: y + 1)
                })
        else { return nil }
        let near = depths.upperBound / 2
        let free = [
            box.left > near, box.top > near, box.right < across - near, box.bottom < down - near,
        ].count { $0 }
        guard free >= TableLimits.minimumFreeSides,
            (box.width * box.height).isAtLeast(TableLimits.minimumArea, of: across * down),
            page.count.isAtLeast(TableLimits.straightness, of: box.width * box.height)
        else { return nil }
        // The cells along the edge show some of the table, or its shadow.
        let cellsOfPage = spans(page).map { $0 ? UInt8.max : 0 }
        let inside = PaperSheet.spread(cellsOfPage, across, down, by: TableLimits.rim) { min($0, $1) }.map { $0 > 0 }
        return inside.contains(true) ? inside : nil
    }

    /// Returns the cells of a page with those between them: the fold, and notches at the edges.
    private func spans(_ page: [Int]) -> [Bool] {
        var isPage = [Bool](repeating: false, count: across * down)
        for row in Dictionary(grouping: page, by: { $0 / across }).values {
            guard let first = row.min(), let last = row.max() else { continue }
            for place in first...last { isPage[place] = true }
        }
        return isPage
    }

    /// Fills the places that are not connected with the edge.
    private func fillingHoles(_ cells: [UInt8]) -> [UInt8] {
        let outside = GridComponents(cells.map { $0 == 0 }, across: across, .sides)
        var atEdge = [Bool](repeating: false, count: outside.count)
        for place in cells.indices {
            let (x, y) = (place % across, place / across)
            if x == 0 || y == 0 || x == across - 1 || y == down - 1, let number = outside.numbers[place] {
                atEdge[number] = true
            }
        }
        return cells.indices.map { place in
            if let number = outside.numbers[place], atEdge[number] { return 0 }
            return UInt8.max
        }
    }
}
