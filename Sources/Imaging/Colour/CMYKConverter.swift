internal import CLCMS

/// Makes sRGB of CMYK samples of 8 bits.
///
/// With a CMYK profile that is done by lcms2, as `ColorTransform` says. Without one nobody knows the inks, and there is
/// no profile free to ship: red is then (255 − cyan) · (255 − black) / 255, and so on, which is what Pillow and most
/// programs over libjpeg show. Its colours are brighter than those of ink on paper.
struct CMYKConverter {
    private let transform: ColorTransform?
    /// Whether 255 stands for no ink.
    private let isInverted: Bool

    /// What a picture loses by it.
    static let loss = "CMYK made RGB"

    /// - Parameter profile: one that is broken or for other colours than CMYK is passed over: nobody can follow it.
    /// - Throws: `PictureFault` when there is not enough memory.
    init(profile: [UInt8]?, isInverted: Bool) throws(PictureFault) {
        self.isInverted = isInverted
        guard let profile, ICCProfile(profile).colorSpace == "CMYK" else {
            transform = nil
            return
        }
        transform = try ColorTransform(profile, from: clcms_cmyk, to: clcms_rgb, isGray: false, isExact: false)
    }

    /// - Parameter samples: cyan, magenta, yellow and black of each pixel.
    /// - Returns: red, green and blue of each.
    func rgb(_ samples: [UInt8]) -> [UInt8] {
        let pixels = samples.count / 4
        if let transform {
            return transform.apply(isInverted ? samples.map { ~$0 } : samples, pixels: pixels, count: 3 * pixels)
        }
        let mask: UInt8 = isInverted ? 0 : 255
        return [UInt8](unsafeUninitializedCapacity: 3 * pixels) { output, count in
            samples.withUnsafeBufferPointer { samples in
                for pixel in 0..<pixels {
                    let light = UInt32(samples[4 * pixel + 3] ^ mask)
                    for part in 0..<3 {
                        let value = UInt32(samples[4 * pixel + part] ^ mask) * light
                        output[3 * pixel + part] = UInt8((value + 127) / 255)
                    }
                }
            }
            count = 3 * pixels
        }
    }
}
