package import PageModel

extension Raster {
    /// The sharpening of pages for a color filter, in percent. It restores the edges that the filter's treatment softens.
    private static let sharpening = 40
    /// The rows that are treated at once.
    private static let strip = 128
    /// The size of a triangle that erases dots, in their pitch. The distance of their rows depends on their angle.
    private static let tonePeriod = 1.2

    /// Returns the raster, of the size of a screen with a color filter, without most of the patterns that show false color.
    ///
    /// - Screentone becomes its mean over a period.
    /// - Edges are sharpened within `maximumOvershoot`; then the brightness loses false color, as `FalseColor` says.
    /// - Colors are averaged over the filter's cells and become stronger; see `ScreenColors`.
    ///
    /// The result is opaque, with 8 bits per sample.
    package func forColorFilter() -> Raster {
        let opaque = (format.hasAlpha ? flattened(on: .white) : self).widened().narrowed()
        return opaque.withoutScreentone().sharpened(percent: Raster.sharpening).withoutFalseColor()
    }

    /// Returns the raster with the mean gray of screentone in place of its dots.
    private func withoutScreentone() -> Raster {
        guard TextureMap.takes(size) else { return self }
        let gray = gray()
        let result = gray.samples.withUnsafeBufferPointer { pixels -> [UInt8]? in
            guard let start = pixels.baseAddress else { return nil }
            let rows = GrayRows(pixels: start, width: size.width, rows: 0..<size.height)
            let map = TextureMap(size)
            while map.bands.count < map.down { map.addBand(rows) }
            return map.pitch.map {
                textured(
                    map, rows, format.colorants, to: size, tone: .triangle(max(1, Raster.tonePeriod * $0)))
            }
        }
        return result.map { with(format, $0) } ?? self
    }

    private func withoutFalseColor() -> Raster {
        let (width, height, channels) = (size.width, size.height, format.colorants)
        let room = Raster.strip + 2 * FalseColor.margin
        let filter = FalseColor(width: width, rows: room)
        let colors = channels == 3 ? ScreenColors(width: width) : nil
        let total = samples.count
        let result = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { input in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: width * room) { strip in
                    guard let strip = strip.baseAddress, let input = input.baseAddress,
                        let output = output.baseAddress
                    else { return }
                    for top in stride(from: 0, to: height, by: Raster.strip) {
                        let kept = top..<min(height, top + Raster.strip)
                        let rows =
                            max(0, top - FalseColor.margin)..<min(height, kept.upperBound + FalseColor.margin)
                        for index in 0..<rows.count * width {
                            let pixel = input + (rows.lowerBound * width + index) * channels
                            strip[index] = Float(colors == nil ? pixel[0] : ScreenColors.brightness(pixel)) / 255
                        }
                        filter.reduce(strip, rows: rows.count)
                        for row in kept {
                            let line = strip + (row - rows.lowerBound) * width
                            let place = row * width * channels
                            if let colors {
                                colors.write(line, input, row: row, rows: height, into: output + place)
                            } else {
                                // In range: the sample is 0 to 1.
                                for x in 0..<width { output[place + x] = UInt8(line[x] * 255 + 0.5) }
                            }
                        }
                    }
                }
            }
            count = total
        }
        return with(format, result)
    }
}
