public import PageModel

extension Raster {
    /// Returns the raster with an overlay laid on it. Pixels that the overlay does not touch keep their values.
    ///
    /// Black and white stay one bit a pixel where nearly all of what is laid over them is black or white, too. Otherwise
    /// the raster becomes gray or RGB of 8 bits, as the overlay needs.
    ///
    /// - Returns: the raster, and the part of its pixels that were touched, from 0 to 1; nil for samples of more than 8 bits
    ///   and for transparent ones.
    public func laying(_ overlay: PictureOverlay) -> (raster: Raster, share: Double)? {
        guard format.bitsPerSample <= 8, !format.hasAlpha else { return nil }
        var composite = OverlaidSamples(self, overlay)
        composite.lay()
        let share = Double(composite.touched) / Double(max(1, size.area))
        return (composite.raster, share)
    }
}

/// The thresholds of laying overlays on samples.
enum OverlaidLimits {
    /// Levels of 255 that a pixel may be off when it is made black or white. Measured on text, stamps, watermarks and boxes
    /// over fax scans of 200 to 600 pixels per inch.
    static let mostOff = 24
    /// The most touched pixels that may be further off for the picture to stay black and white, as a share of all touched
    /// pixels whose neighbours are touched as well. Text has none of them, a logo 14 %, stamps and watermarks over 79 %.
    static let mostShareOff = 0.01
}

/// Samples on their way to what they are with an overlay.
private struct OverlaidSamples {
    let source: Raster
    let overlay: PictureOverlay
    /// Red, green and blue of each area, with the overlay laid on them.
    private var pixels: [[UInt8]] = []
    private(set) var touched = 0
    private var hasColor = false
    /// Touched pixels within the overlay's shapes, and those of them that are neither black nor white.
    private var (inner, innerOff) = (0, 0)

    init(_ source: Raster, _ overlay: PictureOverlay) {
        (self.source, self.overlay) = (source, overlay)
    }

    mutating func lay() {
        for area in overlay.areas { pixels.append(laid(area)) }
    }

    private mutating func laid(_ area: PictureOverlay.Area) -> [UInt8] {
        let rect = area.rect
        var result = source.colors(in: rect)
        var isTouched = [Bool](repeating: false, count: rect.width * rect.height)
        for pixel in isTouched.indices {
            let start = 3 * pixel
            let channels = start..<start + 3
            guard channels.contains(where: { area.black[$0] != 0 || area.white[$0] != 255 }) else { continue }
            isTouched[pixel] = true
            for channel in channels {
                let (black, white) = (Int(area.black[channel]), Int(area.white[channel]))
                let product = (white - black) * Int(result[channel])
                result[channel] = UInt8(clamping: black + (product + (product < 0 ? -127 : 127)) / 255)
            }
            let (red, green, blue) = (result[start], result[start + 1], result[start + 2])
            if max(red, green, blue) - min(red, green, blue) > 2 { hasColor = true }
        }
        for y in 0..<rect.height {
            for x in 0..<rect.width where isTouched[y * rect.width + x] {
                touched += 1
                guard (1..<rect.width - 1).contains(x), (1..<rect.height - 1).contains(y),
                    [-1, 1, -rect.width, rect.width].allSatisfy({ isTouched[y * rect.width + x + $0] })
                else { continue }
                inner += 1
                let start = 3 * (y * rect.width + x)
                let isOff = (start..<start + 3).contains {
                    (OverlaidLimits.mostOff..<255 - OverlaidLimits.mostOff).contains(Int(result[$0]))
                }
                if isOff { innerOff += 1 }
            }
        }
        return result
    }

    /// Whether black and white can express what is laid over them.
    private var staysBilevel: Bool {
        source.format == .gray(bits: 1) && !hasColor
            && Double(innerOff) <= OverlaidLimits.mostShareOff * Double(max(1, inner))
    }

    var raster: Raster {
        if staysBilevel { return bilevel }
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

    private var bilevel: Raster {
        var samples = source.samples
        let (width, row) = (source.size.width, source.bytesPerRow)
        for (area, colors) in zip(overlay.areas, pixels) {
            forEachTouched(area) { pixel, place in
                let (y, x) = place.quotientAndRemainder(dividingBy: width)
                let bit: UInt8 = 0x80 >> UInt8(x % 8)
                if colors[3 * pixel] < 128 { samples[y * row + x / 8] &= ~bit } else { samples[y * row + x / 8] |= bit }
            }
        }
        return Raster(
            size: source.size, format: source.format, samples: samples, resolution: source.resolution,
            iccProfile: source.iccProfile)
    }

    /// Calls `body` with the places of each touched pixel, in its area and in the picture.
    private func forEachTouched(_ area: PictureOverlay.Area, _ body: (_ pixel: Int, _ place: Int) -> Void) {
        let rect = area.rect
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let pixel = y * rect.width + x
                let isTouched = (3 * pixel..<3 * pixel + 3).contains { area.black[$0] != 0 || area.white[$0] != 255 }
                if isTouched { body(pixel, (rect.y + y) * source.size.width + rect.x + x) }
            }
        }
    }
}

extension Raster {
    /// Red, green and blue of the pixels of a part.
    fileprivate func colors(in rect: PixelRect) -> [UInt8] {
        let part = framed(Framing(size).keeping(rect)).widened()
        switch part.format {
        case .gray: return part.samples.flatMap { [$0, $0, $0] }
        default: return part.samples
        }
    }
}
