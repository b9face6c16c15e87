internal import CLCMS
package import PageModel

extension Raster {
    /// Returns the raster converted to sRGB, without a profile; unchanged if it has no profile, which stands for sRGB.
    ///
    /// If the profile changes every color by at most one level in 255, the samples stay as they are. Colors are converted by the
    /// relative colorimetric intent with black point compensation (`ColorTransform`). Gray stays gray, with the tone curve of
    /// sRGB; gray of 2 and 4 bits becomes 8 bits. Alpha is kept; in a palette only the table changes.
    ///
    /// - Throws: `PictureFault` if the profile is invalid or for other colors than the raster's. Its kind is `.tooLarge` if
    ///   memory is short.
    package func inSRGB() throws(PictureFault) -> Raster {
        guard let iccProfile else { return self }
        var copy = self
        copy.iccProfile = nil
        guard let isChanged = try Raster.isChangedInSRGB(format, iccProfile) else {
            throw PictureFault("the color profile is invalid or does not fit the image's colors")
        }
        guard isChanged else { return copy }
        switch format {
        case .gray(bits: 2), .gray(bits: 4): return try copy.withGrayBytes().withGrayConverted(iccProfile)
        case .gray, .grayAlpha: return try copy.withGrayConverted(iccProfile)
        case .rgb(bits: 16): return try copy.converted(iccProfile, clcms_rgb_deep)
        case .rgb: return try copy.converted(iccProfile, clcms_rgb)
        case .rgba(bits: 16): return try copy.converted(iccProfile, clcms_rgba_deep)
        case .rgba: return try copy.converted(iccProfile, clcms_rgba)
        case .palette(let bits, let colors):
            let transform = try Raster.transform(iccProfile, clcms_rgb, isGray: false)
            let table = transform.apply(colors, pixels: colors.count / 3, count: colors.count / 3 * 3)
            return copy.with(.palette(bits: bits, colors: table), samples)
        }
    }

    /// Returns the raster converted to sRGB, without a profile. A profile that is invalid or for other colors is dropped.
    ///
    /// - Throws: `PictureFault` if memory is short.
    package func withoutProfile() throws(PictureFault) -> Raster {
        do {
            return try inSRGB()
        } catch  where error.kind == .tooLarge {
            throw error
        } catch {
            var copy = self
            copy.iccProfile = nil
            return copy
        }
    }

    /// Whether `inSRGB()` would change samples of a format with a profile, rather than only dropping the profile. The result is
    /// nil if the profile is invalid or for other colors than the format's.
    ///
    /// - Throws: `PictureFault` if memory is short.
    package static func isChangedInSRGB(_ format: PixelFormat, _ profile: [UInt8]) throws(PictureFault) -> Bool? {
        let profile = ICCProfile(profile)
        guard profile.colorSpace == (format.hasColor ? "RGB " : "GRAY") else { return nil }
        // Black and white are the same in all of them.
        return try profile.isSRGB(isGray: !format.hasColor).map { !$0 && format != .gray(bits: 1) }
    }

    private func converted(_ profile: [UInt8], _ kind: cmsUInt32Number) throws(PictureFault) -> Raster {
        // The table that lcms2 computes from a profile is too coarse for 16 bits.
        let transform = try Raster.transform(profile, kind, isGray: false, isExact: format.bitsPerSample == 16)
        return with(format, transform.apply(samples, pixels: size.area, count: samples.count))
    }

    /// Returns gray of 8 or 16 bits, with or without alpha, by converting every level once.
    private func withGrayConverted(_ profile: [UInt8]) throws(PictureFault) -> Raster {
        let width = format.bitsPerSample / 8
        let kind = width == 1 ? clcms_gray : clcms_gray_deep
        let transform = try Raster.transform(profile, kind, isGray: true, isExact: true)
        let levels =
            width == 1
            ? (0...255).map { UInt8($0) } : (0...65_535).flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let table = transform.apply(levels, pixels: levels.count / width, count: levels.count)
        let pixel = format.bitsPerPixel / 8
        var copy = samples
        copy.withUnsafeMutableBufferPointer { copy in
            for start in stride(from: 0, to: copy.count, by: pixel) {
                if width == 1 {
                    copy[start] = table[Int(copy[start])]
                } else {
                    let place = 2 * (Int(copy[start]) << 8 | Int(copy[start + 1]))
                    copy[start] = table[place]
                    copy[start + 1] = table[place + 1]
                }
            }
        }
        return with(format, copy)
    }

    private static func transform(
        _ profile: [UInt8], _ kind: cmsUInt32Number, isGray: Bool, isExact: Bool = false
    ) throws(PictureFault) -> ColorTransform {
        guard let transform = try ColorTransform(profile, from: kind, to: kind, isGray: isGray, isExact: isExact) else {
            throw PictureFault("the color profile is broken")
        }
        return transform
    }

    /// Returns gray of 2 or 4 bits as gray of 8.
    private func withGrayBytes() -> Raster {
        let bits = format.bitsPerSample
        let perByte = 8 / bits
        let maximum = (1 << bits) - 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.area)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let byte = Int(samples[y * bytesPerRow + x / perByte])
                bytes.append(UInt8((byte >> (8 - bits - x % perByte * bits) & maximum) * 255 / maximum))
            }
        }
        return with(.gray(bits: 8), bytes)
    }
}
