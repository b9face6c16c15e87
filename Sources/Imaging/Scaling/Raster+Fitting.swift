package import PageModel

extension Raster {
    /// Returns the raster scaled down so that lines and letters keep their depth, and screentone its gray.
    ///
    /// A page of ink on paper, or with screentone, is scaled by `TextureScaler`. Photographs, rasters that are enlarged, those
    /// with alpha and those of 16 bits are scaled as by `scaled(to:)`.
    ///
    /// - Throws: `PictureFault` if zimg refuses the sizes.
    package func fitted(to target: PixelSize) throws(PictureFault) -> Raster {
        guard mayBeFitted(to: target) else { return try scaled(to: target) }
        let source = widened()
        let channels = source.format.colorants
        let gray = channels == 1 ? source : source.gray()
        let samples = gray.samples.withUnsafeBufferPointer { pixels -> [UInt8]? in
            guard let start = pixels.baseAddress else { return nil }
            let rows = GrayRows(pixels: start, width: size.width, rows: 0..<size.height)
            let map = TextureMap(size)
            while map.bands.count < map.down { map.addBand(rows) }
            return map.isPrinted ? source.textured(map, rows, channels, to: target) : nil
        }
        guard let samples else { return try source.scaled(to: target) }
        return Raster(
            size: target, format: source.format, samples: samples, resolution: resolution(at: target),
            iccProfile: iccProfile)
    }

    /// Returns whether a page of this size and format is scaled by its textures.
    package func mayBeFitted(to target: PixelSize) -> Bool {
        let shrinks = target.width < size.width && target.height < size.height && target.width > 0 && target.height > 0
        return shrinks && TextureMap.takes(size) && !format.hasAlpha && format.bitsPerSample <= 8
    }

    /// Returns the bytes a pixel that `fitted(to:)` takes, in addition to the raster and the result.
    ///
    /// They are samples of 8 bits if the raster has smaller ones, and the brightness of colors.
    ///
    /// - Parameters:
    ///   - bytes: the bytes a pixel of the raster.
    ///   - isGray: whether it is known to be gray.
    package static func bytesPerPixel(forFitting bytes: Double, isGray: Bool) -> Double {
        if isGray { return bytes < 1 ? 1 : 0 }
        // One byte or less is an index of a palette.
        return bytes <= 1 ? 4 : bytes <= 3 ? 1 : 0
    }

    /// Returns the samples of a raster that is scaled by its textures.
    func textured(
        _ map: TextureMap, _ gray: GrayRows, _ channels: Int, to target: PixelSize, tone: ScalingKernel? = nil
    ) -> [UInt8] {
        let pitch = map.pitch.map { $0 * Double(target.width) / Double(size.width) }
        let kernel = tone ?? TextureScaler.toneKernel(pitch: pitch)
        let scaler = TextureScaler(map, channels: channels, to: target, tone: kernel)
        let total = target.area * channels
        return [UInt8](unsafeUninitializedCapacity: total) { output, count in
            samples.withUnsafeBufferPointer { input in
                guard let start = input.baseAddress, let target = output.baseAddress else { return }
                for band in 0..<map.down {
                    let row = band * BlockSpectrum.side
                    scaler.add(band: band, start + row * size.width * channels, gray, into: target)
                }
                count = total
            }
        }
    }

    /// Returns the resolution after the raster is scaled.
    func resolution(at target: PixelSize) -> Resolution? { resolution?.scaled(from: size, to: target) }
}

extension Resolution {
    /// Returns the resolution of an image whose size changes.
    func scaled(from size: PixelSize, to target: PixelSize) -> Resolution {
        Resolution(
            horizontal: horizontal * Double(target.width) / Double(size.width),
            vertical: vertical * Double(target.height) / Double(size.height))
    }
}
