internal import CWebP
package import PageModel

/// A lossless or lossy encoder for WebP.
package enum WebPEncoder {
    /// The most pixels that a side may have: WebP counts them in 14 bits.
    package static let maximumPixelsPerSide = 16_383

    /// Encodes a raster with its profile.
    ///
    /// WebP has samples of 8 bits for red, green, blue and alpha. Gray and palettes up to 8 bits lose nothing with them. 16 bits
    /// are rounded to 8 in a lossy file. WebP cannot store a resolution.
    ///
    /// - Parameter quality: 0 to 100 on the scale of libwebp; nil for a lossless file. It keeps even the colors of transparent
    ///   pixels.
    /// - Throws: `PictureFault` if the image is too large, or has 16 bits without a `quality`.
    package static func encode(_ raster: Raster, quality: Int?) throws(PictureFault) -> [UInt8] {
        guard max(raster.size.width, raster.size.height) <= maximumPixelsPerSide else {
            throw PictureFault(
                "a WebP holds no more than \(maximumPixelsPerSide) pixels across, not \(raster.size):"
                    + " make it smaller, or choose another format")
        }
        guard raster.format.bitsPerSample <= 8 || quality != nil else {
            throw PictureFault("a lossless WebP holds samples of 8 bits only: choose PNG, TIFF or JPEG XL for 16")
        }
        var configuration = WebPConfig()
        guard WebPConfigInit(&configuration) != 0 else { throw PictureFault("libwebp has another version") }
        if let quality {
            configuration.quality = Float(min(max(quality, 0), 100))
        } else {
            configuration.lossless = 1
            configuration.exact = 1
            // In lossless mode this is effort. This value finds nearly all possible savings.
            configuration.quality = 75
        }
        configuration.method = 4
        let bitstream = try compress(raster, &configuration)
        guard let profile = raster.iccProfile else { return bitstream }
        return try wrap(bitstream, profile)
    }

    private static func compress(
        _ raster: Raster, _ configuration: inout WebPConfig
    ) throws(PictureFault) -> [UInt8] {
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else { throw PictureFault("libwebp has another version") }
        picture.use_argb = 1
        picture.width = CInt(raster.size.width)
        picture.height = CInt(raster.size.height)
        guard WebPPictureAlloc(&picture) != 0, let pixels = picture.argb else {
            throw PictureFault("out of memory for a WebP of \(raster.size)")
        }
        defer { WebPPictureFree(&picture) }
        fill(pixels, stride: Int(picture.argb_stride), with: raster.widened())
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        let isEncoded = withUnsafeMutablePointer(to: &writer) { writer in
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            picture.writer = WebPMemoryWrite
            return WebPEncode(&configuration, &picture) != 0
        }
        guard isEncoded else {
            throw PictureFault("the WebP cannot be encoded (libwebp's error \(picture.error_code.rawValue))")
        }
        return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }

    /// Writes pixels in libwebp's order: alpha, red, green, blue from the highest byte down.
    private static func fill(_ pixels: UnsafeMutablePointer<UInt32>, stride: Int, with raster: Raster) {
        let bytes = raster.format.bitsPerSample / 8
        let colorants = raster.format.colorants
        let hasAlpha = raster.format.hasAlpha
        let step = raster.format.bitsPerPixel / raster.format.bitsPerSample
        raster.samples.withUnsafeBufferPointer { samples in
            // 16 bits to the nearest 8: v / 257 in integer arithmetic.
            func sample(_ index: Int) -> UInt32 {
                bytes == 1
                    ? UInt32(samples[index])
                    : ((UInt32(samples[2 * index]) << 8 | UInt32(samples[2 * index + 1])) * 255 + 32_895) >> 16
            }
            for y in 0..<raster.size.height {
                let row = pixels + y * stride
                var index = y * raster.size.width * step
                for x in 0..<raster.size.width {
                    let red = sample(index)
                    let green = colorants == 1 ? red : sample(index + 1)
                    let blue = colorants == 1 ? red : sample(index + 2)
                    let alpha = hasAlpha ? sample(index + colorants) : 255
                    row[x] = alpha << 24 | red << 16 | green << 8 | blue
                    index += step
                }
            }
        }
    }

    /// Returns the file with an ICC profile in addition to the image.
    private static func wrap(_ bitstream: [UInt8], _ profile: [UInt8]) throws(PictureFault) -> [UInt8] {
        guard let mux = WebPMuxNew() else { throw PictureFault("out of memory for a WebP's profile") }
        defer { WebPMuxDelete(mux) }
        var file = WebPData()
        WebPDataInit(&file)
        defer { WebPDataClear(&file) }
        let result = bitstream.withUnsafeBufferPointer { bitstream in
            profile.withUnsafeBufferPointer { profile in
                var picture = WebPData(bytes: bitstream.baseAddress, size: bitstream.count)
                var chunk = WebPData(bytes: profile.baseAddress, size: profile.count)
                var result = WebPMuxSetImage(mux, &picture, 0)
                if result == WEBP_MUX_OK { result = WebPMuxSetChunk(mux, "ICCP", &chunk, 0) }
                if result == WEBP_MUX_OK { result = WebPMuxAssemble(mux, &file) }
                return result
            }
        }
        guard result == WEBP_MUX_OK else {
            throw PictureFault("the WebP's profile cannot be written (libwebp's error \(result.rawValue))")
        }
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
    }
}

extension WebPCodec: PictureEncodingCodec {
    static let maximumPixelsPerSide = WebPEncoder.maximumPixelsPerSide

    static func loss(of raster: Raster) -> Message? {
        raster.format.bitsPerSample == 16 ? "converted to 8 bits per sample" : nil
    }

    static func encode(_ raster: Raster, _ fidelity: PictureEncoder.Fidelity) throws(PictureFault) -> [UInt8] {
        let wide: PixelFormat = raster.format.hasAlpha ? .rgba(bits: 8) : .rgb(bits: 8)
        return try WebPEncoder.encode(raster.narrowed().widened(to: wide), quality: fidelity.quality)
    }

    static func encodingMemory(_ size: PixelSize, bytesPerPixel: Double, isLossless: Bool) -> EncodingMemory {
        EncodingMemory(bytesPerPixel: isLossless ? 30 : 10, copiesPixels: false)
    }
}
