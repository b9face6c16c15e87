public import PageModel

/// Decodes whole picture files of every format jisui recognises.
public enum PictureDecoder {
    /// The picture as it is stored, with the depth, the palette, the alpha and the profile it has.
    ///
    /// Of a file with several pictures it is the first; of an animation the first frame, as it appears on its canvas.
    /// An EXIF orientation is not applied (`PictureHeader.orientation` tells it). What HEIF, AVIF and JPEG XL say of
    /// turns and mirrors is: it belongs to their coding, and the libraries apply it.
    ///
    /// - Parameters:
    ///   - file: all bytes of the file.
    ///   - encoding: what the file is held to be.
    ///   - directory: which directory of a TIFF, from 0; other files have only the first.
    ///   - mostPixels: the most pixels the picture may have; a larger one is refused before memory is taken.
    /// - Throws: `PictureFault` when the picture cannot be decoded, or most of it is lost. Where the rest could be
    ///   saved, that is a diagnostic of the drawing.
    public static func decode(
        _ file: [UInt8], _ encoding: ImageEncoding, directory: Int = 0, mostPixels: Int
    ) throws(PictureFault) -> DecodedImage {
        guard directory == 0 || encoding == .tiff else {
            throw PictureFault("the \(encoding.name) has no picture \(directory + 1)")
        }
        return switch encoding {
        case .jpeg: try JPEGDecoder.decode(file, mostPixels: mostPixels)
        case .png: try PNGDecoder.decode(file, mostPixels: mostPixels)
        case .gif: try GIFDecoder.decode(file, mostPixels: mostPixels)
        case .webp: try WebPDecoder.decode(file, mostPixels: mostPixels)
        case .tiff: try TIFFDecoder.decode(file, directory: directory, mostPixels: mostPixels)
        case .bmp: try BMPDecoder.decode(file, mostPixels: mostPixels)
        case .avif, .heif: try HEIFDecoder.decode(file, encoding, mostPixels: mostPixels)
        case .jpegXL: try JPEGXLDecoder.decode(file, mostPixels: mostPixels)
        case .jpeg2000, .jpeg2000Codestream:
            try JPEG2000Decoder.decodeForViewing(file, encoding, mostPixels: mostPixels)
        default: throw PictureFault("jisui cannot decode \(encoding.name)", kind: .unsupported)
        }
    }
}
