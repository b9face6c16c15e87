internal import PageModel
internal import Work

/// A page with the gray levels of a device, a ramp, and lines of one to four pixels, at the pixels of its screen.
///
/// Adjacent steps that look the same are levels that the screen cannot show. Lines that run together show that the app
/// scales the page.
struct TestChart {
    let raster: Raster

    /// Returns nil if the size of the screen is unknown.
    init?(_ profile: DeviceProfile) {
        guard let size = profile.screen else { return nil }
        let levels = min(max(2, profile.levels ?? 16), 256)
        var samples = [UInt8](repeating: 255, count: size.area)
        let band = max(1, size.height / 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let row = y * size.width + x
                switch y / band {
                case 0: samples[row] = UInt8((x * levels / size.width) * 255 / (levels - 1))
                case 1: samples[row] = UInt8(x * 255 / max(1, size.width - 1))
                default: samples[row] = TestChart.isLine(x, y, size, isUpright: y / band == 2) ? 0 : 255
                }
            }
        }
        raster = Raster(size: size, format: .gray(bits: 8), samples: samples)
    }

    /// Whether a pixel is on a line. A quarter of the width each has lines and gaps of 1, 2, 3 and 4 pixels.
    private static func isLine(_ x: Int, _ y: Int, _ size: PixelSize, isUpright: Bool) -> Bool {
        let width = min(4, x * 4 / size.width + 1)
        return (isUpright ? x : y) / width % 2 == 0
    }
}
