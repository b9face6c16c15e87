internal import PageModel

/// The limits for storing few colors in few bits.
private enum FewColorsLimits {
    /// The distance of neighboring levels of gray, of 255, in 4 bits. Measured on 13 fax-scanned journal pages: half the bytes of
    /// 8 bits, and letters at 150 pixels per inch look alike.
    static let grayStep = 17
    /// The highest of the levels to which a channel is rounded. A color moves by 4 of 255 at most, which is not visible. Not
    /// measured: it is the finest for which the colors of smooth letters fit in a palette.
    static let levels: UInt32 = 31
    /// The maximum number of colors of a palette (ISO/IEC 15948, 11.2.3).
    static let maximumColors = 256
}

// A scan of few colors stays small when something in gray or in color lies over it. Letters with smooth edges need few
// levels.
extension OverlaidSamples {
    /// The samples in 16 levels of gray. The result is nil if content so faint lies over the scan that they would hide it.
    var inSixteenLevels: Raster? {
        let step = FewColorsLimits.grayStep
        var samples = source.widened().samples
        var hidden = 0
        for (area, colors) in zip(overlay.areas, pixels) {
            var isShown = [Bool](repeating: false, count: area.rect.size.area)
            var isHidden = isShown
            forEachTouched(area) { pixel, place in
                let (before, after) = (samples[place], colors[3 * pixel])
                let level = UInt8((Int(after) + step / 2) / step * step)
                isShown[pixel] = level != before
                isHidden[pixel] = level == before && after != before
                samples[place] = level
            }
            let isNear = OverlaidSamples.near(isShown, area.rect.size, within: OverlaidLimits.edge)
            hidden += zip(isHidden, isNear).count { $0 && !$1 }
        }
        guard Double(hidden) <= OverlaidLimits.maximumDeviationShare * Double(touched) else { return nil }
        return Raster(
            size: source.size, format: .gray(bits: 8), samples: samples, resolution: source.resolution,
            iccProfile: source.iccProfile
        ).packed(to: .gray(bits: 4))
    }

    /// The samples with a palette: the scan's own colors, and those of the overlay in 32 levels a channel. The result is nil if
    /// they are too many.
    var inPalette: Raster? {
        let own = source.colorTable
        var indexes: [UInt32: UInt8] = [:]
        var table: [UInt8] = []
        func index(of color: UInt32) -> UInt8? {
            if let index = indexes[color] { return index }
            guard indexes.count < FewColorsLimits.maximumColors else { return nil }
            let index = UInt8(indexes.count)
            indexes[color] = index
            table += [UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF)]
            return index
        }
        var bases: [[UInt8]] = []
        for color in own {
            guard let index = index(of: color) else { return nil }
            bases.append([index])
        }
        var samples = source.mapped(bases, to: .gray(bits: 8)).samples
        var isFull = false
        for (area, colors) in zip(overlay.areas, pixels) where !isFull {
            forEachTouched(area) { pixel, place in
                let channels = colors[3 * pixel..<3 * pixel + 3]
                let exact = channels.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
                let coarse = channels.reduce(0 as UInt32) { color, level in
                    let steps = (UInt32(level) * FewColorsLimits.levels + 127) / 255
                    return color << 8 | (steps * 255 + FewColorsLimits.levels / 2) / FewColorsLimits.levels
                }
                if let index = indexes[exact] ?? index(of: coarse) { samples[place] = index } else { isFull = true }
            }
        }
        guard !isFull else { return nil }
        return Raster(
            size: source.size, format: .palette(bits: 8, colors: table), samples: samples,
            resolution: source.resolution, iccProfile: source.iccProfile)
    }
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
