internal import Imaging
internal import PageModel

internal import func Glibc.log

/// One side of a leaf: the print that shows from the other side, and the print that may shine through to there.
struct LeafSide: Sendable {
    /// The darkness relative to the paper, 0 to 1.
    let darkness: Plane
    /// The optical density relative to the paper.
    let density: Plane
    /// The density without that of the layout, and without the edges of art; 0 outside of the paper.
    let stain: Plane
    /// 1 where the page is paper, which shows the other side; else 0.
    let paper: Plane

    private init(darkness: Plane, density: Plane, stain: Plane, paper: Plane) {
        (self.darkness, self.density, self.stain, self.paper) = (darkness, density, stain, paper)
    }

    /// - Parameter levels: the levels of the page, 0 to 1.
    init(_ levels: Plane) {
        let (width, height) = (levels.width, levels.height)
        var (darkness, density) = (levels, levels)
        var isPaper = Plane(width: width, height: height, repeating: 0)
        RoughPaper(levels).forEachRow(width, height) { y, line in
            for x in 0..<width {
                let place = y &* width &+ x
                let level = levels.values[place] / line[x]
                darkness.values[place] = min(max(1 - level, 0), 1)
                density.values[place] = -log(max(level, 0.05))
                if ShowThroughLimits.paper.contains(level) { isPaper.values[place] = 1 }
            }
        }
        let near = isPaper.blurred(radius: ShowThroughLimits.printEdge)
        for place in isPaper.values.indices where near.values[place] < 0.999 { isPaper.values[place] = 0 }
        var stain = density.withoutLayout(on: isPaper)
        let limit = ShowThroughLimits.clip * stain.usualDistance(on: isPaper)
        for place in stain.values.indices { stain.values[place] = min(max(stain.values[place], -limit), limit) }
        self.init(darkness: darkness, density: density, stain: stain.withoutLayout(on: isPaper), paper: isPaper)
    }

    func reduced(by step: Double) -> LeafSide {
        LeafSide(
            darkness: darkness.reduced(by: step), density: density.reduced(by: step), stain: stain.reduced(by: step),
            paper: paper.reduced(by: step))
    }
}

/// The level of the paper of a page.
///
/// It is that of the sheet, so that a dark image is darker than the paper all over. On a page without a sheet, it is that
/// of the light part of large tiles, and of those around them.
private struct RoughPaper {
    private let grid: [Float]
    private let (across, down): (Int, Int)

    init(_ levels: Plane) {
        if let surface = RoughPaper.sheet(levels) {
            grid = surface.grid(0).map { Float(max(1, SRGBCurve.level($0))) / 255 }
            (across, down) = (surface.across, surface.down)
            return
        }
        let side = max(8, min(levels.width, levels.height) / ShowThroughLimits.tilesAcross)
        let (across, down) = (max(1, levels.width / side), max(1, levels.height / side))
        var lightest = [Float](repeating: 0, count: across * down)
        for tile in lightest.indices {
            let (x, y) = (tile % across, tile / across)
            var counts = [Int](repeating: 0, count: 256)
            for row in y * side..<(y + 1 == down ? levels.height : (y + 1) * side) {
                for column in x * side..<(x + 1 == across ? levels.width : (x + 1) * side) {
                    counts[
                        255 - Int(clamping: Double(levels.values[row * levels.width + column] * 255), to: 0...255)] += 1
                }
            }
            lightest[tile] = Float(max(1, 255 - counts.place(ofShare: 1, of: ShowThroughLimits.lighter))) / 255
        }
        // Print may cover a whole tile.
        grid = lightest.indices.map { tile in
            let (x, y) = (tile % across, tile / across)
            var near: [Float] = []
            for row in max(0, y - 1)...min(down - 1, y + 1) {
                for column in max(0, x - 1)...min(across - 1, x + 1) { near.append(lightest[row * across + column]) }
            }
            near.sort()
            return max(near[near.count * 2 / 3], lightest[tile])
        }
        (self.across, self.down) = (across, down)
    }

    /// Returns the light of the sheet of a page; nil if too little of it is paper.
    private static func sheet(_ levels: Plane) -> PaperSurface? {
        let raster = Raster(
            size: PixelSize(width: levels.width, height: levels.height), format: .gray(bits: 8),
            samples: levels.values.map { UInt8(Int(clamping: Double(255 * $0), to: 0...255)) })
        let tiles = PaperTiles(raster, luma: raster.samples)
        guard let sheet = tiles.sheet(),
            Double(sheet.count { $0 }) >= PaperLimits.minimumShare * Double(sheet.count)
        else { return nil }
        return PaperSurface(tiles, isPaper: sheet)
    }

    /// Calls a function with the levels of the paper in each row of pixels.
    func forEachRow(_ width: Int, _ height: Int, _ body: (Int, [Float]) -> Void) {
        let columns = GridPlace.all(width, across)
        var line = [Float](repeating: 0, count: width)
        for y in 0..<height {
            let row = GridPlace(y, height, down)
            let nodes = (0..<across).map { x in
                let (upper, lower) = (grid[row.first * across + x], grid[row.next * across + x])
                return upper + (lower - upper) * row.share
            }
            for x in 0..<width {
                let column = columns[x]
                line[x] = nodes[column.first] + (nodes[column.next] - nodes[column.first]) * column.share
            }
            body(y, line)
        }
    }
}
