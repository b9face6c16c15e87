internal import Imaging
internal import PageModel

internal import func Glibc.cos
internal import func Glibc.sin

extension Raster {
    /// Returns the raster rotated clockwise about its middle by a few degrees, at the same size.
    ///
    /// Pixels are interpolated as in `Raster.resampled`. Pixels from outside get the color of the paper at the nearest edge. Samples of
    /// less than 8 bits become 8 bits, and palettes RGB.
    ///
    /// - Parameter degrees: from −45 to 45; negative to rotate counterclockwise.
    func deskewed(by degrees: Double) -> Raster {
        precondition(abs(degrees) <= 45)
        if degrees == 0 || size.area == 0 { return self }
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let (width, height) = (size.width, size.height)
        let middle = (x: Double(width - 1) / 2, y: Double(height - 1) / 2)
        return resampled(rows: Int(clamping: (Double(width) * abs(sine)).rounded(.up), to: 0...height)) { y, places in
            let down = Double(y) - middle.y
            // The source of the row's first pixel; each further one is `cosine` to the right and `sine` above.
            let u = middle.x - middle.x * cosine + down * sine
            let v = middle.y + middle.x * sine + down * cosine
            for x in 0..<width {
                places.across[x] = u + Double(x) * cosine
                places.down[x] = v - Double(x) * sine
            }
        }
    }
}
