public import PageModel

extension Raster {
    /// The raster as gray samples when it is RGB of 8 bits and every pixel is gray; otherwise itself.
    ///
    /// Nothing is lost, and a drawn page of black text is a third of the size.
    public func withoutNeedlessColor() -> Raster {
        guard case .rgb(bits: 8) = format, iccProfile == nil else { return self }
        let isGray = samples.withUnsafeBufferPointer { samples in
            var different: UInt8 = 0
            for start in stride(from: 0, to: samples.count, by: 3 * 4096) {
                let end = min(start + 3 * 4096, samples.count)
                for index in stride(from: start, to: end, by: 3) {
                    different |= (samples[index] ^ samples[index + 1]) | (samples[index] ^ samples[index + 2])
                }
                if different != 0 { return false }
            }
            return true
        }
        guard isGray else { return self }
        let gray = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            samples.withUnsafeBufferPointer { samples in
                for index in 0..<size.area { output[index] = samples[3 * index] }
            }
            count = size.area
        }
        return Raster(size: size, format: .gray(bits: 8), samples: gray, resolution: resolution)
    }

    /// The raster with every bit of its samples turned over: each sample is its opposite, each index counts from
    /// the end of its table.
    public func withBitsInverted() -> Raster {
        Raster(
            size: size, format: format, samples: samples.map { ~$0 }, resolution: resolution, iccProfile: iccProfile)
    }
}
