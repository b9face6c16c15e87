package import PageModel

/// The SHA-256 of an image's pixels, independent of their storage.
///
/// Samples count as whole bytes, row by row from the top and without padding. Fewer than 8 bits are stretched to 8, 16 are
/// big-endian, and indices of a palette count as their colors. Profiles and resolutions do not count.
package struct PixelDigest: Hashable, Sendable {
    package let hex: String
    package let size: PixelSize
    /// The format of the hashed samples: "gray8", "rgb16". For a uniform digest, only their depth: "pixels8".
    package let samples: String

    /// The number of rows that are converted at once, so that a large image has no second copy in memory.
    private static let rowsAtOnce = 64

    /// - Parameter isUniform: whether the digest is the same for gray and color storage, with or without a redundant alpha
    ///   channel.
    package init(_ raster: Raster, isUniform: Bool = false) {
        var hash = SHA256()
        for top in stride(from: 0, to: raster.size.height, by: PixelDigest.rowsAtOnce) {
            let rows = raster.band(top..<min(raster.size.height, top + PixelDigest.rowsAtOnce)).widened()
            if isUniform { hash.update(simplest: rows) } else { hash.update(rows.samples) }
        }
        let kind = isUniform ? "pixels" : raster.format.sampleName
        (hex, size, samples) = (hash.hexDigest(), raster.size, "\(kind)\(max(8, raster.format.bitsPerSample))")
    }
}

extension SHA256 {
    /// Adds pixels without a color or an alpha that they do not need.
    fileprivate mutating func update(simplest raster: Raster) {
        let (colors, alpha) = raster.separatingAlpha()
        let simplest = colors.withoutNeedlessColor()
        update([simplest.format.hasColor ? 1 : 0, alpha == nil ? 0 : 1])
        update(simplest.samples)
        if let alpha { update(alpha.samples) }
    }
}

extension Raster {
    /// Returns some of the rows, without the color profile.
    fileprivate func band(_ range: Range<Int>) -> Raster {
        Raster(
            size: PixelSize(width: size.width, height: range.count), format: format,
            samples: Array(samples[range.lowerBound * bytesPerRow..<range.upperBound * bytesPerRow]))
    }
}

extension PixelFormat {
    /// The name of its samples without their depth. An index counts as its color.
    fileprivate var sampleName: String {
        switch (hasColor, hasAlpha) {
        case (false, false): "gray"
        case (false, true): "grayAlpha"
        case (true, false): "rgb"
        case (true, true): "rgba"
        }
    }
}
