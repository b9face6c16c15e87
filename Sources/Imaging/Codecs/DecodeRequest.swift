package import PageModel

/// A request to a decoder, as data that can be sent to another process.
package struct DecodeRequest: Hashable, Sendable {
    package var encoding: ImageEncoding
    /// The directory of a TIFF, counted from 0; other files have only the first.
    package var directory: Int
    /// The most pixels the image may have; a larger one is refused before memory is allocated.
    package var maximumPixels: Int
    /// The conversion to gray; nil to keep the samples as they are.
    package var meaning: SampleMeaning?
    /// The factor by which a gray image is reduced in each direction: 1, 2, 4 or 8.
    package var reduction: Int
    /// Whether to refuse a JPEG 2000, as `unsupported`, if a PNG cannot hold its samples exactly.
    ///
    /// Such samples have other depths than 8 and 16 bits, subsampled or signed components, alpha or a palette. CMYK and color
    /// spaces other than gray and sRGB are refused, too.
    package var isExact: Bool
    /// Whether a CMYK TIFF returns its own samples in place of red, green, blue and alpha (`InkPicture`).
    ///
    /// Other images are then refused, as `unsupported`.
    package var keepsInks = false
    /// The size to which a JPEG is scaled down while it is decoded; nil for its own. See `JPEGShrinker`.
    package var target: PixelSize?

    package init(
        _ encoding: ImageEncoding, directory: Int = 0, maximumPixels: Int, meaning: SampleMeaning? = nil,
        reduction: Int = 1,
        isExact: Bool = false
    ) {
        self.encoding = encoding
        self.directory = directory
        self.maximumPixels = maximumPixels
        self.meaning = meaning
        self.reduction = reduction
        self.isExact = isExact
    }
}
