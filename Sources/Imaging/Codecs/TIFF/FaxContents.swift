package import PageModel

/// The image of a TIFF with one strip of CCITT Group 4 and its data as stored: PDF has the same.
package struct FaxContents: Sendable {
    package let size: PixelSize
    /// The coded rows (ITU-T T.6).
    package let data: [UInt8]
    /// Whether pixels coded as black are white.
    package let isInverted: Bool
    package let resolution: Resolution?

    /// The result is nil if the first image is of another kind. Examples are several separately coded strips, reversed bits, and
    /// another compression.
    ///
    /// - Parameter file: all bytes of the file.
    package init?(tiff file: [UInt8]) {
        guard let directory = TIFFDirectory(ByteReader(file)) else { return nil }
        func value(_ tag: Int, else usual: Int) -> Int? {
            let tag = TIFFDirectory.Tag(number: tag)
            return directory.has(tag) ? directory.integer(tag) : usual
        }
        // Compression, BitsPerSample, SamplesPerPixel, FillOrder and T6Options (TIFF 6.0 §8, §11).
        guard value(259, else: 1) == 4, value(258, else: 1) == 1, value(277, else: 1) == 1, value(266, else: 1) == 1,
            value(293, else: 0) == 0, let photometric = directory.integer(.photometric), photometric < 2,
            let size = PixelSize(stated: directory.integer(.imageWidth), directory.integer(.imageLength)),
            let offsets = directory.integers(.stripOffsets), offsets.count == 1,
            let counts = directory.integers(.stripByteCounts), counts.count == 1, counts[0] > 0,
            let data = ByteReader(file).part(at: offsets[0], count: counts[0])?.array
        else { return nil }
        self.size = size
        self.data = data
        // 0 is white unless the image is inverted.
        isInverted = photometric == 1
        let perUnit = [2: 1, 3: 2.54][value(296, else: 2) ?? 0]
        if let perUnit, let across = directory.fraction(.xResolution), let down = directory.fraction(.yResolution) {
            resolution = Resolution(horizontal: across * perUnit, vertical: down * perUnit)
        } else {
            resolution = nil
        }
    }
}
