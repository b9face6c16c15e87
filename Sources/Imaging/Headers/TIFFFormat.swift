internal import PageModel

/// TIFF 6.0 and BigTIFF: <https://www.loc.gov/preservation/digital/formats/fdd/fdd000022.shtml>.
enum TIFFFormat: PictureFormat {
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        TIFFDirectory.order(of: bytes) == nil ? nil : .tiff
    }

    static func size(in bytes: ByteReader) -> PixelSize? {
        guard let directory = TIFFDirectory(bytes) else { return nil }
        return PixelSize(stated: directory.integer(.imageWidth), directory.integer(.imageLength))
    }

    static func exifOrientation(in bytes: ByteReader) -> Int? {
        TIFFDirectory(bytes)?.integer(.orientation)
    }

    /// Whether the first directory and the strips or tiles it lists begin within the file.
    ///
    /// Their byte counts are not believed: writers get them wrong in files that every program reads.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let directory = TIFFDirectory(bytes) else { return false }
        for tag in [TIFFDirectory.Tag.stripOffsets, .tileOffsets] where directory.has(tag) {
            guard let offsets = directory.integers(tag), offsets.allSatisfy({ $0 < bytes.count }) else { return false }
        }
        return true
    }
}
