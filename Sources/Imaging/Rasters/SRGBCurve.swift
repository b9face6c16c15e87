internal import Glibc

/// The transfer curve of sRGB (IEC 61966-2-1), as tables between samples and light.
enum SRGBCurve {
    /// The light, 0 to 1, of every sample of 8 bits.
    static let light8: [Float] = light(most: 255)
    /// The light, 0 to 1, of every sample of 16 bits.
    static let light16: [Float] = light(most: 65535)

    /// The sample of 8 bits for every 65535th of light: where the curve is steepest, 20 of them make one sample.
    static let sample8: [UInt8] = (0...65535).map { UInt8((255 * encoded(Double($0) / 65535)).rounded()) }

    /// The sample of 16 bits for every 65536th of light, not rounded, to go between in a straight line: that is off by less than a hundredth
    /// of a sample where the curve bends most. The last value stands twice.
    static let sample16: [Float] = (0...65537).map { Float(65535 * encoded(Double(min($0, 65536)) / 65536)) }

    private static func light(most: Int) -> [Float] {
        (0...most).map { sample in
            let value = Double(sample) / Double(most)
            return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
    }

    private static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
