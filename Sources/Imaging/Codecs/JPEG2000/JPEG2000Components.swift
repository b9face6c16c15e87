internal import COpenJPEG
internal import PageModel

/// The components that OpenJPEG decoded, as an image with a sample format of `Raster`.
struct JPEG2000Components {
    private let image: opj_image_t
    private let components: UnsafeBufferPointer<opj_image_comp_t>

    init(_ image: opj_image_t) {
        self.image = image
        components = UnsafeBufferPointer(start: image.comps, count: Int(image.numcomps))
    }

    /// - Throws: `PictureFault` for unknown color spaces.
    func drawing(_ encoding: ImageEncoding, maximumPixels: Int) throws(PictureFault) -> DecodedImage {
        var colors = components.filter { $0.alpha == 0 }
        var alpha = components.first { $0.alpha != 0 }
        let isCMYK = image.color_space == OPJ_CLRSPC_CMYK && colors.count == 4
        // A codestream does not name its components: a second and a fourth one are then alpha.
        if alpha == nil, !isCMYK, [2, 4].contains(colors.count) { alpha = colors.popLast() }
        guard image.color_space != OPJ_CLRSPC_EYCC, isCMYK || colors.count == 1 || colors.count >= 3,
            components.allSatisfy({ $0.data != nil && (1...16).contains($0.prec) && $0.dx > 0 && $0.dy > 0 })
        else { throw .isUnknown(encoding, "its color space is unsupported") }
        var used = Array(colors.prefix(isCMYK ? 4 : colors.count >= 3 ? 3 : 1))
        if let alpha, !isCMYK { used.append(alpha) }
        let size = PixelSize(width: Int(image.x1) - Int(image.x0), height: Int(image.y1) - Int(image.y0))
        try size.check(encoding, maximumPixels: maximumPixels)
        let bits = isCMYK || used.allSatisfy { $0.prec <= 8 } ? 8 : 16
        var samples = [UInt8](repeating: 0, count: size.area * used.count * bits / 8)
        for (index, component) in used.enumerated() {
            place(component, at: index, of: used.count, bits, size, &samples)
        }
        let hasAlpha = alpha != nil && !isCMYK
        let format: PixelFormat
        if isCMYK {
            let rgb = try CMYKConverter(profile: profile, isInverted: false).rgb(samples)
            return DecodedImage(
                raster: Raster(size: size, format: .rgb(bits: 8), samples: rgb), loss: CMYKConverter.loss)
        } else if colors.count >= 3 {
            format = hasAlpha ? .rgba(bits: bits) : .rgb(bits: bits)
            if isYCC(colors) { makeRGB(&samples, channels: used.count, bits) }
        } else {
            format = hasAlpha ? .grayAlpha(bits: bits) : .gray(bits: bits)
        }
        return DecodedImage(raster: Raster(size: size, format: format, samples: samples, iccProfile: profile))
    }

    /// The profile. Profile bytes without a length are not a profile, but parameters of Lab.
    private var profile: [UInt8]? {
        guard let bytes = image.icc_profile_buf, image.icc_profile_len > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(image.icc_profile_len)))
    }

    /// Whether the colors are sYCC: declared, or inferred from components with less resolution than the first.
    private func isYCC(_ colors: [opj_image_comp_t]) -> Bool {
        image.color_space == OPJ_CLRSPC_SYCC
            || (image.color_space != OPJ_CLRSPC_SRGB && colors[0].dx == 1 && colors[1].dx > 1)
    }

    /// Places a component's samples among those of the others, scaled to `bits` and to the image's size.
    private func place(
        _ component: opj_image_comp_t, at index: Int, of channels: Int, _ bits: Int, _ size: PixelSize,
        _ samples: inout [UInt8]
    ) {
        guard let data = component.data, component.w > 0, component.h > 0 else { return }
        let maximum = (1 << Int(component.prec)) - 1
        let top = (1 << bits) - 1
        let offset = component.sgnd == 0 ? 0 : 1 << (Int(component.prec) - 1)
        let (width, height) = (Int(component.w), Int(component.h))
        // Columns and rows of the component's own grid begin at multiples of its step.
        let (stepX, stepY) = (Int(component.dx), Int(component.dy))
        let (left, upper) = (Int(image.x0) / stepX, Int(image.y0) / stepY)
        for y in 0..<size.height {
            let row = min(height - 1, (Int(image.y0) + y) / stepY - upper) * width
            for x in 0..<size.width {
                let column = min(width - 1, (Int(image.x0) + x) / stepX - left)
                let value = min(maximum, max(0, Int(data[row + column]) + offset))
                let scaled = maximum == top ? value : (value * top + maximum / 2) / maximum
                let target = ((y * size.width + x) * channels + index) * bits / 8
                if bits == 16 {
                    samples[target] = UInt8(truncatingIfNeeded: scaled >> 8)
                    samples[target + 1] = UInt8(truncatingIfNeeded: scaled)
                } else {
                    samples[target] = UInt8(truncatingIfNeeded: scaled)
                }
            }
        }
    }

    /// Converts sYCC to RGB (IEC 61966-2-1 Amendment 1, annex F).
    private func makeRGB(_ samples: inout [UInt8], channels: Int, _ bits: Int) {
        let width = bits / 8
        let top = Double((1 << bits) - 1)
        let middle = Double(1 << (bits - 1))
        for pixel in stride(from: 0, to: samples.count, by: channels * width) {
            func sample(_ channel: Int) -> Double {
                let start = pixel + channel * width
                return width == 1
                    ? Double(samples[start]) : Double(Int(samples[start]) << 8 | Int(samples[start + 1]))
            }
            let (luma, blue, red) = (sample(0), sample(1) - middle, sample(2) - middle)
            let colors = [luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue]
            for (channel, color) in colors.enumerated() {
                // In range: samples are whole numbers of at most 16 bits.
                let value = Int(min(top, max(0, color)).rounded())
                let start = pixel + channel * width
                if width == 2 { samples[start] = UInt8(truncatingIfNeeded: value >> 8) }
                samples[start + width - 1] = UInt8(truncatingIfNeeded: value)
            }
        }
    }
}
