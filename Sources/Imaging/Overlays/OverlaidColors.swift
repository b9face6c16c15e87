internal import PageModel

/// The limits for gray levels in few bits.
private enum GrayLevelsLimits {
    /// The distance of neighboring levels of gray, of 255, in 4 bits. Measured on 13 fax-scanned journal pages: half the bytes of
    /// 8 bits, and letters at 150 pixels per inch look alike.
    static let step = 17
    /// The difference of a level, of 255, that few pixels at the edges of letters may have in 2 bits.
    static let rough = 2 * step
}

// A scan of few colors stays small when something in gray or in color lies over it. Letters with smooth edges need few
// levels.
extension OverlaidSamples {
    /// The samples in 16 levels of gray. The result is nil if content so faint lies over the scan that they would hide it.
    var inSixteenLevels: Raster? {
        let step = GrayLevelsLimits.step
        var samples = source.widened().samples
        var hidden = HiddenPixels()
        for (area, colors) in zip(overlay.areas, pixels) {
            replaced(area, in: &samples, &hidden) { pixel, _, before in
                let after = colors[3 * pixel]
                return (UInt8((Int(after) + step / 2) / step * step), abs(Int(after) - Int(before)))
            }
        }
        guard isNegligible(hidden.count) else { return nil }
        return Raster(
            size: source.size, format: .gray(bits: 8), samples: samples, resolution: source.resolution,
            iccProfile: source.iccProfile
        ).packed(to: .gray(bits: 4))
    }

