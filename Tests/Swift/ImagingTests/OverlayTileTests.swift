import PageModel
import Testing

@testable import Imaging

/// An overlay has the same effect in tiles as in one piece, and in levels of gray as in red, green and blue.
@Suite struct OverlayTileTests {
    private static let size = PixelSize(width: 403, height: 517)
    /// The line crosses the borders of tiles, on both axes.
    private static let rect = PixelRect(x: 13, y: 21, width: 381, height: 480)

    /// A slanted, translucent line from corner to corner.
    private static func line(channels: Int) -> OverlayPixels.Area {
        var (black, white): ([UInt8], [UInt8]) = ([], [])
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let isTouched = abs(x * rect.height - y * rect.width) < 4 * rect.height
                black += [UInt8](repeating: isTouched ? 40 : 0, count: channels)
                white += [UInt8](repeating: isTouched ? 190 : 255, count: channels)
            }
        }
        return OverlayPixels.Area(rect, black: black, white: white)
    }

    private static func page(_ format: PixelFormat) -> Raster {
        let count = Raster.bytesPerRow(width: size.width, format: format) * size.height
        return Raster(
            size: size, format: format, samples: (0..<count).map { UInt8(truncatingIfNeeded: 60 + $0 % 151) })
    }

    @Test func tilesCoverTheTouchedPixelsOnly() {
        let area = Self.line(channels: 1)
        let tiles = area.tiles
        #expect(tiles.count == 4)
        #expect(tiles.reduce(0) { $0 + $1.rect.size.area } < Self.rect.size.area / 2)
        let touched = OverlayPixels(tiles).areas.map { tile in (0..<tile.rect.size.area).count(where: tile.touches) }
        #expect(touched.reduce(0, +) == (0..<Self.rect.size.area).count(where: area.touches))
        for tile in tiles { #expect(Self.rect.contains(tile.rect)) }
    }

    @Test func areasWithoutTouchedPixelsHaveNoTile() {
        let rect = PixelRect(x: 5, y: 9, width: 300, height: 300)
        let count = rect.size.area
        let nothing = OverlayPixels.Area(
            rect, black: [UInt8](repeating: 0, count: count), white: [UInt8](repeating: 255, count: count))
        #expect(nothing.tiles.isEmpty)
    }

    @Test(arguments: [PixelFormat.gray(bits: 8), .rgb(bits: 8)])
    func tilesGiveTheSameCoefficients(_ format: PixelFormat) throws {
        let file = try PictureEncoder.encode(Self.page(format), as: .jpeg, .quality(80))
        let area = Self.line(channels: 3)
        let whole = try JPEGSurgery.encode([area], on: file)
        #expect(whole.share > 0)
        for other in [[Self.line(channels: 1)], area.tiles, Self.line(channels: 1).tiles] {
            let laid = try JPEGSurgery.encode(other, on: file)
            #expect(laid.file == whole.file && laid.share == whole.share)
        }
    }

    @Test(arguments: [PixelFormat.gray(bits: 1), .gray(bits: 8), .rgb(bits: 8)])
    func levelsGiveTheSameSamples(_ format: PixelFormat) throws {
        let page = Self.page(format)
        let colored = try #require(page.compositing(OverlayPixels([Self.line(channels: 3)])))
        let neutral = try #require(page.compositing(OverlayPixels([Self.line(channels: 1)])))
        #expect(colored.raster == neutral.raster && colored.share == neutral.share)
        #expect(colored.raster != page)
    }
}
