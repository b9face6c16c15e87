internal import Imaging
internal import PageModel

/// The levels of a page relative to its paper, as a sheet without shadows has them.
struct RelativeLevels: Sendable {
    let width: Int
    let height: Int
    let levels: [UInt8]
    /// The paper, which continues from the inside of the page to its edges.
    let surface: PaperSurface

    /// - Parameters:
    ///   - luma: the brightness of the pixels of a preview.
    ///   - sheet: the tiles that are paper.
    init(_ luma: [UInt8], _ size: PixelSize, _ tiles: PaperTiles, _ sheet: [Bool]) {
        (width, height) = (size.width, size.height)
        let surface = PaperSurface(tiles, isPaper: RelativeLevels.unshaded(tiles, sheet))
        self.surface = surface
        let grids = surface.light.indices.map { surface.grid($0) }
        let papers = PaperTiles.brightness(of: grids).map { max(1, SRGBCurve.level($0)) }
        let (width, side, across, down) = (size.width, tiles.side, tiles.across, tiles.down)
        let paper = BorderLimits.paper
        levels = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            luma.withUnsafeBufferPointer { luma in
                for y in 0..<size.height {
                    let row = min(y / side, down - 1) * across
                    for x in 0..<width {
                        let own = paper &* Int(luma[y &* width &+ x]) / papers[row &+ min(x / side, across &- 1)]
                        output[y &* width &+ x] = UInt8(truncatingIfNeeded: min(255, own))
                    }
                }
            }
            count = size.area
        }
    }

    /// Returns the tiles of the sheet without those in the shadow at the edges.
    private static func unshaded(_ tiles: PaperTiles, _ sheet: [Bool]) -> [Bool] {
        let (across, down) = (tiles.across, tiles.down)
        let breadth = max(
            1, Int(clamping: BorderLimits.outerTiles * Double(min(across, down)), to: 1...max(1, across)))
        func isInner(_ tile: Int) -> Bool {
            let (x, y) = (tile % across, tile / across)
            return min(x, across - 1 - x) >= breadth && min(y, down - 1 - y) >= breadth
        }
        let inner = sheet.indices.map { sheet[$0] && isInner($0) }
        guard 3 * inner.count(where: { $0 }) >= sheet.count(where: { $0 }) else { return sheet }
        let expected = PaperSurface.filled(tiles.brightness, inner.map { $0 ? 1 : 0 }, across, down)
        return sheet.indices.map { tile in
            sheet[tile] && (inner[tile] || tiles.brightness[tile] >= BorderLimits.outerLight * expected[tile])
        }
    }

    /// The pixels that are as dark as a border.
    var dark: PixelMask { PixelMask(width: width, height: height, levels.map { $0 < BorderLimits.dark }) }

    /// The pixels that differ from the next one to the right or below.
    var textured: PixelMask {
        var result = PixelMask(width: width, height: height, [Bool](repeating: false, count: width * height))
        for y in 0..<height - 1 {
            for x in 0..<width - 1 {
                let own = Int(levels[y &* width &+ x])
                let (right, below) = (Int(levels[y &* width &+ x &+ 1]), Int(levels[(y &+ 1) &* width &+ x]))
                if max(abs(own - right), abs(own - below)) > Int(BorderLimits.grain) { result[x, y] = true }
            }
        }
        return result
    }
}
