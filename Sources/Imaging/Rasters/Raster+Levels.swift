package import PageModel

internal import func Glibc.pow

extension Raster {
    /// Returns the raster with a changed black point, white point and tone curve.
    ///
    /// As in ImageMagick's `-level`, a sample v from 0 to 1 becomes ((v − black) / (white − black)) ^ (1 / gamma), clipped to 0
    /// and 1. Alpha stays as it is, and a palette changes in its table. Gray of less than 8 bits keeps its depth if that can hold
    /// all the resulting tones. Otherwise it becomes 8 bits.
    ///
    /// - Parameters:
    ///   - black: the fraction of the range that becomes black.
    ///   - white: the fraction that becomes white. It must be more than `black`.
    ///   - gamma: more than 1 brightens the midtones, less than 1 darkens them.
    package func levels(black: Double, white: Double, gamma: Double) -> Raster {
        precondition(black < white && gamma > 0)
        func level(_ sample: Int, of maximum: Int) -> Double {
            let part = (Double(sample) / Double(maximum) - black) / (white - black)
            return pow(min(max(part, 0), 1), 1 / gamma)
        }
        switch format {
        case .gray(let bits) where bits < 8:
            let maximum = 1 << bits - 1
            let steps = (0...maximum).map { level($0, of: maximum) * Double(maximum) }
            if steps.allSatisfy({ abs($0 - $0.rounded()) < 1e-9 }) {
                return remapped(steps.map { UInt8(Int(clamping: $0, to: 0...255)) })
            }
            return mapped(
                steps.map { [UInt8(Int(clamping: $0 / Double(maximum) * 255, to: 0...255))] }, to: .gray(bits: 8))
        case .palette(let bits, let colors):
            let changed = colors.map { UInt8(Int(clamping: level(Int($0), of: 255) * 255, to: 0...255)) }
            return remade(.palette(bits: bits, colors: changed), samples)
        case .gray, .grayAlpha, .rgb, .rgba:
            let maximum = 1 << format.bitsPerSample - 1
            return remade(
                format,
                leveled(
                    (0...maximum).map { UInt16(Int(clamping: level($0, of: maximum) * Double(maximum), to: 0...65535)) }
                ))
        }
    }

    /// Returns the samples, of 8 or 16 bits, replaced from a table, with unchanged alpha.
    private func leveled(_ table: [UInt16]) -> [UInt8] {
        let channels = format.bitsPerPixel / format.bitsPerSample
        let total = samples.count
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { samples in
                table.withUnsafeBufferPointer { table in
                    if table.count == 256 {
                        for index in 0..<total {
                            output[index] = UInt8(truncatingIfNeeded: table[Int(samples[index])])
                        }
                    } else {
                        for index in stride(from: 0, to: total, by: 2) {
                            let value = table[Int(samples[index]) << 8 | Int(samples[index + 1])]
                            output[index] = UInt8(value >> 8)
                            output[index + 1] = UInt8(truncatingIfNeeded: value)
                        }
                    }
                    if !format.hasAlpha { return }
                    let width = format.bitsPerSample / 8
                    for pixel in 0..<total / (channels * width) {
                        for byte in (pixel * channels + channels - 1) * width..<(pixel + 1) * channels * width {
                            output[byte] = samples[byte]
                        }
                    }
                }
            }
            count = total
        }
    }

    /// Returns the raster with every sample of less than 8 bits replaced from a table.
    private func remapped(_ table: [UInt8]) -> Raster {
        let bits = format.bitsPerSample
        let mask = 1 << bits - 1
        let whole = (0...255).map { byte in
            stride(from: 8 - bits, through: 0, by: -bits).reduce(UInt8(0)) { result, shift in
                result << UInt8(bits) | table[byte >> shift & mask]
            }
        }
        return remade(format, samples.map { whole[Int($0)] })
    }

    private func remade(_ format: PixelFormat, _ samples: [UInt8]) -> Raster {
        Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }
}
