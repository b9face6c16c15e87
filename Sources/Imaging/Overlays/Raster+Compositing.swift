package import PageModel

extension Raster {
    /// Returns the raster with an overlay composited on it. Pixels that the overlay does not touch keep their values.
    ///
    /// Black and white stay one bit a pixel if nearly all of the overlay is black or white, too. Otherwise they become 4 or 16
    /// levels of gray, or a palette of 16 colors if they suffice. A palette gets the overlay's colors. Faint or many colors make
    /// the raster gray or RGB of 8 bits. The result is nil for transparent samples or more than 8 bits.
    ///
    /// - Returns: the raster, and the fraction of touched pixels, 0 to 1.
    package func compositing(_ overlay: OverlayPixels) -> (raster: Raster, share: Double)? {
        guard format.bitsPerSample <= 8, !format.hasAlpha else { return nil }
        var composite = OverlaidSamples(self, format.hasColor ? overlay : overlay.withoutTint)
        composite.composite()
        let share = Double(composite.touched) / Double(max(1, size.area))
        return (composite.raster, share)
    }
}

/// The thresholds for drawing overlays on samples.
enum OverlaidLimits {
    /// The level of 255 below which ink counts as black. The black of CMYK printing is shown as 35, 31 and 32.
    static let darkestInk: UInt8 = 48
    /// The level of 255 from which paint counts as white. A gray of 10 % is 230: it stays visible.
    static let lightestPaint: UInt8 = 231
    /// The distance in pixels around opaque black or white within which other pixels count as its smoothed edge.
    static let edge = 2
    /// The pixels per inch below which black letters become hard to read, unless their edges are smoothed.
    static let minimumBilevelResolution = 270.0
    /// The maximum fraction of touched pixels of an image below that resolution that stays black and white: a few lines.
    static let maximumCoarseShare = 0.004
    /// The maximum fraction of touched pixels that may be off elsewhere if the image is to stay black and white.
    static let maximumDeviationShare = 0.01
}

/// Samples during the conversion to their values under an overlay.
struct OverlaidSamples {
    let source: Raster
    let overlay: OverlayPixels
    /// The red, green and blue of each area, with the overlay drawn on them.
    private(set) var pixels: [[UInt8]] = []
    private(set) var touched = 0
    private var hasColor = false
    /// The number of touched pixels that are neither black nor white, nor at the edge of black or white.
    private var off = 0

    init(_ source: Raster, _ overlay: OverlayPixels) {
        (self.source, self.overlay) = (source, overlay)
    }

    mutating func composite() {
        for area in overlay.areas { pixels.append(composited(area)) }
    }

    private mutating func composited(_ area: OverlayPixels.Area) -> [UInt8] {
        let rect = area.rect
        let result = area.mixed(with: source.colors(in: rect))
        let isTouched = (0..<rect.width * rect.height).map(area.touches)
        for pixel in isTouched.indices where isTouched[pixel] {
            let colors = result[3 * pixel..<3 * pixel + 3]
            if (colors.max() ?? 0) - (colors.min() ?? 0) > 2 { hasColor = true }
        }
        let isSolid = OverlaidSamples.near(area.isSolid, rect.size, within: OverlaidLimits.edge)
        let middle = OverlaidLimits.darkestInk..<OverlaidLimits.lightestPaint
        for pixel in isTouched.indices where isTouched[pixel] {
            touched += 1
            if !isSolid[pixel], (3 * pixel..<3 * pixel + 3).contains(where: { middle.contains(result[$0]) }) {
                off += 1
            }
        }
        return result
    }

    /// Returns the pixels of a mask, and those up to that many pixels away across and down.
    static func near(_ mask: [Bool], _ size: PixelSize, within distance: Int) -> [Bool] {
        var across = mask
        for y in 0..<size.height {
            for x in 0..<size.width where !mask[y * size.width + x] {
                let columns = max(0, x - distance)...min(size.width - 1, x + distance)
                across[y * size.width + x] = columns.contains { mask[y * size.width + $0] }
            }
        }
        var result = across
        for y in 0..<size.height {
            let rows = max(0, y - distance)...min(size.height - 1, y + distance)
            for x in 0..<size.width where !across[y * size.width + x] {
                result[y * size.width + x] = rows.contains { across[$0 * size.width + x] }
            }
        }
        return result
    }

