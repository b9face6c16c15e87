internal import PDFStructure
internal import PageModel

/// Masks that mask nothing: programs write them for every image, and the image is the page all the same (ISO 32000-1, 8.9.6).
enum OpaqueMask {
    /// Whether a soft mask or a stencil leaves the whole image visible.
    ///
    /// - Parameter isSoft: whether it is a soft mask.
    static func isOpaque(_ mask: PDFObject, isSoft: Bool, _ file: PDFFile) -> Bool {
        guard mask.kind == .stream, let image = try? PDFImage(mask, resources: mask, file: file), image.alpha == nil,
            image.color == (isSoft ? .gray : .stencil), mayBeOpaque(image),
            let raster = StoredSamples.raster(of: image, file)
        else { return false }
        // A stencil is painted where it is 0, and a soft mask hides where it is 0.
        return raster.isFilled(with: isSoft ? 0xFF : 0)
    }

    /// Whether a mask is so short that all of its samples may be equal: most masks are not, and need not be decoded.
    private static func mayBeOpaque(_ image: PDFImage) -> Bool {
        let raw = image.size.area / 8 * image.bits
        switch image.filters.first {
        case nil, "ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "RunLengthDecode", "RL": return true
        default: return image.object["Length"].integer ?? .max <= 4096 + raw / 64
        }
    }

    /// Whether a color key contains none of an image's colors.
    ///
    /// - Parameter image: the image without its mask.
    static func hitsNothing(_ key: PDFObject, _ image: PDFImage, _ file: PDFFile) -> Bool {
        let highest = Double(1 << image.bits - 1)
        guard (1...16).contains(image.bits), let numbers = key.numbers, !numbers.isEmpty,
            numbers.count.isMultiple(of: 2)
        else { return false }
        let ranges = stride(from: 0, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
        if ranges.contains(where: { $0 > $1 || $0 > highest || $1 < 0 }) { return true }
        guard let raster = StoredSamples.raster(of: image, file), !image.isInverted else { return false }
        let channels = raster.format.bitsPerPixel / raster.format.bitsPerSample
        guard channels == ranges.count else { return false }
        return !raster.hasPixel { channel, sample in
            Double(sample) >= ranges[channel].0 && Double(sample) <= ranges[channel].1
        }
    }
}

extension Raster {
    /// Whether every bit of every sample is that of a byte which is 0 or 255.
    fileprivate func isFilled(with byte: UInt8) -> Bool {
        let bits = size.width * format.bitsPerPixel
        let (whole, rest) = (bits / 8, UInt8(truncatingIfNeeded: 0xFF00 >> (bits % 8)))
        return (0..<size.height).allSatisfy { y in
            let row = samples[y * bytesPerRow..<(y + 1) * bytesPerRow]
            return row.prefix(whole).allSatisfy { $0 == byte }
                && (whole == bytesPerRow || (row[y * bytesPerRow + whole] ^ byte) & rest == 0)
        }
    }

    /// Whether all samples of a pixel fulfill a condition.
    fileprivate func hasPixel(_ condition: (_ channel: Int, _ sample: Int) -> Bool) -> Bool {
        let bits = format.bitsPerSample
        let channels = format.bitsPerPixel / bits
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isHit = (0..<channels).allSatisfy { channel in
                    let place = (x * channels + channel) * bits
                    let byte = y * bytesPerRow + place / 8
                    let sample =
                        bits == 16
                        ? Int(samples[byte]) << 8 | Int(samples[byte + 1])
                        : Int(samples[byte]) >> (8 - bits - place % 8) & (1 << bits - 1)
                    return condition(channel, sample)
                }
                if isHit { return true }
            }
        }
        return false
    }
}
