package import AdapterKit
internal import Imaging
package import PageModel

/// Small sRGB JPEGs of the visible parts of pages.
package enum Thumbnail {
    private static let quality = 72
    /// The qualities of JPEGs within a number of bytes, the best first.
    private static let qualities = [82, 70, 58, 46, 34, 24, 16]

    /// Returns the memory in bytes that a JPEG of an image needs, as far as the image's header shows.
    package static func memory(for picture: EncodedPicture) -> Int {
        guard let size = picture.size else { return 0 }
        // Samples as they are decoded and once more while they are changed. For JPEGs, the coefficients of 16 bits; a progressive
        // one needs all of them, and hardly any samples.
        let perPixel =
            picture.encoding == .jpeg ? (picture.isGray ? 3 : 6) : 2 * max(4, (picture.bitsPerPixel ?? 32) / 8)
        let (bytes, overflow) = size.area.multipliedReportingOverflow(by: perPixel)
        return overflow ? .max : bytes
    }

    /// Returns a JPEG of the visible part of an image; nil if it cannot be decoded within the memory for a page.
    ///
    /// - Parameter side: the length of its longer side in pixels.
    package static func jpeg(of picture: EncodedPage, within side: Int, _ request: SinkRequest) -> [UInt8]? {
        jpeg(of: picture, in: FitBox(width: side, height: side), request)
    }

    /// Returns a JPEG of the visible part of an image that fits into a box; nil if it cannot be decoded.
    package static func jpeg(of picture: EncodedPage, in box: FitBox, _ request: SinkRequest) -> [UInt8]? {
        guard let shown = picture.framing?.rect.size,
            let raster = raster(of: picture, box.size(for: shown), request)
        else { return nil }
        return try? PictureEncoder.encode(raster, as: .jpeg, .quality(quality))
    }

    /// Returns a JPEG of the visible part of an image with at most that many bytes; nil if it cannot be decoded.
    ///
    /// The quality is reduced first, then the size.
    package static func jpeg(of picture: EncodedPage, maximumBytes: Int, _ request: SinkRequest) -> [UInt8]? {
        guard let shown = picture.framing?.rect.size, var raster = raster(of: picture, shown, request) else {
            return nil
        }
        var index = step(for: Double(picture.bytes.count) / Double(maximumBytes))
        while true {
            guard let jpeg = try? PictureEncoder.encode(raster, as: .jpeg, .quality(qualities[index])) else {
                return nil
            }
            if jpeg.count <= maximumBytes { return jpeg }
            index += max(1, step(for: Double(jpeg.count) / Double(maximumBytes)))
            guard index >= qualities.count else { continue }
            index = qualities.count / 2
            guard max(raster.size.width, raster.size.height) > 64 else { return nil }
            let side = max(raster.size.width, raster.size.height) * 2 / 3
            guard let less = try? raster.scaled(to: FitBox(width: side, height: side).size(for: raster.size)) else {
                return nil
            }
            raster = less
        }
    }

    /// Returns the number of qualities by which an image has to be worse to lose a share of its bytes. One takes off about a sixth.
    private static func step(for surplus: Double) -> Int {
        surplus > 4 ? 5 : surplus > 2.5 ? 4 : surplus > 1.7 ? 2 : 1
    }

    /// Returns the visible part of an image at a size, in sRGB; nil if it cannot be decoded within the memory for a page.
    ///
    /// A JPEG is decoded at the smallest sufficient scale of libjpeg, which takes a fraction of the time.
    private static func raster(of picture: EncodedPage, _ target: PixelSize, _ request: SinkRequest) -> Raster? {
        guard let framing = picture.framing else { return nil }
        let shown = framing.rect.size
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
            return raster.size == target ? raster : try raster.scaled(to: target)
        } catch {
            return nil
        }
    }
}
