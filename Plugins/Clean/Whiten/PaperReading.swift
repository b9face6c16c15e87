internal import Imaging
internal import PageModel

/// The paper of a page, as far as the page shows any, and the shares of its contents.
struct PaperReading {
    /// The surface of the paper; nil for a page without paper.
    let surface: PaperSurface?
    /// The share of the page that is paper, 0 to 1. It and the next ones are shares of the part that shows the sheet.
    let share: Double
    /// The share of pixels that have a color of their own, not that of the paper.
    var coloredShare = 0.0
    /// The share of pixels in the middle tones of images.
    var middleShare = 0.0
    /// The share of pixels as dark as print.
    var printShare = 0.0

    /// The color of the paper; nil for a page without any.
    var color: RGB? { surface.map { RGB(light: $0.light) } }

    /// - Parameters:
    ///   - raster: gray or RGB of 8 bits.
    ///   - gray: the same in gray, if it is known.
    ///   - area: the part of the page that shows the sheet.
    init(_ raster: Raster, gray: Raster? = nil, in area: AreaShare = .page) {
        let tiles = PaperTiles(raster, luma: (gray ?? raster.gray()).samples, in: area)
        self.init(raster, tiles, tiles.sheet())
    }

    /// - Parameters:
    ///   - tiles: the tiles of the raster.
    ///   - sheet: which of them are paper; nil for none.
    init(_ raster: Raster, _ tiles: PaperTiles, _ sheet: [Bool]?) {
        guard let sheet else {
            (surface, share) = (nil, 0)
            return
        }
        var surface = PaperSurface(tiles, isPaper: sheet)
        surface.fold = FoldShadow(tiles.luma, raster.size, under: surface)
        self.surface = surface
        share = Double(sheet.count { $0 }) / Double(max(1, tiles.count))
        measure(raster, surface, tiles.side)
    }

    /// Measures the contents of the page relative to its paper.
    private mutating func measure(_ raster: Raster, _ surface: PaperSurface, _ side: Int) {
        let channels = surface.light.count
        let grids = (0..<channels).map { surface.grid($0) }
        let (size, samples, curve) = (raster.size, raster.samples, SRGBCurve.light8)
        var (colored, middle, dark, seen) = (0, 0, 0, 0)
        let (columns, rows) = (surface.area.columns(of: size), surface.area.rows(of: size))
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: 3) {
            let row = min(y / side, surface.down - 1) * surface.across
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 3) {
                let tile = row + min(x / side, surface.across - 1)
                var (low, high) = (255, 0)
                for channel in 0..<channels {
                    let sample = samples[channels * (y * size.width + x) + channel]
                    let level = SRGBCurve.level(curve[Int(sample)] / grids[channel][tile])
                    (low, high) = (min(low, level), max(high, level))
                }
                seen += 1
                if high - low >= PaperLimits.coloredDifference { colored += 1 }
                if PaperLimits.middleTones.contains(high) { middle += 1 }
                if high < PaperLimits.printLevel { dark += 1 }
            }
        }
        let total = Double(max(1, seen))
        (coloredShare, middleShare, printShare) = (
            Double(colored) / total, Double(middle) / total, Double(dark) / total
        )
    }

    /// Whether the paper is white already.
    var isWhite: Bool {
        color.map { min($0.red, $0.green, $0.blue) >= PaperLimits.white } ?? false
    }

    /// Whether a program made a page of more than print. Such a page has neither dust nor shadows.
    var isDigitalArt: Bool { isWhite && middleShare > BorderLimits.middleOnWhite }

    /// The surface by which the page is divided; an even one for white paper, which has no shadows.
    var correction: PaperSurface? { isWhite ? surface?.even : surface }
}

extension SRGBCurve {
    /// Returns the level of 256 for light from 0 to 1; more is white.
    static func level(_ light: Float) -> Int {
        // In range: at most 65535, and 0 for NaN.
        let place = Int(Double(min(max(0, light), 1)) * 65535 + 0.5)
        return Int(sample8[place])
    }
}

extension RGB {
    /// - Parameter light: the light of the only channel, or of red, green and blue.
    init(light: [Float]) {
        let levels = light.map { UInt8(truncatingIfNeeded: SRGBCurve.level($0)) }
        self.init(red: levels[0], green: levels[levels.count / 2], blue: levels[levels.count - 1])
    }

    /// The color as people write it: #rrggbb.
    var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The light of red, green and blue, 0 to 1.
    var light: [Float] { [red, green, blue].map { SRGBCurve.light8[Int($0)] } }
}
