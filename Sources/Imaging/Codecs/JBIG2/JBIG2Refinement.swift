/// A region whose pixels are predicted from those of another bitmap as well (ITU-T T.88, 6.3).
struct JBIG2RefinementRegion {
    let width: Int
    let height: Int
    /// Whether ten pixels predict one, instead of thirteen with two adaptive ones.
    let isSmall: Bool
    /// The places of the adaptive pixels: one of this region, and one of the reference.
    let adaptive: [JBIG2Place]
    let reference: JBIG2Bitmap
    /// The place of the reference in this region.
    let offset: JBIG2Place
    /// Whether pixels in areas of one color may be omitted.
    var predictsPixels = false

    static let usualAdaptive = [JBIG2Place(-1, -1), JBIG2Place(-1, -1)]
    static let contextCount = 1 << 13

    /// The pixels that predict one, from the lowest bit of the context.
    private var pixels: (own: [JBIG2Place], reference: [JBIG2Place]) {
        let own = [JBIG2Place(-1, 0), JBIG2Place(1, -1), JBIG2Place(0, -1)]
        if isSmall {
            return (
                own + [JBIG2Place(-1, -1)],
                [
                    JBIG2Place(1, 1), JBIG2Place(0, 1), JBIG2Place(1, 0), JBIG2Place(0, 0), JBIG2Place(-1, 0),
                    JBIG2Place(0, -1),
                ]
            )
        }
        return (
            own + [adaptive[0]],
            [
                JBIG2Place(1, 1), JBIG2Place(0, 1), JBIG2Place(-1, 1), JBIG2Place(1, 0), JBIG2Place(0, 0),
                JBIG2Place(-1, 0), JBIG2Place(1, -1), JBIG2Place(0, -1), adaptive[1],
            ]
        )
    }

    /// Decodes the region.
    ///
    /// - Throws: `.damaged`, `.tooLarge`.
    func decode(
        _ decoder: inout JBIG2ArithmeticDecoder, _ contexts: inout [UInt8], _ budget: JBIG2Budget
    ) throws(PictureFault) -> JBIG2Bitmap {
        try budget.spend(width, height)
        var bitmap = JBIG2Bitmap(width: width, height: height)
        let pixels = pixels
        // The context of a single black pixel in the reference.
        let equalityContext = isSmall ? 1 << 7 : 1 << 8
        var isPredicted = false
        for y in 0..<height {
            if predictsPixels, decoder.bit(&contexts[equalityContext]) == 1 { isPredicted.toggle() }
            for x in 0..<width {
                let (referenceX, referenceY) = (x - offset.x, y - offset.y)
                if isPredicted, let color = color(aroundX: referenceX, y: referenceY) {
                    bitmap.pixels[y * width + x] = color
                    continue
                }
                var (context, bit) = (0, 0)
                for place in pixels.own {
                    context |= Int(bitmap[x + place.x, y + place.y]) << bit
                    bit += 1
                }
                for place in pixels.reference {
                    context |= Int(reference[referenceX + place.x, referenceY + place.y]) << bit
                    bit += 1
                }
                bitmap.pixels[y * width + x] = decoder.bit(&contexts[context])
            }
            if decoder.isExhausted { throw .brokenJBIG2 }
        }
        return bitmap
    }

    /// Returns the color of nine pixels of the reference; nil if they differ.
    private func color(aroundX x: Int, y: Int) -> UInt8? {
        let color = reference[x, y]
        for row in y - 1...y + 1 {
            for column in x - 1...x + 1 where reference[column, row] != color { return nil }
        }
        return color
    }
}
