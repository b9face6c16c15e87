package import PageModel

/// The code for one image format, or for several with the same decoder: the signature, the header, the damage, the decoder.
protocol PictureCodec: Sendable {
    /// The formats that it decodes.
    static var encodings: [ImageEncoding] { get }

    /// The bytes with which its files begin, as far as all of a kind share them.
    static var signatures: [PictureSignature] { get }

    /// Returns the encoding if these bytes begin a file of this format; the content alone decides.
    ///
    /// A format whose signature is not enough has a method of its own.
    static func encoding(of bytes: ByteReader) -> ImageEncoding?

    /// Returns the size in the header; nil if the bytes end before it, or it is invalid.
    static func size(in bytes: ByteReader) -> PixelSize?

    /// Returns the bits of a pixel's decoded samples, alpha included; nil if the header does not contain them.
    static func bitsPerPixel(in bytes: ByteReader) -> Int?

    /// Returns the EXIF orientation, 1 to 8 (CIPA DC-008, tag 0x0112), if the bytes hold one.
    static func exifOrientation(in bytes: ByteReader) -> Int?

    /// Whether the file declares EXIF data after the image, and these bytes end before them.
    static func endsBeforeEXIF(_ bytes: ByteReader) -> Bool

    /// Whether the image is known to be gray.
    static func isGray(_ bytes: ByteReader) -> Bool

    /// See `EncodedPicture.isCMYK`.
    static func isCMYK(_ bytes: ByteReader) -> Bool

    /// Whether the image is known to have been encoded without loss.
    static func isLossless(_ bytes: ByteReader) -> Bool

    /// Whether the file holds a JPEG that can be restored byte for byte.
    static func holdsJPEG(_ bytes: ByteReader) -> Bool

    /// Returns the number of images in a whole file.
    static func pictureCount(_ bytes: ByteReader) -> Int

    /// Whether a file's bytes reach the end that its format requires. Bytes after that end are harmless.
    ///
    /// The check costs next to nothing for a complete file. If a format offers no cheap check, the result is true.
    static func isComplete(_ bytes: ByteReader) -> Bool

    /// Returns another defect of a file that reaches its end, if it shows at a small part of the cost of decoding.
    static func damage(_ bytes: ByteReader) -> Message?

    /// Whether `damage` unpacks the pixels of usual files.
    static var damageUnpacksPixels: Bool { get }

    /// Whether the format has checksums that notice damage.
    ///
    /// Decoders of other formats often continue after damage: of 80 flipped bits in JPEGs, 66 showed nothing to libjpeg.
    static var noticesDamage: Bool { get }

    /// Decodes the whole image. The encoding is one of `encodings`; a preview is made from the result.
    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage

    /// Returns the bytes a pixel that decoding takes in addition to the pixels; nil for as many as the pixels take.
    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double?
}

extension PictureCodec {
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        signatures.first { $0.begins(bytes) }?.encoding
    }

    static func bitsPerPixel(in bytes: ByteReader) -> Int? { nil }
    static func exifOrientation(in bytes: ByteReader) -> Int? { nil }
    static func endsBeforeEXIF(_ bytes: ByteReader) -> Bool { false }
    static func isGray(_ bytes: ByteReader) -> Bool { false }
    static func isCMYK(_ bytes: ByteReader) -> Bool { false }
    static func isLossless(_ bytes: ByteReader) -> Bool { false }
    static func holdsJPEG(_ bytes: ByteReader) -> Bool { false }
    static func pictureCount(_ bytes: ByteReader) -> Int { 1 }
    static func damage(_ bytes: ByteReader) -> Message? { nil }
    static var damageUnpacksPixels: Bool { false }
    static var noticesDamage: Bool { false }
    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { nil }

    /// Returns the damage that decoding finds. The result is nil also for an image that is too large for this check, or of an
    /// unknown kind.
    ///
    /// It is used for rare formats, and for a file that looks invalid and may not be.
    static func decodingDamage(_ bytes: ByteReader, _ encoding: ImageEncoding) -> Message? {
        do throws(PictureFault) {
            let image = try PictureDecoder.decode(bytes.array, encoding, maximumPixels: 50_000_000)
            return image.diagnostics.first
        } catch {
            return error.kind == .damaged ? error.message : nil
        }
    }
}

