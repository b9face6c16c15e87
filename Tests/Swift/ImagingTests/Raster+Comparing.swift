import PageModel

extension Raster {
    /// The largest difference of a sample of 8 bits, in the part of the pictures that a test holds to.
    func difference(from other: Raster, in rect: PixelRect) -> Int {
        precondition(format == other.format && format.bitsPerSample == 8)
        let pixel = format.bitsPerPixel / 8
        var maximum = 0
        for y in rect.y..<max(rect.y, rect.y + rect.height) {
            for index in rect.x * pixel..<max(rect.x, rect.x + rect.width) * pixel {
                let (one, two) = (samples[y * bytesPerRow + index], other.samples[y * other.bytesPerRow + index])
                maximum = max(maximum, Int(max(one, two) - min(one, two)))
            }
        }
        return maximum
    }

    func difference(from other: Raster) -> Int { difference(from: other, in: PixelRect(x: 0, y: 0, size)) }
}
