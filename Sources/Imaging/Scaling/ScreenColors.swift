/// The colors of a page for a screen with a color filter: averaged over the filter's cells, and stronger.
///
/// A clear pixel in each cell, or the light that each color of a filter lets through from others, makes colors paler by a quarter.
struct ScreenColors {
    /// The factor that makes up for the loss of a filter with one clear pixel of four.
    private static let saturation: Float = 4.0 / 3
    /// The average over a cell of two pixels around each pixel, without the frequency of the cells.
    private static let cell: [Float] = [1.0 / 16, 4.0 / 16, 6.0 / 16, 4.0 / 16, 1.0 / 16]
    /// The shares of red, green and blue in brightness (IEC 61966-2-1).
    private static let shares = SIMD3<Float>(0.2126, 0.7152, 0.0722)

    let width: Int

    /// The light of a pixel.
    private static func light(_ pixel: UnsafePointer<UInt8>, _ curve: UnsafeBufferPointer<Float>) -> SIMD3<Float> {
        SIMD3(curve[Int(pixel[0])], curve[Int(pixel[1])], curve[Int(pixel[2])])
    }

    /// Returns the gray sample with the brightness of a pixel.
    static func brightness(_ pixel: UnsafePointer<UInt8>) -> UInt8 {
        if pixel[0] == pixel[1], pixel[1] == pixel[2] { return pixel[0] }
        return SRGBCurve.light8.withUnsafeBufferPointer { sample((light(pixel, $0) * shares).sum()) }
    }

    /// Returns the sample of light.
    private static func sample(_ light: Float) -> UInt8 {
        // In range: the value is 0 to 1.
        SRGBCurve.sample8[Int(min(max(light, 0), 1) * 65535 + 0.5)]
    }

    /// Writes a row of pixels with the colors of a page and other brightness.
    ///
    /// A color that the brightness does not allow becomes weaker.
    func write(
        _ brightness: UnsafePointer<Float>, _ page: UnsafePointer<UInt8>, row: Int, rows: Int,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        var down = [SIMD3<Float>](repeating: .zero, count: width)
        SRGBCurve.light8.withUnsafeBufferPointer { curve in
            for (tap, weight) in ScreenColors.cell.enumerated() {
                let line = page + min(max(row + tap - 2, 0), rows - 1) * width * 3
                for x in 0..<width {
                    let light = ScreenColors.light(line + x * 3, curve)
                    down[x] += weight * (light - (light * ScreenColors.shares).sum())
                }
            }
        }
        for x in 0..<width {
            var color = SIMD3<Float>.zero
            for (tap, weight) in ScreenColors.cell.enumerated() {
                color += weight * down[min(max(x + tap - 2, 0), width - 1)]
            }
            color *= ScreenColors.saturation
            let sample = brightness[x]
            let light = min(FalseColor.light(sample), 1)
            var strength: Float = 1
            if color.max() > 1 - light { strength = max(0, 1 - light) / color.max() }
            if -color.min() * strength > light { strength = light / -color.min() }
            for channel in 0..<3 {
                output[x * 3 + channel] =
                    strength * color.max() < 0.002
                    // In range: the sample is 0 to 1. So grays are exact.
                    ? UInt8(sample * 255 + 0.5) : ScreenColors.sample(light + strength * color[channel])
            }
        }
    }
}
