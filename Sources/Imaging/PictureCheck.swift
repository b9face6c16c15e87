package import PageModel

/// A cheap test whether an image file is damaged, for files that are copied without being decoded.
package enum PictureCheck {
    /// Returns the defect of an image file, as far as it shows without decoding all of it; nil if none is found.
    ///
    /// A JPEG must have its end. A PNG must have all rows and the right checksums. A GIF and a compressed BMP are decoded. In
    /// other formats the data must have the right length.
    ///
    /// - Parameters:
    ///   - bytes: all bytes of the file.
    ///   - encoding: the expected format.
    package static func defect(in bytes: [UInt8], _ encoding: ImageEncoding) -> Message? {
        // Defects of a format that jisui does not know are unknown.
        guard ImageEncoding.known.contains(encoding) else { return nil }
        let reader = ByteReader(bytes)
        guard let (codec, actual) = PictureCodecs.recognize(reader), actual == encoding else {
            return "the data is not \(encoding.name)"
        }
        return codec.isComplete(reader) ? codec.damage(reader) : PictureFault.endsTooEarly(encoding).message
    }

    /// Whether `defect` unpacks the pixels of images in a format.
    package static func unpacksPixels(of encoding: ImageEncoding) -> Bool {
        PictureCodecs.codec(for: encoding)?.damageUnpacksPixels ?? false
    }
}

/// A count of the images in a file: the pages of a TIFF, the frames of an animation.
///
/// Decoding returns only the first one. A program that replaces the file by it should report the loss.
package enum PictureCount {
    /// Returns the number of images in a file. It is 1 for formats that hold only one, and if damage hides the number.
    ///
    /// - Parameter file: all bytes of the file.
    package static func pictures(in file: [UInt8]) -> Int {
        let bytes = ByteReader(file)
        return max(1, PictureCodecs.recognize(bytes)?.codec.pictureCount(bytes) ?? 1)
    }
}
