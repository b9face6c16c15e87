package import PageModel

/// The result of decoding an image only to see whether it can be decoded.
package enum DecodingCheck: Hashable, Sendable {
    /// Every coded byte was decoded, and the checksums of the format are right.
    case sound
    /// The decoder reported nothing, but the format has no checksum.
    case decodes
    /// The decoder or the format's checksums found damage.
    case damaged(Message)
    /// The image could not be decoded, for a reason unrelated to its data.
    case unchecked(Message)

    /// Decodes an image file.
    ///
    /// For a JPEG every coefficient is decoded, but no pixel. A warning of libjpeg, and data that no encoder writes, count as
    /// damage. Other formats are decoded completely. An image of more than `maxPixels` is `unchecked`.
    ///
    /// - Parameter file: all bytes of the file.
    package init(_ file: [UInt8], _ encoding: ImageEncoding, maxPixels: Int) {
        if let defect = PictureCheck.defect(in: file, encoding) {
            self = .damaged(defect)
            return
        }
        do throws(PictureFault) {
            if encoding == .jpeg {
                try JPEGCheck.check(file, maximumPixels: maxPixels)
                self = .decodes
                return
            }
            let image = try PictureDecoder.decode(file, encoding, maximumPixels: maxPixels)
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
