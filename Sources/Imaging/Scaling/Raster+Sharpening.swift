package import PageModel

extension Raster {
    /// The levels by which a sharpened sample may exceed the brightest and the darkest of its neighborhood, in 256ths.
    package static let maximumOvershoot = 8

    /// Returns the raster with stronger edges: each sample moves away from the mean of its neighborhood (an unsharp mask).
    ///
    /// The neighborhood is the pixel and the eight around it. No sample becomes brighter than the brightest of them, or
    /// darker than the darkest, by more than `maximumOvershoot`. So lines get no bright seams. The alpha stays.
    ///
    /// - Parameter percent: the part of the difference by which a sample moves.
    package func sharpened(percent: Int) -> Raster {
        let source = widened()
        let total = source.samples.count
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            source.samples.withUnsafeBufferPointer { input in
                if source.format.bitsPerSample == 16 {
                    source.sharpen(Int32(clamping: percent), unit: 257) {
                        Int32(input[2 &* $0]) << 8 | Int32(input[2 &* $0 &+ 1])
                    } write: {
                        output[2 &* $0] = UInt8(truncatingIfNeeded: $1 >> 8)
                        output[2 &* $0 &+ 1] = UInt8(truncatingIfNeeded: $1)
                    }
                } else {
                    source.sharpen(Int32(clamping: percent), unit: 1) {
                        Int32(input[$0])
                    } write: {
                        output[$0] = UInt8(truncatingIfNeeded: $1)
                    }
                }
            }
            count = total
        }
        return source.with(source.format, samples)
    }

    /// Calls `write` with each sharpened sample. The raster's edges count as repeated beyond it.
    ///
    /// - Parameter unit: the value of one 8-bit level.
    @inline(__always)
    private func sharpen(
        _ percent: Int32, unit: Int32, read: (_ index: Int) -> Int32, write: (_ index: Int, _ value: Int32) -> Void
    ) {
        let channels = format.bitsPerPixel / format.bitsPerSample
        let (colorants, length) = (format.colorants, size.width * channels)
        let (bound, white) = (Int32(Raster.maximumOvershoot) * unit, 255 * unit)
        // The darkest, the brightest and the sum of three samples below each other.
        var columns = [(low: Int32, high: Int32, sum: Int32)](repeating: (0, 0, 0), count: length)
        columns.withUnsafeMutableBufferPointer { columns in
            for y in 0..<size.height {
                let (above, row) = (max(y - 1, 0) * length, y * length)
                let below = min(y + 1, size.height - 1) * length
                for place in 0..<length {
                    let (one, own, other) = (read(above &+ place), read(row &+ place), read(below &+ place))
                    columns[place] = (min(one, own, other), max(one, own, other), one &+ own &+ other)
                }
                var channel = 0
                for place in 0..<length {
                    let own = read(row &+ place)
                    if channel < colorants {
                        let left = columns[place < channels ? place : place &- channels]
                        let right = columns[place &+ channels < length ? place &+ channels : place]
                        let middle = columns[place]
                        let sum = left.sum &+ middle.sum &+ right.sum
                        let moved = own &+ (9 &* own &- sum) &* percent / 900
                        let low = max(min(left.low, middle.low, right.low) &- bound, 0)
                        let high = min(max(left.high, middle.high, right.high) &+ bound, white)
                        write(row &+ place, min(max(moved, low), high))
                    } else {
                        write(row &+ place, own)
                    }
                    channel = channel &+ 1 == channels ? 0 : channel &+ 1
                }
            }
        }
    }
}
