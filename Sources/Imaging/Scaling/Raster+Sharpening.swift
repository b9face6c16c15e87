package import PageModel

extension Raster {
    /// The levels by which a sharpened sample may exceed the brightest and the darkest of its neighbors, in 256ths.
    package static let maximumOvershoot = 8

    /// Returns the raster with stronger edges: each sample moves away from the mean of its neighbors (an unsharp mask).
    ///
    /// No sample becomes brighter than the brightest of its eight neighbors and itself, or darker than the darkest, by more than
    /// `maximumOvershoot`. So lines get no bright seams. The alpha stays.
    ///
    /// - Parameter percent: the part of the difference by which a sample moves.
    package func sharpened(percent: Int) -> Raster {
        let source = widened()
        let (width, height) = (size.width, size.height)
        let channels = source.format.bitsPerPixel / source.format.bitsPerSample
        let isWide = source.format.bitsPerSample == 16
        let unit = isWide ? 257 : 1
        let total = source.samples.count
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            source.samples.withUnsafeBufferPointer { input in
                func sample(_ index: Int) -> Int {
                    isWide ? Int(input[2 * index]) << 8 | Int(input[2 * index + 1]) : Int(input[index])
                }
                for index in 0..<width * height * channels {
                    let (pixel, channel) = (index / channels, index % channels)
                    let own = sample(index)
                    var result = own
                    if channel < source.format.colorants {
                        let (x, y) = (pixel % width, pixel / width)
                        var (low, high, sum, number) = (own, own, 0, 0)
                        for row in max(0, y - 1)...min(height - 1, y + 1) {
                            for column in max(0, x - 1)...min(width - 1, x + 1) {
                                let value = sample((row * width + column) * channels + channel)
                                (low, high) = (min(low, value), max(high, value))
                                (sum, number) = (sum + value, number + 1)
                            }
                        }
                        let bound = Raster.maximumOvershoot * unit
                        let moved = own + (own * number - sum) * percent / (100 * number)
                        result = min(max(moved, max(0, low - bound)), min(255 * unit, high + bound))
                    }
                    if isWide {
                        output[2 * index] = UInt8(truncatingIfNeeded: result >> 8)
                        output[2 * index + 1] = UInt8(truncatingIfNeeded: result)
                    } else {
                        output[index] = UInt8(truncatingIfNeeded: result)
                    }
                }
            }
            count = total
        }
        return source.with(source.format, samples)
    }
}
