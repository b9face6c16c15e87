internal import CLCMS
package import PageModel

extension OverlayPixels {
    /// Returns an overlay that looks the same on an image with a color profile as this one does with colors mixed in sRGB. The
    /// result is nil if the profile cannot be used, or the image's samples are not RGB of 8 bits.
    ///
    /// The overlay's touched pixels become opaque, in the final colors of the image. Profiles are not linear, so a factor and an
    /// addend cannot express the mixture.
    ///
    /// - Throws: `PictureFault` if memory is short.
    package func mixed(on picture: Raster) throws(PictureFault) -> OverlayPixels? {
        guard picture.format == .rgb(bits: 8), let profile = picture.iccProfile,
            let shown = try ColorTransform(profile, from: clcms_rgb, to: clcms_rgb, isGray: false, isExact: false),
            let stored = try ColorTransform(
                profile, from: clcms_rgb, to: clcms_rgb, isGray: false, isExact: false, isInverse: true)
        else { return nil }
        var mixed = self
        for (index, area) in areas.enumerated() {
            let count = area.rect.width * area.rect.height
            let part = picture.framed(Framing(picture.size).keeping(area.rect))
            let below = shown.apply(part.samples, pixels: count, count: 3 * count)
            let colors = stored.apply(area.mixed(with: below), pixels: count, count: 3 * count)
            var (black, white) = ([UInt8](repeating: 0, count: 3 * count), [UInt8](repeating: 255, count: 3 * count))
            for pixel in 0..<count where area.touches(pixel) {
                for channel in 3 * pixel..<3 * pixel + 3 {
                    black[channel] = colors[channel]
                    white[channel] = colors[channel]
                }
            }
            mixed.areas[index] = Area(area.rect, black: black, white: white)
        }
        return mixed
    }
}

extension OverlayPixels.Area {
    /// Whether the overlay changes a pixel, by its index in the area.
    func touches(_ pixel: Int) -> Bool {
        if channels == 1 { return black[pixel] != 0 || white[pixel] != 255 }
        return (3 * pixel..<3 * pixel + 3).contains { black[$0] != 0 || white[$0] != 255 }
    }

    /// Whether the overlay changes any of some pixels. No branch depends on a pixel.
    func touchesAny(of pixels: Range<Int>) -> Bool {
        black.withUnsafeBufferPointer { black in
            white.withUnsafeBufferPointer { white in
                var change: UInt8 = 0
                for place in channels * pixels.lowerBound..<channels * pixels.upperBound {
                    change |= black[place] | ~white[place]
                }
                return change != 0
            }
        }
    }

    /// Returns the resulting red, green and blue for those below the area.
    func mixed(with below: [UInt8]) -> [UInt8] {
        let bytesPerLevel = 3 / channels
        return below.indices.map { index in
            let (low, high) = (Int(black[index / bytesPerLevel]), Int(white[index / bytesPerLevel]))
            let product = (high - low) * Int(below[index])
            return UInt8(clamping: low + (product + (product < 0 ? -127 : 127)) / 255)
        }
    }
}
