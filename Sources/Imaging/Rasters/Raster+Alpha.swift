package import PageModel

extension Raster {
    /// Whether no pixel is transparent, not even in part.
    var isOpaque: Bool {
        guard format.hasAlpha else { return true }
        let (pixel, width) = (format.bitsPerPixel / 8, format.bitsPerSample / 8)
        return samples.withUnsafeBufferPointer { samples in
            stride(from: pixel - width, to: samples.count, by: pixel).allSatisfy { start in
                samples[start] == 255 && samples[start + width - 1] == 255
            }
        }
    }

    /// Returns the raster on a background of one color, for formats without alpha; unchanged if it has no alpha.
    ///
    /// Samples are blended as they are stored, as in browsers and image viewers, not in linear light. A gray image stays gray if
    /// the background is gray.
    ///
    /// - Parameter background: the color, in the raster's own color space.
    package func flattened(on background: RGB) -> Raster {
        let (red, green, blue) = (background.red, background.green, background.blue)
        switch format {
        case .gray, .rgb, .palette: return self
        case .grayAlpha(let bits):
            guard red == green, green == blue else { return withGrayAsColor().flattened(on: background) }
            return with(.gray(bits: bits), blended(colors: [red], bits: bits))
        case .rgba(let bits):
            return with(.rgb(bits: bits), blended(colors: [red, green, blue], bits: bits))
        }
    }

    /// Returns an image with gray and alpha as one with red, green, blue and alpha.
    private func withGrayAsColor() -> Raster {
        guard case .grayAlpha(let bits) = format else { return self }
        let width = bits / 8
        let copy = [UInt8](unsafeUninitializedCapacity: samples.count * 2) { output, count in
            var index = 0
            for start in stride(from: 0, to: samples.count, by: 2 * width) {
                for part in [0, 0, 0, 1] {
                    for byte in 0..<width {
                        output[index] = samples[start + part * width + byte]
                        index += 1
                    }
                }
            }
            count = index
        }
        // A gray profile does not describe colors; its effect is lost.
        return Raster(size: size, format: .rgba(bits: bits), samples: copy, resolution: resolution)
    }

    /// Returns the colors without the alpha, rounded to the nearest.
    private func blended(colors: [UInt8], bits: Int) -> [UInt8] {
        let channels = colors.count
        let total = size.area * channels * bits / 8
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { input in
                if bits == 8 {
                    for pixel in 0..<size.area {
                        let start = pixel * (channels + 1)
                        let alpha = UInt32(input[start + channels])
                        for channel in 0..<channels {
                            let value = UInt32(input[start + channel]) * alpha + UInt32(colors[channel]) * (255 - alpha)
                            output[pixel * channels + channel] = UInt8((value + 127) / 255)
                        }
                    }
                } else {
                    func sample(_ index: Int) -> UInt64 { UInt64(input[2 * index]) << 8 | UInt64(input[2 * index + 1]) }
                    for pixel in 0..<size.area {
                        let start = pixel * (channels + 1)
                        let alpha = sample(start + channels)
                        for channel in 0..<channels {
                            let below = UInt64(colors[channel]) * 257
                            let value = (sample(start + channel) * alpha + below * (65_535 - alpha) + 32_767) / 65_535
                            let index = 2 * (pixel * channels + channel)
                            output[index] = UInt8(truncatingIfNeeded: value >> 8)
                            output[index + 1] = UInt8(truncatingIfNeeded: value)
                        }
                    }
                }
            }
            count = total
        }
    }

    /// Returns the raster with straight alpha if its colors are premultiplied; unchanged if it has no alpha.
    func unpremultiplied() -> Raster {
        guard format.hasAlpha else { return self }
        let width = format.bitsPerSample / 8
        let channels = format.bitsPerPixel / format.bitsPerSample
        let maximum = width == 1 ? 255 : 65_535
        var copy = samples
        copy.withUnsafeMutableBufferPointer { copy in
            func sample(_ index: Int) -> Int {
                width == 1 ? Int(copy[index]) : Int(copy[2 * index]) << 8 | Int(copy[2 * index + 1])
            }
            for pixel in 0..<size.area {
                let alpha = sample(pixel * channels + channels - 1)
                if alpha == 0 || alpha == maximum { continue }
                for index in pixel * channels..<pixel * channels + channels - 1 {
                    let value = min(maximum, (sample(index) * maximum + alpha / 2) / alpha)
                    if width == 2 { copy[2 * index] = UInt8(truncatingIfNeeded: value >> 8) }
                    copy[width * index + width - 1] = UInt8(truncatingIfNeeded: value)
                }
            }
        }
        return with(format, copy)
    }
}

extension Raster {
    /// Returns the raster with alpha added to its samples, for images from a format that stores alpha separately.
    ///
    /// The raster is unchanged if no format has both.
    ///
    /// - Parameter alpha: gray, of the same size and with as many bits a sample.
    package func withAlpha(_ alpha: Raster) -> Raster {
        let whole: PixelFormat
        switch (format, alpha.format) {
        case (.gray(8), .gray(8)), (.gray(16), .gray(16)): whole = .grayAlpha(bits: format.bitsPerSample)
        case (.rgb(8), .gray(8)), (.rgb(16), .gray(16)): whole = .rgba(bits: format.bitsPerSample)
        default: return self
        }
        guard alpha.size == size else { return self }
        let (own, added) = (format.bitsPerPixel / 8, format.bitsPerSample / 8)
        let total = size.area * (own + added)
        let joined = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            var target = 0
            for pixel in 0..<size.area {
                for index in pixel * own..<(pixel + 1) * own {
                    output[target] = samples[index]
                    target += 1
                }
                for index in pixel * added..<(pixel + 1) * added {
                    output[target] = alpha.samples[index]
                    target += 1
                }
            }
            count = total
        }
        return with(whole, joined)
    }

    /// Returns the colors and the alpha as two rasters, for formats that store them separately. The alpha is nil if it is missing
    /// or opaque everywhere.
    package func separatingAlpha() -> (colors: Raster, alpha: Raster?) {
        let width = format.bitsPerSample / 8
        let plain: PixelFormat
        switch format {
        case .gray, .rgb, .palette: return (self, nil)
        case .grayAlpha(let bits): plain = .gray(bits: bits)
        case .rgba(let bits): plain = .rgb(bits: bits)
        }
        let pixel = format.bitsPerPixel / 8
        func part(_ range: Range<Int>) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: size.area * range.count) { output, count in
                samples.withUnsafeBufferPointer { input in
                    var target = 0
                    for start in stride(from: 0, to: size.area * pixel, by: pixel) {
                        for byte in range {
                            output[target] = input[start + byte]
                            target += 1
                        }
                    }
                }
                count = size.area * range.count
            }
        }
        let alpha = part(pixel - width..<pixel)
        let colors = with(plain, part(0..<pixel - width))
        if alpha.allSatisfy({ $0 == 255 }) { return (colors, nil) }
        return (colors, Raster(size: size, format: .gray(bits: format.bitsPerSample), samples: alpha))
    }
}
