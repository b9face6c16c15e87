package import PageModel

extension Raster {
    /// Returns the raster with a few gray levels, in 1, 2 or 4 bits.
    ///
    /// A raster that has no other levels is returned unchanged. Eight levels need 4 bits.
    ///
    /// - Parameters:
    ///   - levels: 2, 4, 8 or 16.
    ///   - dithers: whether the errors of pixels spread over their neighbors; see `ErrorDiffusion` and `PairDiffusion`.
    ///     Otherwise each pixel takes the nearest level.
    /// - Precondition: gray without alpha; see `gray()`.
    package func withGrayLevels(_ levels: Int, dithers: Bool) -> Raster {
        guard case .gray(let depth) = format, Raster.grayLevels.contains(levels) else {
            preconditionFailure("only gray can be reduced, to 2, 4, 8 or 16 levels")
        }
        if depth < 8, (levels - 1) % (1 << depth - 1) == 0 { return self }
        let bits = levels == 2 ? 1 : levels == 4 ? 2 : 4
        let plain = narrowed().widened()
        let diffusion = ErrorDiffusion(levels: levels, bits: bits)
        let target = PixelFormat.gray(bits: bits)
        guard dithers else { return plain.mapped(diffusion.nearest.map { [$0] }, to: plain.format).packed(to: target) }
        if levels == 16 { return plain.ditheredInPairs() }
        let samples = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            plain.samples.withUnsafeBufferPointer { samples in
                diffusion.run(samples, width: size.width, height: size.height, into: output)
            }
            count = size.area
        }
        return Raster(
            size: size, format: plain.format, samples: samples, resolution: resolution, iccProfile: iccProfile
        ).packed(to: target)
    }

    /// Returns the raster, gray of 8 bits, with sixteen levels.
    private func ditheredInPairs() -> Raster {
        let target = PixelFormat.gray(bits: 4)
        let total = Raster.bytesPerRow(width: size.width, format: target) * size.height
        let bytes = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { samples in
                PairDiffusion().run(GrayLines(samples: samples, width: size.width, height: size.height), into: output)
            }
            count = total
        }
        return Raster(size: size, format: target, samples: bytes, resolution: resolution, iccProfile: iccProfile)
    }

    /// The numbers of gray levels of screens.
    package static let grayLevels = [2, 4, 8, 16]
}