    /// The samples in black, white and two levels of gray. The result is nil if the overlay needs more levels.
    ///
    /// Each of 16 levels is shown by its most frequent gray. A level of few pixels may become another level near it, but no
    /// visible gray becomes black or white.
    var inFourLevels: Raster? {
        let (black, white): (UInt32, UInt32) = (0, 0xFF_FFFF)
        func level(_ gray: UInt32) -> Int { (Int(gray & 0xFF) + GrayLevelsLimits.step / 2) / GrayLevelsLimits.step }
        let grays = colorCounts
        var chosen: [Int: UInt32] = [level(white): white]
        for (gray, _) in grays.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            chosen[level(gray)] = chosen[level(gray)] ?? gray
        }
        func rounded(_ gray: UInt32) -> UInt32 {
            OverlaidSamples.isShadeOfBlack(gray) ? black : chosen[level(gray)] ?? gray
        }
        var counts: [UInt32: Int] = [:]
        for (gray, count) in grays { counts[rounded(gray), default: 0] += count }
        let palette = FewColors(counts, own: [black, white], maximum: 4) { gray, other in
            let isVisible = other == black || other == white && gray & 0xFF < OverlaidLimits.lightestPaint
            return isVisible ? 0 : GrayLevelsLimits.rough
        }
        guard let palette else { return nil }
        let table = source.colorTable
        return indexed(by: palette, table, tableIndexes(table), hidingNothing: true, rounded)
    }

    /// The samples with a palette: the scan's own colors, and the most frequent ones of the overlay. The result is nil if
    /// they are too many.
    var inPalette: Raster? {
        let table = source.colorTable
        let bases = tableIndexes(table)
        var isUsed = [Bool](repeating: false, count: table.count)
        for base in bases { isUsed[Int(base)] = true }
        let own = zip(table, isUsed).filter(\.1).map(\.0).unique
        let counts = colorCounts
        let few = FewColorsLimits.maximumOfFourBits, many = FewColorsLimits.maximum
        for (maximum, tolerance) in [
            (few, FewColorsLimits.invisibleInEdges), (few, FewColorsLimits.roughInEdges),
            (many, FewColorsLimits.invisible), (many, FewColorsLimits.invisibleInEdges),
        ] {
            if let palette = FewColors(counts, own: own, maximum: maximum, tolerance: tolerance),
                let raster = indexed(by: palette, table, bases)
            {
                return raster
            }
        }
        return nil
    }

    /// The number of touched pixels of each color.
    private var colorCounts: [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        for (area, colors) in zip(overlay.areas, pixels) {
            forEachTouched(area) { pixel, _ in counts[OverlaidSamples.color(colors, pixel), default: 0] += 1 }
        }
        return counts
    }

    /// Returns the scan's own samples as indexes of its color table.
    private func tableIndexes(_ table: [UInt32]) -> [UInt8] {
        source.mapped(table.indices.map { [UInt8($0)] }, to: .gray(bits: 8)).samples
    }

    /// Returns the samples as indexes of a palette. The result is nil if it would hide faint content.
    ///
    /// - Parameters:
    ///   - table: the colors of the scan's own samples.
    ///   - bases: these samples.
    ///   - hidesNothing: whether few pixels may be hidden only if they look like the scan's own.
    ///   - rounded: returns the color in the palette for a color of the overlay.
    private func indexed(
        by palette: FewColors, _ table: [UInt32], _ bases: [UInt8], hidingNothing hidesNothing: Bool = false,
        _ rounded: (UInt32) -> UInt32 = { $0 }
    ) -> Raster? {
        let own = table.map { palette.indexes[$0] ?? 0 }
        var samples = bases.map { own[Int($0)] }
        var hidden = HiddenPixels()
        for (area, colors) in zip(overlay.areas, pixels) {
            replaced(area, in: &samples, &hidden) { pixel, place, _ in
                let (before, after) = (table[Int(bases[place])], OverlaidSamples.color(colors, pixel))
                let isStillBlack = before == 0 && OverlaidSamples.isShadeOfBlack(after)
                return (palette.indexes[rounded(after)] ?? 0, isStillBlack ? 0 : FewColors.difference(before, after))
            }
        }
        guard isNegligible(hidden.count), !hidesNothing || hidden.largestChange <= FewColorsLimits.invisibleInEdges
        else { return nil }
        return source.with(palette.format, samples).withSmallIndexes()
    }

    /// Replaces touched samples.
    ///
    /// - Parameters:
    ///   - hidden: gets the pixels whose color changed, but neither their sample nor any nearby.
    ///   - value: returns the new sample for a pixel of the area, and the change of its color, of 255. It gets the index of the
    ///     pixel in the image, and its sample, as well.
    private func replaced(
        _ area: OverlayPixels.Area, in samples: inout [UInt8], _ hidden: inout HiddenPixels,
        by value: (_ pixel: Int, _ place: Int, _ before: UInt8) -> (sample: UInt8, change: Int)
    ) {
        var isShown = [Bool](repeating: false, count: area.rect.size.area)
        var changes = [Int](repeating: 0, count: isShown.count)
        forEachTouched(area) { pixel, place in
            let (sample, change) = value(pixel, place, samples[place])
            isShown[pixel] = sample != samples[place]
            if !isShown[pixel] { changes[pixel] = change }
            samples[place] = sample
        }
        let isNear = OverlaidSamples.near(isShown, area.rect.size, within: OverlaidLimits.edge)
        for (change, isNear) in zip(changes, isNear) where change > 0 && !isNear {
            hidden.count += 1
            hidden.largestChange = max(hidden.largestChange, change)
        }
    }

    private func isNegligible(_ hidden: Int) -> Bool {
        Double(hidden) <= OverlaidLimits.maximumDeviationShare * Double(touched)
    }

    private static func isShadeOfBlack(_ color: UInt32) -> Bool {
        FewColors.difference(color, 0) < OverlaidLimits.darkestInk
    }

    private static func color(_ colors: [UInt8], _ pixel: Int) -> UInt32 {
        UInt32(colors[3 * pixel]) << 16 | UInt32(colors[3 * pixel + 1]) << 8 | UInt32(colors[3 * pixel + 2])
    }
}

/// The pixels of an overlay that few colors do not show.
private struct HiddenPixels {
    var count = 0
    /// The largest change of a channel of a pixel, of 255.
    var largestChange = 0
}

extension Raster {
    /// The colors of all samples that the format can have, with red, green and blue in the low 24 bits. It must have at most 8
    /// bits a pixel.
    fileprivate var colorTable: [UInt32] {
        let bits = format.bitsPerPixel
        switch format {
        case .palette(_, let colors):
            return Raster.entries(of: colors, bits: bits).map { $0.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } }
        default:
            let maximum: Int = 1 << bits - 1
            return (0...maximum).map { UInt32($0 * 255 / maximum * 0x01_0101) }
        }
    }
}
