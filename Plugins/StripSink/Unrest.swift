internal import PageModel

/// How much happens in each row, or in each column, of a picture: the largest difference between neighbours, 0 to 255.
enum Unrest {
    static func ofRows(_ raster: Raster) -> [UInt8] {
        let (pixel, sample) = steps(raster)
        let row = raster.bytesPerRow
        return raster.samples.withUnsafeBufferPointer { samples in
            (0..<raster.size.height).map { y in
                var most: UInt8 = 0
                // Of 16 bits the upper ones come first; the lower ones are noise here.
                for index in stride(from: y * row + pixel, to: (y + 1) * row, by: sample) {
                    most = max(most, distance(samples[index], samples[index - pixel]))
                }
                return most
            }
        }
    }

    static func ofColumns(_ raster: Raster) -> [UInt8] {
        let (pixel, sample) = steps(raster)
        let row = raster.bytesPerRow
        var most = [UInt8](repeating: 0, count: raster.size.width)
        raster.samples.withUnsafeBufferPointer { samples in
            for y in 1..<max(1, raster.size.height) {
                for place in stride(from: 0, to: row, by: sample) {
                    let index = y * row + place
                    most[place / pixel] = max(most[place / pixel], distance(samples[index], samples[index - row]))
                }
            }
        }
        return most
    }

    private static func distance(_ one: UInt8, _ other: UInt8) -> UInt8 {
        one > other ? one - other : other - one
    }

    /// The bytes of a pixel and of a sample.
    private static func steps(_ raster: Raster) -> (pixel: Int, sample: Int) {
        precondition(raster.format.bitsPerSample >= 8)
        return (raster.format.bitsPerPixel / 8, raster.format.bitsPerSample / 8)
    }
}
