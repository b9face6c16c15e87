internal import CZimg
public import PageModel

extension Raster {
    /// The raster in gray of 1, 2 or 4 bits, the differences spread over the neighbours (Floyd and Steinberg).
    ///
    /// What has no more bits than that is returned as it is.
    ///
    /// - Precondition: the raster is gray without alpha; see `gray()`.
    /// - Throws: `PictureFault` when there is not enough memory.
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
