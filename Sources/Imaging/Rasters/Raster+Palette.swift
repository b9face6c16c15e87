internal import PageModel

extension Raster {
    /// The raster with black added to its palette for indexes that point beyond it; mostly itself.
    ///
    /// Files with such indexes exist, and what reads the samples later should not have to fear them.
    func withWholePalette() -> Raster {
        guard case .palette(let bits, let colors) = format, colors.count < 3 << bits else { return self }
        let most = highestIndex(bits)
        guard most >= colors.count / 3 else { return self }
        let missing = 3 * (most + 1) - colors.count
        return with(.palette(bits: bits, colors: colors + [UInt8](repeating: 0, count: missing)), samples)
    }

    /// The raster with indexes of as few bits as its palette needs; itself unless they have 8.
    func withSmallIndexes() -> Raster {
        guard case .palette(bits: 8, let colors) = format, colors.count <= 3 * 16 else { return self }
        let bits = colors.count <= 3 * 2 ? 1 : colors.count <= 3 * 4 ? 2 : 4
        let small = PixelFormat.palette(bits: bits, colors: colors)
        let row = Raster.bytesPerRow(width: size.width, format: small)
        var packed = [UInt8](repeating: 0, count: row * size.height)
        let perByte = 8 / bits
        for y in 0..<size.height {
            for x in 0..<size.width {
                packed[y * row + x / perByte] |=
                    samples[y * size.width + x] << UInt8(8 - bits - x % perByte * bits)
            }
        }
        return with(small, packed)
    }

    /// The same picture in other samples.
    func with(_ format: PixelFormat, _ samples: [UInt8]) -> Raster {
        Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }

    private func highestIndex(_ bits: Int) -> Int {
        if bits == 8 { return Int(samples.max() ?? 0) }
        var most: UInt8 = 0
        let mask = UInt8((1 << bits) - 1)
        let perByte = 8 / bits
        for y in 0..<size.height {
            for x in 0..<size.width {
                let byte = samples[y * bytesPerRow + x / perByte]
                most = max(most, byte >> UInt8(8 - bits - x % perByte * bits) & mask)
            }
            if most == mask { break }
        }
        return Int(most)
    }
}
