internal import Imaging
internal import PageModel

internal import func Glibc.log

/// The difference of two images of the same size.
package struct PixelDifference: Hashable, Sendable {
    /// The largest difference of two samples, and the mean of all, in levels from 0 to 255.
    package let maximum: Double
    package let mean: Double
    /// The mean of the squared differences.
    private let meanSquare: Double

    /// The peak signal-to-noise ratio in decibels; nil for equal images.
    package var psnr: Double? { meanSquare > 0 ? 10 * log(255 * 255 / meanSquare) / log(10) : nil }

    /// Measures two images; nil if their sizes differ. Transparency counts like a color.
    init?(_ one: Raster, _ other: Raster) {
        self.init(one, other) { _, _ in }
    }

    /// - Parameter note: receives the index of each differing pixel, and its largest difference from 0 to 1.
    private init?(_ one: Raster, _ other: Raster, note: (Int, Double) -> Void) {
        guard one.size == other.size, one.size.area > 0 else { return nil }
        let (one, other) = (one.widened(), other.widened())
        let format = one.format.joined(with: other.format)
        let bytes = format.bitsPerSample / 8
        let perPixel = format.bitsPerPixel / format.bitsPerSample
        let scale = bytes == 2 ? 257.0 : 1
        var (largest, sum, squares) = (0, 0, 0.0)
        one.widened(to: format).samples.withUnsafeBufferPointer { ones in
            other.widened(to: format).samples.withUnsafeBufferPointer { others in
                for pixel in 0..<one.size.area {
                    var peak = 0
                    for sample in pixel * perPixel..<(pixel + 1) * perPixel {
                        var difference = 0
                        for place in sample * bytes..<(sample + 1) * bytes {
                            difference = difference * 256 + Int(ones[place]) - Int(others[place])
                        }
                        if difference == 0 { continue }
                        peak = max(peak, abs(difference))
                        sum += abs(difference)
                        squares += Double(difference * difference)
                    }
                    if peak == 0 { continue }
                    largest = max(largest, peak)
                    note(pixel, Double(peak) / (255 * scale))
                }
            }
        }
        let count = Double(one.size.area * perPixel)
        (maximum, mean) = (Double(largest) / scale, Double(sum) / count / scale)
        meanSquare = squares / count / scale / scale
    }

    /// Returns a white image in which the differences are dark; nil if the sizes differ. A single pixel stays visible when the
    /// image is reduced.
    static func map(_ one: Raster, _ other: Raster, size: PixelSize) -> Raster? {
        var shades = [UInt8](repeating: 255, count: size.area)
        let width = one.size.width
        let measured = PixelDifference(one, other) { pixel, share in
            let (row, column) = pixel.quotientAndRemainder(dividingBy: width)
            let place = row * size.height / one.size.height * size.width + column * size.width / width
            shades[place] = min(shades[place], UInt8(clamping: Int(clamping: 160 * (1 - share), to: 0...160)))
        }
        return measured == nil ? nil : Raster(size: size, format: .gray(bits: 8), samples: shades)
    }
}
