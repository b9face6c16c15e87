internal import CLCMS
internal import PageModel

/// A conversion of CIE L*a*b* samples of a TIFF to sRGB, through lcms2 (TIFF 6.0 §23; TIFF Technical Note 4).
enum LabConverter {
    /// The loss that the conversion causes.
    static let loss: Message = "converted from Lab to RGB"

    /// Returns a raster in RGB.
    ///
    /// - Parameters:
    ///   - lab: an RGB raster that has L*, a* and b* in place of the colors.
    ///   - isSigned: whether a* and b* are signed. Otherwise they have the offset of ICC profiles, and L* of 16 bits their scale.
    /// - Throws: `PictureFault` if memory is short.
    static func rgb(_ lab: Raster, isSigned: Bool) throws(PictureFault) -> Raster {
        let isDeep = lab.format.bitsPerSample == 16
        let (channels, width) = (lab.format.hasAlpha ? 4 : 3, isDeep ? 2 : 1)
        var samples = lab.samples
        for start in stride(from: 0, to: samples.count, by: channels * width) {
            for channel in 0..<3 {
                let place = start + channel * width
                guard isDeep else {
                    if isSigned, channel > 0 { samples[place] ^= 0x80 }
                    continue
                }
                let value = Int(samples[place]) << 8 | Int(samples[place + 1])
                let level = isSigned && channel == 0 ? value : level(isSigned ? value ^ 0x8000 : value)
                samples[place] = UInt8(level >> 8)
                samples[place + 1] = UInt8(level & 255)
            }
        }
        let kinds =
            switch (isDeep, lab.format.hasAlpha) {
            case (false, false): (clcms_lab, clcms_rgb)
            case (false, true): (clcms_laba, clcms_rgba)
            case (true, false): (clcms_lab_deep, clcms_rgb_deep)
            case (true, true): (clcms_laba_deep, clcms_rgba_deep)
            }
        guard let transform = try ColorTransform(labTo: kinds.1, from: kinds.0) else {
            throw PictureFault("its colors cannot be converted")
        }
        var raster = lab
        raster.iccProfile = nil
        return raster.with(
            raster.format, transform.apply(samples, pixels: lab.size.area, count: samples.count))
    }

    /// Returns a level with 65,535 as the highest, from one with 65,280 (255 steps of 256).
    private static func level(_ value: Int) -> Int { min(65_535, (value * 257 + 128) / 256) }
}
