public import PageModel

extension PixelFormat {
    /// The format that holds the samples of both without loss: of 8 or 16 bits, or of fewer where both are gray of
    /// the same depth. Alpha is kept if one has it.
    public func joined(with other: PixelFormat) -> PixelFormat {
        if self == other, !isPalette { return self }
        let bits = max(8, bitsPerSample, other.bitsPerSample)
        return switch (hasColor || other.hasColor, hasAlpha || other.hasAlpha) {
        case (false, false): .gray(bits: bits)
        case (false, true): .grayAlpha(bits: bits)
        case (true, false): .rgb(bits: bits)
        case (true, true): .rgba(bits: bits)
        }
    }

    public var hasColor: Bool {
        switch self {
        case .gray, .grayAlpha: false
        case .rgb, .rgba, .palette: true
        }
    }

    public var isPalette: Bool {
        if case .palette = self { true } else { false }
    }
}

extension Raster {
    /// The same picture in a format that holds more: no sample loses anything.
    ///
    /// - Precondition: `format` is what joining the raster's own format with some other gives.
    public func widened(to format: PixelFormat) -> Raster {
        if format == self.format { return self }
        precondition(!format.isPalette && [8, 16].contains(format.bitsPerSample))
        let wide = widened()
        let (from, to) = (wide.format, format)
        let isWide = from.bitsPerSample == 16
        let step = to.bitsPerSample / 8
        precondition(step == 2 || !isWide)
        // Where each sample of a pixel comes from; nil for alpha that is not there.
        let colors = (0..<to.colorants).map { Optional(from.colorants == 1 ? 0 : $0) }
        let origins = colors + (to.hasAlpha ? [from.hasAlpha ? from.colorants : nil] : [])
        let pixel = from.bitsPerPixel / from.bitsPerSample
        let total = size.area * origins.count * step
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            wide.samples.withUnsafeBufferPointer { input in
                origins.withUnsafeBufferPointer { origins in
                    var target = 0
                    for index in 0..<size.area {
                        for origin in origins {
                            // 8 bits become 16 by doubling the byte: 255 is 65535.
                            let place = origin.map { (index * pixel + $0) * (isWide ? 2 : 1) }
                            output[target] = place.map { input[$0] } ?? 255
                            if step == 2 { output[target + 1] = place.map { input[isWide ? $0 + 1 : $0] } ?? 255 }
                            target += step
                        }
                    }
                }
            }
            count = total
        }
        return Raster(size: size, format: format, samples: samples, resolution: resolution, iccProfile: iccProfile)
    }
}
