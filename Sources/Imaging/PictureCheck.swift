public import PageModel

/// A cheap test whether a picture file is whole, before its bytes are passed on unseen.
public enum PictureCheck {
    /// What is wrong with a picture file, as far as that shows without decoding it; nil when nothing is.
    ///
    /// - Parameters:
    ///   - bytes: all bytes of the file.
    ///   - encoding: what the file is held to be.
    public static func defect(in bytes: [UInt8], _ encoding: ImageEncoding) -> String? {
        // Of a format that jisui does not know, nothing is known to be wrong.
        guard ImageEncoding.known.contains(encoding) else { return nil }
        let reader = ByteReader(bytes)
        guard let (format, actual) = PictureFormats.recognise(reader), actual == encoding else {
            return "the data is no \(encoding.name)"
        }
        return format.isComplete(reader) ? nil : "the \(encoding.name) ends too early"
    }
}
