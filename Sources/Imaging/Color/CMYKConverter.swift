internal import CLCMS
internal import PageModel

/// A conversion of 8-bit CMYK samples to sRGB.
///
/// With a CMYK profile lcms2 converts them, see `ColorTransform`. Without one the inks are unknown, and no profile may be shipped
/// freely. Red is then (255 − cyan) · (255 − black) / 255, and so on, as in Pillow and most programs that use libjpeg. The colors
/// are brighter than those of ink on paper.
struct CMYKConverter {
    private let transform: ColorTransform?
    /// Whether 255 stands for no ink.
    private let isInverted: Bool

    /// The loss that the conversion causes.
    static let loss: Message = "converted from CMYK to RGB"

    /// - Parameter profile: a CMYK profile. A profile that is invalid or for other colors is ignored, as it cannot be applied.
    /// - Throws: `PictureFault` if memory is short.
    init(profile: [UInt8]?, isInverted: Bool) throws(PictureFault) {
        self.isInverted = isInverted
        guard let profile, ICCProfile(profile).colorSpace == "CMYK" else {
            transform = nil
            return
        }
        transform = try ColorTransform(profile, from: clcms_cmyk, to: clcms_rgb, isGray: false, isExact: false)
    }

    /// - Parameter samples: cyan, magenta, yellow and black of each pixel.
    /// - Returns: red, green and blue of each pixel.
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
