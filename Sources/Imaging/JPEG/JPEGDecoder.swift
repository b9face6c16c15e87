public import PageModel

/// Decodes a whole JPEG.
public enum JPEGDecoder {
    /// - Parameters:
    ///   - scale: 1, 2, 4 or 8, for a smaller picture.
    ///   - mostPixels: refused before memory is taken.
    /// - Throws: `PictureFault`. Damaged data that libjpeg could guess is a diagnostic of the drawing.
    public static func decode(_ file: [UInt8], scale: Int = 1, mostPixels: Int) throws(PictureFault) -> DecodedImage {
        guard let header = JPEGHeader(file) else { throw PictureFault("the data is no JPEG") }
        guard let stored = header.size else {
            throw JPEGFormat.isComplete(ByteReader(file))
                ? .isBroken(.jpeg, "it does not state its size") : .endsTooEarly(.jpeg)
        }
        try stored.check(.jpeg, mostPixels: mostPixels)
        let reader = try JPEGReader(file, scale: scale)
        let samples = try reader.read(rows: reader.size.height)
        let raster = Raster(
            size: reader.size, format: reader.format, samples: samples,
            resolution: scale == 1 ? header.resolution : nil, iccProfile: reader.iccProfile)
        return DecodedImage(
            raster: raster, diagnostics: reader.diagnostic.map { [$0] } ?? [],
            loss: header.components.count == 4 ? CMYKConverter.loss : nil)
    }
}
