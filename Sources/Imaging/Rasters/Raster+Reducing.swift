public import PageModel

extension Raster {
    /// The raster as gray of 8 bits, every `factor` by `factor` pixels averaged into one; the last ones of a row or
    /// column may average fewer.
    ///
    /// The average is of samples, not of light: it is for looking at, not for showing. What is transparent is white.
    public func reducedToGray(by factor: Int, _ shade: Shade = .brightness) -> Raster {
        precondition(factor > 0)
        let opaque = format.hasAlpha ? flattened(on: .white) : self
        let gray = shade == .ink ? opaque.ink() : opaque.gray().narrowed().widened()
        guard factor > 1 else { return gray }
        let target = PixelSize(
            width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
        let samples = [UInt8](unsafeUninitializedCapacity: target.area) { output, count in
            gray.samples.withUnsafeBufferPointer { input in
                var sums = [UInt32](repeating: 0, count: target.width)
                for y in 0..<target.height {
                    let rows = y * factor..<min((y + 1) * factor, size.height)
                    for x in 0..<target.width { sums[x] = 0 }
                    for row in rows {
                        for x in 0..<target.width {
                            let first = row * size.width + x * factor
                            var sum: UInt32 = 0
                            for index in first..<min(first + factor, (row + 1) * size.width) {
                                sum &+= UInt32(input[index])
                            }
                            sums[x] &+= sum
                        }
                    }
                    for x in 0..<target.width {
                        let pixels = UInt32(rows.count * min(factor, size.width - x * factor))
                        output[y * target.width + x] = UInt8((sums[x] + pixels / 2) / pixels)
                    }
                }
            }
            count = target.area
        }
        return Raster(size: target, format: .gray(bits: 8), samples: samples)
    }
}
