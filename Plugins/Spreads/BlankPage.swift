internal import PageModel

extension Page {
    /// A white page.
    static func blank(id: Int, size: PixelSize, side: Side) -> Page {
        var page = Page(id: id, name: "blank page", side: side) {
            let format = PixelFormat.gray(bits: 1)
            let row = Raster.bytesPerRow(width: size.width, format: format)
            let picture = SampledPicture(compression: "made", size: size, format: format) {
                DecodedImage(
                    raster: Raster(
                        size: size, format: format, samples: [UInt8](repeating: 255, count: row * size.height)))
            }
            return Picture(size: size, representations: [.sampled(picture)])
        }
        page.sourceID = nil
        page.spread = SpreadFinding("put in where a page faces nothing")
        return page
    }
}