/// A codec that also encodes. Its format has a `PictureFormat.writing`.
protocol PictureEncodingCodec: PictureCodec {
    /// The most pixels that a side of an image may have.
    static var maximumPixelsPerSide: Int { get }

    /// Returns the loss of samples that the format cannot hold, even if it is lossless; a sentence fragment, or nil for no loss.
    static func loss(of raster: Raster) -> Message?

    static func encode(_ raster: Raster, _ fidelity: PictureEncoder.Fidelity) throws(PictureFault) -> [UInt8]

    /// Returns the memory that encoding takes in addition to the pixels.
    ///
    /// - Parameter bytesPerPixel: the bytes of a pixel in the raster.
    static func encodingMemory(_ size: PixelSize, bytesPerPixel: Double, isLossless: Bool) -> EncodingMemory

    /// The memory that keeping the coefficients of JPEGs takes, if the format can.
    static var coefficientMemory: CoefficientMemory { get }
}

extension PictureEncodingCodec {
    static var maximumPixelsPerSide: Int { .max }
    static func loss(of raster: Raster) -> Message? { nil }
    static var coefficientMemory: CoefficientMemory { CoefficientMemory() }
    static func encodingMemory(_ size: PixelSize, bytesPerPixel: Double, isLossless: Bool) -> EncodingMemory {
        EncodingMemory()
    }
}

/// The memory that an encoder takes in addition to the pixels.
package struct EncodingMemory: Hashable, Sendable {
    /// The bytes of its own for each pixel that it holds at a time.
    package var bytesPerPixel: Double = 0
    /// The rows that it holds at a time; nil for all.
    package var rows: Int?
    /// Whether it takes twice the bytes of the pixels: a copy in other samples, or filtered, and the file.
    package var copiesPixels = true
}

/// The codecs of the formats that jisui recognizes.
enum PictureCodecs {
    /// All codecs, in the order in which they are tried. The weakest signature is the last.
    static let all: [any PictureCodec.Type] = [
        JPEGCodec.self, PNGCodec.self, WebPCodec.self, GIFCodec.self, TIFFCodec.self, HEIFCodec.self,
        JPEGXLCodec.self, JPEG2000Codec.self, BMPCodec.self,
    ]

    /// Returns the codec for the format that these bytes begin, and its encoding.
    static func recognize(_ bytes: ByteReader) -> (codec: any PictureCodec.Type, encoding: ImageEncoding)? {
        for codec in all {
            if let encoding = codec.encoding(of: bytes) { return (codec, encoding) }
        }
        return nil
    }

    static func codec(for encoding: ImageEncoding) -> (any PictureCodec.Type)? {
        all.first { $0.encodings.contains(encoding) }
    }

    static func encoder(for encoding: ImageEncoding) -> (any PictureEncodingCodec.Type)? {
        codec(for: encoding) as? any PictureEncodingCodec.Type
    }
}

extension PixelSize {
    /// Returns the size in a header; nil if it lacks a side or one is not positive.
    init?(stated width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        self.init(width: width, height: height)
    }
}

/// The memory that an encoder takes to keep the coefficients of JPEGs, in bytes for each pixel.
package struct CoefficientMemory: Hashable, Sendable {
    /// For an image in color that is cropped, rotated or packed. Both images have coefficients.
    package var moving: Double = 12
    /// For a gray image.
    package var movingGray: Double = 6
    /// For images that are joined.
    package var joining: Double = 12
    /// The bytes for each byte of a file whose JPEG is restored.
    package var restoringByte = 0

    /// Returns the memory of the encoder for a format.
    package static func of(_ format: ImageEncoding) -> CoefficientMemory {
        PictureCodecs.encoder(for: format)?.coefficientMemory ?? CoefficientMemory()
    }
}
