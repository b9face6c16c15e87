internal import PageModel

/// Turns samples of 8 or 16 bits into planes of linear light, multiplied by the alpha, and back.
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

    /// How many planes there are.
    var channels: Int { colorants + (hasAlpha ? 1 : 0) }
    private var most: Float { isWide ? 65535 : 255 }

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
                    let unit = 1 / most
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

    /// Makes samples of a stretch of a line of each plane. The filter may overshoot: what is too much is cut off.
    func write(
        _ planes: [UnsafeMutableRawPointer], columns: Range<Int>, into samples: UnsafeMutableBufferPointer<UInt8>,
        width: Int, row: Int
    ) {
        let planes = planes.map { $0.assumingMemoryBound(to: Float.self) }
        if hasAlpha {
            let alpha = planes[colorants]
            for plane in planes.prefix(colorants) {
                // Where nothing is to be seen the colour is black, rather than a quotient of rounding errors.
                for x in columns { plane[x] = alpha[x] * most < 0.5 ? 0 : plane[x] / alpha[x] }
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
                        samples[first + x * channels] =
                            isLight ? curve[Int(value * 65535 + 0.5)] : UInt8(value * 255 + 0.5)
                    }
                }
            }
        }
    }
}
