package import PageModel

/// A measure of the activity in each row, or in each column, of an image: the largest difference between neighbors, 0 to 255.
package enum RowActivity {
    /// The largest activity of a row without an edge: a gradient, or the noise of a JPEG in one color.
    package static let quiet: UInt8 = 6

    package static func ofRows(_ raster: Raster) -> [UInt8] {
        let (pixel, sample) = steps(raster)
        let row = raster.bytesPerRow
        return raster.samples.withUnsafeBufferPointer { samples in
            (0..<raster.size.height).map { y in
                var largest: UInt8 = 0
                // The upper bytes of 16 bits come first; the lower ones are noise here.
                for index in stride(from: y * row + pixel, to: (y + 1) * row, by: sample) {
                    largest = max(largest, distance(samples[index], samples[index - pixel]))
                }
                return largest
            }
        }
    }

    package static func ofColumns(_ raster: Raster) -> [UInt8] {
        let (pixel, sample) = steps(raster)
        let row = raster.bytesPerRow
        var largest = [UInt8](repeating: 0, count: raster.size.width)
        raster.samples.withUnsafeBufferPointer { samples in
            for y in 1..<max(1, raster.size.height) {
                for place in stride(from: 0, to: row, by: sample) {
                    let index = y * row + place
                    largest[place / pixel] = max(largest[place / pixel], distance(samples[index], samples[index - row]))
                }
            }
        }
        return largest
    }

    /// Returns the largest difference between any two pixels of each row: 0 for a single color.
    package static func spreadOfRows(_ raster: Raster) -> [UInt8] {
        let (pixel, sample) = steps(raster)
        let row = raster.bytesPerRow
        return raster.samples.withUnsafeBufferPointer { samples in
            (0..<raster.size.height).map { y in
                var largest: UInt8 = 0
                for channel in stride(from: 0, to: pixel, by: sample) {
                    var (low, high) = (UInt8.max, UInt8.min)
                    for index in stride(from: y * row + channel, to: (y + 1) * row, by: pixel) {
                        low = min(low, samples[index])
                        high = max(high, samples[index])
                    }
                    largest = max(largest, high - low)
                }
                return largest
            }
        }
    }

    private static func distance(_ one: UInt8, _ other: UInt8) -> UInt8 {
        one > other ? one - other : other - one
    }

    /// Returns the bytes of a pixel and of a sample.
    private static func steps(_ raster: Raster) -> (pixel: Int, sample: Int) {
        precondition(raster.format.bitsPerSample >= 8)
        return (raster.format.bitsPerPixel / 8, raster.format.bitsPerSample / 8)
    }
}
