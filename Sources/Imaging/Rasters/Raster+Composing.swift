public import PageModel

extension Raster {
    /// One raster of several, each at its place.
    ///
    /// It has the least format that holds every sample and the background. Profiles are not looked at: the result has
    /// the first one's.
    ///
    /// - Precondition: `parts` is not empty, and every part lies within `size`.
    public static func composed(
        _ parts: [(raster: Raster, x: Int, y: Int)], size: PixelSize, background: RGB
    ) -> Raster {
        precondition(!parts.isEmpty)
        let covered = parts.reduce(0) { $0 + $1.raster.size.area }
        var format = parts.dropFirst().reduce(parts[0].raster.format) { $0.joined(with: $1.raster.format) }
        if covered < size.area {
            if format.isPalette || !background.isGray && !format.hasColor {
                format = format.joined(with: .rgb(bits: 8))
            }
            if format.bitsPerSample < 8, background != .white, background != .black {
                format = format.joined(with: .gray(bits: 8))
            }
        }
        if format.isPalette, parts.count > 1 { format = format.joined(with: .rgb(bits: 8)) }
        let stride = Raster.bytesPerRow(width: size.width, format: format)
        let pixel = background.pixel(in: format)
        var samples = [UInt8](repeating: 0, count: stride * size.height)
        samples.withUnsafeMutableBufferPointer { samples in
            if format.bitsPerPixel < 8 {
                samples.update(repeating: pixel[0])
            } else {
                for start in Swift.stride(from: 0, to: stride, by: pixel.count) {
                    for (offset, byte) in pixel.enumerated() { samples[start + offset] = byte }
                }
                for row in Swift.stride(from: stride, to: samples.count, by: stride) {
                    for offset in 0..<stride { samples[row + offset] = samples[offset] }
                }
            }
            for part in parts {
                part.raster.widened(to: format).copy(into: samples, stride: stride, x: part.x, y: part.y)
            }
        }
        return Raster(
            size: size, format: format, samples: samples, resolution: parts[0].raster.resolution,
            iccProfile: parts[0].raster.iccProfile)
    }

    /// - Parameter stride: the bytes of a row of `target`.
    private func copy(into target: UnsafeMutableBufferPointer<UInt8>, stride: Int, x: Int, y: Int) {
        let bits = format.bitsPerPixel
        samples.withUnsafeBufferPointer { source in
            for row in 0..<size.height {
                let (from, to) = (row * bytesPerRow, (y + row) * stride)
                if (x * bits).isMultiple(of: 8), (size.width * bits).isMultiple(of: 8) {
                    let start = to + x * bits / 8
                    for offset in 0..<bytesPerRow { target[start + offset] = source[from + offset] }
                    continue
                }
                for column in 0..<size.width {
                    let (here, there) = (column * bits, (x + column) * bits)
                    let mask = UInt8((1 << bits) - 1)
                    let value = source[from + here / 8] >> UInt8(8 - bits - here % 8) & mask
                    let shift = UInt8(8 - bits - there % 8)
                    target[to + there / 8] = target[to + there / 8] & ~(mask << shift) | value << shift
                }
            }
        }
    }
}

extension RGB {
    /// The bytes of an opaque pixel of this colour; of a format with less than 8 bits, a byte full of pixels.
    fileprivate func pixel(in format: PixelFormat) -> [UInt8] {
        // A gray format is chosen only for gray.
        let levels = format.hasColor ? [red, green, blue] : [red]
        if format.bitsPerPixel < 8 || format.isPalette { return [self == .black ? 0 : 255] }
        let samples = levels + (format.hasAlpha ? [255] : [])
        // 8 bits become 16 by doubling the byte: 255 is 65535.
        return format.bitsPerSample == 16 ? samples.flatMap { [$0, $0] } : samples
    }
}
