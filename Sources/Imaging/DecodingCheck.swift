public import PageModel

/// The result of decoding an image only to see whether it can be decoded.
public enum DecodingCheck: Hashable, Sendable {
    /// Every coded byte was decoded, and the format or its coding shows damage.
    case sound
    /// The decoder reported nothing, but the format has no checksum and its coding accepts any bytes.
    case decodes
    /// The decoder or the format's checksums found damage.
    case damaged(Message)
    /// The image could not be decoded, for a reason unrelated to its data.
    case unchecked(Message)

    /// Decodes an image file.
    ///
    /// For a JPEG every coefficient is decoded, and its pixels at an eighth of their size; a warning of libjpeg counts as damage.
    /// Other formats are decoded completely. An image of more than `maxPixels` is `unchecked`.
    ///
    /// - Parameter file: all bytes of the file.
    public init(_ file: [UInt8], _ encoding: ImageEncoding, maxPixels: Int) {
        if let defect = PictureCheck.defect(in: file, encoding) {
            self = .damaged(defect)
            return
        }
        do throws(PictureFault) {
            let image =
                encoding == .jpeg
                ? try JPEGDecoder.decode(file, scale: 8, maximumPixels: maxPixels)
                : try PictureDecoder.decode(file, encoding, maximumPixels: maxPixels)
            self =
                if let defect = image.diagnostics.first {
                    .damaged(defect)
                } else {
                    PictureCodecs.codec(for: encoding)?.noticesDamage == true ? .sound : .decodes
                }
        } catch {
            // libjpeg reports unsupported frames and precisions in the same way as damage.
            let isUnknown = encoding == .jpeg && JPEGHeader(file).map { !$0.canBeDecoded } ?? false
            self = error.kind == .damaged && !isUnknown ? .damaged(error.message) : .unchecked(error.message)
        }
    }
}

extension JPEGHeader {
    /// Whether libjpeg decodes JPEGs of this kind: Huffman or arithmetic coding of DCT coefficients, 8 bits a sample.
    fileprivate var canBeDecoded: Bool {
        let frames: Set<Frame> = [.baseline, .extended, .progressive, .arithmeticSequential, .arithmeticProgressive]
        return frames.contains(frame) && precision == 8
    }
}
