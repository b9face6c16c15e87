internal import AdapterKit
internal import Imaging
internal import PageModel

/// Small color images of the visible parts of pages.
enum Thumbnail {
    /// The longest side of a page's, in pixels.
    static let pageSide = 256
    /// The longest side of a cover, in pixels.
    static let coverSide = 400
    private static let quality = 72

    /// Returns the memory in bytes that `jpeg` needs, as far as an image's header shows.
    static func memory(for picture: EncodedPicture) -> Int {
        guard let size = picture.size else { return 0 }
        // Samples as they are decoded and once more while they are changed. For JPEGs, the coefficients of 16 bits; a progressive
        // one needs all of them, and hardly any samples.
        let perPixel =
            picture.encoding == .jpeg ? (picture.isGray ? 3 : 6) : 2 * max(4, (picture.bitsPerPixel ?? 32) / 8)
        let (bytes, overflow) = size.area.multipliedReportingOverflow(by: perPixel)
        return overflow ? .max : bytes
    }

    /// Returns an sRGB JPEG of the visible part of an image; nil if it cannot be decoded within the memory for a page.
    ///
    /// A JPEG is decoded at the smallest sufficient scale of libjpeg, which takes a fraction of the time.
    static func jpeg(of picture: EncodedPage, within side: Int, _ request: SinkRequest) -> [UInt8]? {
        guard let framing = picture.framing else { return nil }
        let shown = framing.rect.size
        let target = FitBox(width: side, height: side).size(for: shown)
        // A decoded pixel needs up to eight bytes.
        let maximum = min(request.limits.pixels, request.limits.memory / (8 * max(1, request.width)))
        do {
            var scale = 1
            let image: DecodedImage
            if picture.encoding == .jpeg {
                let factor = max(1, max(shown.width, shown.height) / max(1, max(target.width, target.height)))
                scale = [8, 4, 2].first { $0 <= factor } ?? 1
                image = try JPEGDecoder.decode(picture.bytes, scale: scale, maximumPixels: maximum)
            } else {
                image = try PictureDecoder.decode(picture.bytes, picture.encoding, maximumPixels: maximum)
            }
            var raster = image.raster
            let whole = Framing(raster.size, framing.orientation)
            let part = framing.rect.scaled(from: framing.full, to: whole.full)
            raster = try raster.framed(whole.keeping(part)).withoutProfile()
            raster.resolution = nil
            return try PictureEncoder.encode(raster.scaled(to: target), as: .jpeg, .quality(quality))
        } catch {
            return nil
        }
    }
}