    /// Whether black and white can express the overlay.
    private var staysBilevel: Bool {
        source.format == .gray(bits: 1) && !hasColor
            && Double(off) <= OverlaidLimits.maximumDeviationShare * Double(touched) && !isCoarse
    }

    /// Whether much content lies over an image of few pixels per inch.
    private var isCoarse: Bool {
        guard let resolution = source.resolution,
            min(resolution.horizontal, resolution.vertical) < OverlaidLimits.minimumBilevelResolution
        else { return false }
        return Double(touched) > OverlaidLimits.maximumCoarseShare * Double(source.size.area)
    }

    var raster: Raster {
        if staysBilevel, let bilevel { return bilevel }
        if source.format == .gray(bits: 1), !hasColor {
            // Letters of few pixels need all levels at their edges.
            if let gray = (isCoarse ? nil : inFourLevels) ?? inSixteenLevels { return gray }
        }
        if hasColor || source.format.isPalette, source.hasFewColors, let palette = inPalette { return palette }
        var base = source.widened()
        if hasColor, base.format == .gray(bits: 8) {
            base = base.mapped((0...255).map { [$0, $0, $0] }, to: .rgb(bits: 8))
        }
        let channels = base.format.colorants
        var samples = base.samples
        for (area, colors) in zip(overlay.areas, pixels) {
            forEachTouched(area) { pixel, place in
                for channel in 0..<channels { samples[channels * place + channel] = colors[3 * pixel + channel] }
            }
        }
        return Raster(
            size: base.size, format: base.format, samples: samples, resolution: base.resolution,
            iccProfile: base.iccProfile)
    }

    /// The samples in black and white. The result is nil if content in gray would be hidden.
    private var bilevel: Raster? {
        var samples = source.samples
        let (width, row) = (source.size.width, source.bytesPerRow)
        let middle = OverlaidLimits.darkestInk..<OverlaidLimits.lightestPaint
        for (area, colors) in zip(overlay.areas, pixels) {
            var isShown = area.isSolid
            var isGray = [Bool](repeating: false, count: isShown.count)
            forEachTouched(area) { pixel, place in
                let (y, x) = place.quotientAndRemainder(dividingBy: width)
                let bit: UInt8 = 0x80 >> UInt8(x % 8)
                let before = samples[y * row + x / 8]
                let after = colors[3 * pixel] < 128 ? before & ~bit : before | bit
                samples[y * row + x / 8] = after
                isGray[pixel] = after == before && middle.contains(colors[3 * pixel])
                if after != before { isShown[pixel] = true }
            }
            // Gray next to pixels that changed, or that are black or white, is a smoothed edge.
            let isNear = OverlaidSamples.near(isShown, area.rect.size, within: OverlaidLimits.edge)
            if zip(isGray, isNear).contains(where: { $0 && !$1 }) { return nil }
        }
        return Raster(
            size: source.size, format: source.format, samples: samples, resolution: source.resolution,
            iccProfile: source.iccProfile)
    }

    /// Calls `body` with the indexes of each touched pixel, in its area and in the image.
    func forEachTouched(_ area: OverlayPixels.Area, _ body: (_ pixel: Int, _ place: Int) -> Void) {
        let rect = area.rect
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let pixel = y * rect.width + x
                if area.touches(pixel) { body(pixel, (rect.y + y) * source.size.width + rect.x + x) }
            }
        }
    }
}

extension Raster {
    /// Whether its colors leave room in a palette.
    fileprivate var hasFewColors: Bool { format.isPalette || format.bitsPerPixel < 8 }

    /// Returns the red, green and blue of the pixels in a part.
    fileprivate func colors(in rect: PixelRect) -> [UInt8] {
        let part = framed(Framing(size).keeping(rect)).widened()
        switch part.format {
        case .gray: return part.samples.flatMap { [$0, $0, $0] }
        default: return part.samples
        }
    }
}

extension OverlayPixels.Area {
    /// For each pixel, whether it is opaque, and black or white.
    fileprivate var isSolid: [Bool] {
        let (low, high) = (OverlaidLimits.darkestInk, OverlaidLimits.lightestPaint)
        return (0..<rect.width * rect.height).map { pixel in
            let channels = channels * pixel..<channels * (pixel + 1)
            return channels.allSatisfy { white[$0] < low } || channels.allSatisfy { black[$0] >= high }
        }
    }
}
