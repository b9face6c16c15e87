internal import AdapterKit
internal import Imaging
internal import PageModel

/// Small pictures of pages, in colour, of what is shown of each.
enum Thumbnail {
    /// The longest side of a page's, in pixels.
    static let pageSide = 256
    /// The longest side of a cover, in pixels.
    static let coverSide = 400
    private static let quality = 72

    /// The bytes that `jpeg` takes, as far as a picture's header tells.
    static func memory(for picture: EncodedPicture) -> Int {
        guard let size = picture.size else { return 0 }
        // Samples as they are decoded and once more while they are changed; of JPEGs the coefficients, 16 bits each, of
        // which a progressive one needs all, and hardly any samples.
        let perPixel =
            picture.encoding == .jpeg ? (picture.isGray ? 3 : 6) : 2 * max(4, (picture.bitsPerPixel ?? 32) / 8)
        let (bytes, overflow) = size.area.multipliedReportingOverflow(by: perPixel)
        return overflow ? .max : bytes
    }

    /// A JPEG of sRGB of the part of a picture that is shown; nil for a picture that cannot be decoded, or not within the
    /// memory that a page may take.
    ///
    /// A JPEG is decoded at the smallest of the scales that libjpeg knows that is not too small, which takes a fraction of
    /// the time.
    static func jpeg(of picture: EncodedPage, within side: Int, _ request: SinkRequest) -> [UInt8]? {
        guard let framing = picture.framing else { return nil }
        let shown = framing.rect.size
        let target = FitBox(width: side, height: side).size(for: shown)
        // A decoded pixel takes up to eight bytes.
        let most = min(request.limits.pixels, request.limits.memory / (8 * max(1, request.width)))
        do {
            var scale = 1
            let image: DecodedImage
            if picture.encoding == .jpeg {
                let factor = max(1, max(shown.width, shown.height) / max(1, max(target.width, target.height)))
                scale = [8, 4, 2].first { $0 <= factor } ?? 1
                image = try JPEGDecoder.decode(picture.bytes, scale: scale, mostPixels: most)
            } else {
                image = try PictureDecoder.decode(picture.bytes, picture.encoding, mostPixels: most)
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
