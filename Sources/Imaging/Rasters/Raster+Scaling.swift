internal import CZimg
public import PageModel

extension Raster {
    /// Returns the raster scaled to another size with a Lanczos filter of three lobes.
    ///
    /// It is filtered in linear light, so that a fine pattern of black and white keeps its brightness. Samples are treated as
    /// sRGB, even if there is a profile. Colors are weighted by their alpha. Samples of less than 8 bits become 8 bits, and
    /// palettes RGB. The profile stays, and the resolution changes with the size.
    ///
    /// - Throws: `PictureFault` if zimg refuses the sizes.
    public func scaled(to target: PixelSize) throws(PictureFault) -> Raster {
        if target == size { return self }
        guard target.width > 0, target.height > 0, size.width > 0, size.height > 0 else {
            throw PictureFault("an image of \(size) pixels cannot be scaled to \(target)")
        }
        let source = widened()
        var parameters = ZimgGraph.parameters()
        parameters.resample_filter = ZIMG_RESIZE_LANCZOS
        parameters.filter_param_a = 3
        let graph = try ZimgGraph(
            from: ZimgGraph.format(size, ZIMG_PIXEL_FLOAT, like: source.format),
            to: ZimgGraph.format(target, ZIMG_PIXEL_FLOAT, like: source.format), parameters)
        let total = Raster.bytesPerRow(width: target.width, format: source.format) * target.height
        var fault: PictureFault?
        let samples = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
            let output = buffer
            source.samples.withUnsafeBufferPointer { input in
                let light = LightSamples(source.format)
                do throws(PictureFault) {
                    try graph.run(
                        fill: { light.read(input, width: source.size.width, row: $0, columns: $1, into: $2) },
                        empty: { light.write($2, columns: $1, into: output, width: target.width, row: $0) })
                } catch {
                    fault = error
                }
            }
            count = fault == nil ? total : 0
        }
        if let fault { throw fault }
        return Raster(
            size: target, format: source.format, samples: samples, resolution: resolution(at: target),
            iccProfile: iccProfile)
    }
}

extension Raster {
    /// Returns the raster in gray of 1, 2 or 4 bits, with the error of each pixel spread over its neighbors (Floyd and
    /// Steinberg).
    ///
    /// A raster that already has no more bits is returned unchanged.
    ///
    /// - Precondition: gray without alpha; see `gray()`.
    /// - Throws: `PictureFault` if memory is short.
    public func dithered(toBits bits: Int) throws(PictureFault) -> Raster {
        guard case .gray(let depth) = format, [1, 2, 4].contains(bits) else {
            preconditionFailure("only gray can be dithered, to 1, 2 or 4 bits")
        }
        if depth <= bits { return self }
        let wide = widened()
        let isWide = depth == 16
        var source = ZimgGraph.format(size, isWide ? ZIMG_PIXEL_WORD : ZIMG_PIXEL_BYTE, like: wide.format)
        var target = ZimgGraph.format(size, ZIMG_PIXEL_BYTE, like: wide.format)
        source.depth = isWide ? 16 : 8
        target.depth = UInt32(bits)
        var parameters = ZimgGraph.parameters()
        parameters.dither_type = ZIMG_DITHER_ERROR_DIFFUSION
        let row = Raster.bytesPerRow(width: size.width, format: .gray(bits: bits))
        let width = size.width
        let graph = try ZimgGraph(from: source, to: target, parameters)
        var samples = [UInt8](repeating: 0, count: row * size.height)
        try samples.withUnsafeMutableBufferPointer { buffer throws(PictureFault) in
            let output = buffer
            try wide.samples.withUnsafeBufferPointer { input throws(PictureFault) in
                try graph.run { y, columns, planes in
                    if isWide {
                        let plane = planes[0].assumingMemoryBound(to: UInt16.self)
                        for x in columns {
                            let index = 2 * (y * width + x)
                            plane[x] = UInt16(input[index]) << 8 | UInt16(input[index + 1])
                        }
                    } else {
                        let plane = planes[0].assumingMemoryBound(to: UInt8.self)
                        for x in columns { plane[x] = input[y * width + x] }
                    }
                } empty: { y, columns, planes in
                    let plane = planes[0].assumingMemoryBound(to: UInt8.self)
                    for x in columns {
                        output[y * row + x * bits / 8] |= plane[x] << UInt8(8 - bits - x * bits % 8)
                    }
                }
            }
        }
        return Raster(
            size: size, format: .gray(bits: bits), samples: samples, resolution: resolution, iccProfile: iccProfile)
    }
}
