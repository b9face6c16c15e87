internal import CZimg
package import PageModel

extension Raster {
    /// Returns the raster scaled to another size with a Lanczos filter of three lobes.
    ///
    /// It is filtered in linear light, so that a fine pattern of black and white keeps its brightness. Samples are treated as
    /// sRGB, even if there is a profile. Colors are weighted by their alpha. Samples of less than 8 bits become 8 bits, and
    /// palettes RGB. The profile stays, and the resolution changes with the size.
    ///
    /// - Throws: `PictureFault` if zimg refuses the sizes.
    package func scaled(to target: PixelSize) throws(PictureFault) -> Raster {
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
