public import PageModel

extension Raster {
    /// Some of the rows.
    public func rows(_ range: Range<Int>) -> Raster {
        if range == 0..<size.height { return self }
        let part = samples[range.lowerBound * bytesPerRow..<range.upperBound * bytesPerRow]
        return Raster(
            size: PixelSize(width: size.width, height: range.count), format: format, samples: Array(part),
            resolution: resolution, iccProfile: iccProfile)
    }

    /// Some of the columns.
    public func columns(_ range: Range<Int>) -> Raster {
        cropped(to: PixelRect(x: range.lowerBound, y: 0, width: range.count, height: size.height))
    }

    /// Gray of 8 bits that has no other levels than fewer bits have, in those bits; any other raster as it is.
    public func packed(to format: PixelFormat) -> Raster {
        guard case .gray(let bits) = format, bits < 8, self.format == .gray(bits: 8) else { return self }
        let row = Raster.bytesPerRow(width: size.width, format: format)
        let perByte = 8 / bits
        var packed = [UInt8](repeating: 0, count: row * size.height)
        packed.withUnsafeMutableBufferPointer { packed in
            samples.withUnsafeBufferPointer { samples in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let value = samples[y * size.width + x] >> UInt8(8 - bits)
                        packed[y * row + x / perByte] |= value << UInt8(8 - bits - x % perByte * bits)
                    }
                }
            }
        }
        return Raster(size: size, format: format, samples: packed, resolution: resolution, iccProfile: iccProfile)
    }

    /// Samples of 16 bits as the nearest of 8; any other raster as it is.
    public func narrowed() -> Raster {
        guard format.bitsPerSample == 16 else { return self }
        let bytes = [UInt8](unsafeUninitializedCapacity: samples.count / 2) { output, count in
            samples.withUnsafeBufferPointer { input in
                for index in 0..<input.count / 2 {
                    let value = UInt32(input[2 * index]) << 8 | UInt32(input[2 * index + 1])
                    output[index] = UInt8((value * 255 + 32_767) / 65_535)
                }
            }
            count = samples.count / 2
        }
        return Raster(
            size: size, format: format.with(bits: 8), samples: bytes, resolution: resolution, iccProfile: iccProfile)
    }
}

extension [UInt8] {
    /// Lays a raster onto rows of another, which have its format and are `width` pixels wide.
    public mutating func lay(_ raster: Raster, x: Int, y: Int, width: Int) {
        let row = Raster.bytesPerRow(width: width, format: raster.format)
        let first = x * raster.format.bitsPerPixel / 8
        let count = raster.bytesPerRow
        precondition(raster.format.bitsPerPixel.isMultiple(of: 8))
        precondition(first + count <= row && (y + raster.size.height) * row <= self.count)
        withUnsafeMutableBufferPointer { target in
            raster.samples.withUnsafeBufferPointer { source in
                guard let target = target.baseAddress, let source = source.baseAddress else { return }
                for line in 0..<raster.size.height {
                    (target + (y + line) * row + first).update(from: source + line * count, count: count)
                }
            }
        }
    }
}
