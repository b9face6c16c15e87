internal import PageModel

/// Whether PNG's filters make a picture smaller, which differs: they do for photographs and gradients, and do not for
/// flat art and text, whose patterns deflate finds by itself.
enum PNGFiltering {
    case plain
    case adaptive

    /// Tries both on a few samples of the picture.
    init(for raster: Raster) {
        // Below 8 bits a byte holds several pixels, and neighbours in a palette need not be alike.
        if raster.format.isPalette || raster.format.bitsPerPixel < 8 {
            self = .plain
            return
        }
        let (plain, adaptive) = PNGFiltering.samples(of: raster).reduce((0, 0)) { sizes, sample in
            (
                sizes.0 + PNGFiltering.size(of: PNGFilter.filtered(sample, plainly: true)),
                sizes.1 + PNGFiltering.size(of: PNGFilter.filtered(sample, plainly: false))
            )
        }
        self = plain <= adaptive ? .plain : .adaptive
    }

    /// libdeflate's level: filtered samples gain little from a longer search.
    var deflateLevel: Int { self == .plain ? 6 : 5 }

    /// A part from the middle of a band, or from three places of a large picture: small beside it, and as wide as deflate
    /// can look back, if it is that wide.
    private static func samples(of raster: Raster) -> [Raster] {
        let size = raster.size
        let pixel = raster.format.bitsPerPixel / 8
        let width = min(size.width, sampleBytes / 2 / pixel)
        let height = min(size.height, max(2, min(sampleBytes / (width * pixel), size.height / 24)))
        return (raster.samples.count > sampleBytes * 64 ? [1, 3, 5] : [3]).map { sixth in
            raster.cropped(
                to: PixelRect(
                    x: (size.width - width) * sixth / 6, y: (size.height - height) * sixth / 6, width: width,
                    height: height))
        }
    }

    private static let sampleBytes = 1 << 16

    private static func size(of bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { Deflate.compressed($0, .plain, level: 1).count }
    }
}
