public import PageModel

extension Raster {
    /// The raster without its colours: as bright as Rec. 601 says, of the samples as they are stored.
    ///
    /// That is 0.299 R + 0.587 G + 0.114 B in Pillow's whole numbers, so that gray pages look as people's other tools
    /// make them. A palette becomes 8 bits. A profile for colours does not fit what comes out, and is dropped; what is
    /// gray already stays as it is.
    public func gray() -> Raster {
        switch format {
        case .gray, .grayAlpha:
            return self
        case .palette(let bits, let colors):
            let table = Raster.entries(of: colors, bits: bits).map { color in
                [UInt8(Raster.luma(Int(color[0]), Int(color[1]), Int(color[2])))]
            }
            return mapped(table, to: .gray(bits: 8), iccProfile: .some(nil))
        case .rgb(let bits):
            return grayed(to: .gray(bits: bits))
        case .rgba(let bits):
            return grayed(to: .grayAlpha(bits: bits))
        }
    }

    /// The weights are 65536ths, and the sum of white is white.
    private static func luma(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16
    }

    private func grayed(to target: PixelFormat) -> Raster {
        let channels = format.bitsPerPixel / format.bitsPerSample
        let step = target.bitsPerPixel / 8
        let total = size.area * step
        let bytes = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { samples in
                if target.bitsPerSample == 8 {
                    for pixel in 0..<size.area {
                        let first = pixel * channels
                        output[pixel * step] = UInt8(
                            truncatingIfNeeded: Raster.luma(
                                Int(samples[first]), Int(samples[first + 1]), Int(samples[first + 2])))
                        if step == 2 { output[pixel * 2 + 1] = samples[first + 3] }
                    }
                } else {
                    for pixel in 0..<size.area {
                        let first = pixel * channels * 2
                        func sample(_ index: Int) -> Int {
                            Int(samples[first + 2 * index]) << 8 | Int(samples[first + 2 * index + 1])
                        }
                        let luma = Raster.luma(sample(0), sample(1), sample(2))
                        output[pixel * step] = UInt8(truncatingIfNeeded: luma >> 8)
                        output[pixel * step + 1] = UInt8(truncatingIfNeeded: luma)
                        if step == 4 {
                            output[pixel * 4 + 2] = samples[first + 6]
                            output[pixel * 4 + 3] = samples[first + 7]
                        }
                    }
                }
            }
            count = total
        }
        return Raster(size: size, format: target, samples: bytes, resolution: resolution)
    }
}
