internal import PageModel

internal import func Glibc.pow

/// A conversion of samples of 8 or 16 bits to planes of linear light, multiplied by the alpha, and back.
struct LightSamples {
    private let colorants: Int
    private let hasAlpha: Bool
    private let isWide: Bool
    private let light: [Float]

    init(_ format: PixelFormat) {
        colorants = format.colorants
        hasAlpha = format.hasAlpha
        isWide = format.bitsPerSample == 16
        light = isWide ? SRGBCurve.light16 : SRGBCurve.light8
    }

    /// The number of planes.
    var channels: Int { colorants + (hasAlpha ? 1 : 0) }
    private var maximum: Float { isWide ? 65535 : 255 }

    /// Fills a stretch of a line of each plane.
    func read(
        _ samples: UnsafeBufferPointer<UInt8>, width: Int, row: Int, columns: Range<Int>,
        into planes: [UnsafeMutableRawPointer]
    ) {
        light.withUnsafeBufferPointer { light in
            for (channel, plane) in planes.enumerated() {
                let plane = plane.assumingMemoryBound(to: Float.self)
                if channel < colorants {
                    each(samples, width, row, columns, channel) { plane[$0] = light[$1] }
                } else {
                    let unit = 1 / maximum
                    each(samples, width, row, columns, channel) { plane[$0] = Float($1) * unit }
                }
            }
        }
        if !hasAlpha { return }
        let alpha = planes[colorants].assumingMemoryBound(to: Float.self)
        for plane in planes.prefix(colorants) {
            let plane = plane.assumingMemoryBound(to: Float.self)
            for x in columns { plane[x] *= alpha[x] }
        }
    }

    /// Calls `body` with the column and the value of one channel's samples.
    @inline(__always)
    private func each(
        _ samples: UnsafeBufferPointer<UInt8>, _ width: Int, _ row: Int, _ columns: Range<Int>, _ channel: Int,
        _ body: (Int, Int) -> Void
    ) {
        let channels = channels
        let first = row * width * channels + channel
        if isWide {
            for x in columns {
                let index = 2 * (first + x * channels)
                body(x, Int(samples[index]) << 8 | Int(samples[index + 1]))
            }
        } else {
            for x in columns { body(x, Int(samples[first + x * channels])) }
        }
    }

    /// Writes samples from a stretch of a line of each plane. The filter may overshoot, so values are clipped.
    func write(
        _ planes: [UnsafeMutableRawPointer], columns: Range<Int>, into samples: UnsafeMutableBufferPointer<UInt8>,
        width: Int, row: Int
    ) {
        let planes = planes.map { $0.assumingMemoryBound(to: Float.self) }
        if hasAlpha {
            let alpha = planes[colorants]
            for plane in planes.prefix(colorants) {
                // For invisible pixels the color is black, rather than a quotient of rounding errors.
                for x in columns { plane[x] = alpha[x] * maximum < 0.5 ? 0 : plane[x] / alpha[x] }
            }
        }
        let channels = channels
        for (channel, plane) in planes.enumerated() {
            let first = row * width * channels + channel
            let isLight = channel < colorants
            if isWide {
                SRGBCurve.sample16.withUnsafeBufferPointer { curve in
                    for x in columns {
                        let value = min(max(plane[x], 0), 1)
                        let scaled = value * 65536
                        let low = Int(scaled)
                        let sample =
                            isLight
                            ? curve[low] + (curve[low + 1] - curve[low]) * (scaled - Float(low)) : value * 65535
                        // In range: light is 0 to 1, and so is the value; the curve has no other samples.
                        let rounded = UInt16(sample + 0.5)
                        let index = 2 * (first + x * channels)
                        samples[index] = UInt8(rounded >> 8)
                        samples[index + 1] = UInt8(truncatingIfNeeded: rounded)
                    }
                }
            } else {
                SRGBCurve.sample8.withUnsafeBufferPointer { curve in
                    for x in columns {
                        let value = min(max(plane[x], 0), 1)
                        // In range: the value is 0 to 1.
                        samples[first + x * channels] =
                            isLight ? curve[Int(value * 65535 + 0.5)] : UInt8(value * 255 + 0.5)
                    }
                }
            }
        }
    }
}

/// The transfer curve of sRGB (IEC 61966-2-1), as tables between samples and light.
package enum SRGBCurve {
    /// The light, 0 to 1, of every sample of 8 bits.
    package static let light8: [Float] = light(maximum: 255)
    /// The light, 0 to 1, of every sample of 16 bits.
    static let light16: [Float] = light(maximum: 65535)

    /// The 8-bit sample for every 65535th of light: at the curve's steepest point, 20 entries share one sample.
    package static let sample8: [UInt8] = (0...65535).map { sample in
        UInt8(Int(clamping: 255 * encoded(Double(sample) / 65535), to: 0...255))
    }

    /// The 16-bit sample for every 65536th of light, not rounded, for linear interpolation.
    ///
    /// The error is less than a hundredth of a sample where the curve bends most. The last value is repeated.
    static let sample16: [Float] = (0...65537).map { Float(65535 * encoded(Double(min($0, 65536)) / 65536)) }

    private static func light(maximum: Int) -> [Float] {
        (0...maximum).map { sample in
            let value = Double(sample) / Double(maximum)
            return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
    }

    private static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
