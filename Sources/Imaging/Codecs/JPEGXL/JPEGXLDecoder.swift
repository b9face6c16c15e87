internal import CJXL
package import PageModel

/// A decoder for the first frame of a JPEG XL through libjxl, which is loaded for the first such image.
///
/// Samples of up to 8 bits become 8, deeper and floating-point ones 16; gray and alpha are kept. libjxl applies the orientation.
enum JPEGXLDecoder {
    static func decode(_ file: [UInt8], maximumPixels: Int) throws(PictureFault) -> DecodedImage {
        guard let library = cjxl_load()?.pointee else {
            throw PictureFault(
                "decoding JPEG XL needs libjxl; install the package libjxl0.7, or a later one", kind: .unsupported)
        }
        let result = file.withUnsafeBufferPointer { bytes in
            Result { () throws(PictureFault) in try decode(bytes, library, maximumPixels) }
        }
        var image = DecodedImage(raster: try result.get().raster)
        if try result.get().isAnimation {
            image.pictureCount = file.withUnsafeBufferPointer { frameCount($0, library) }
        }
        return image
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ library: CJXLFunctions, _ maximumPixels: Int
    ) throws(PictureFault) -> (raster: Raster, isAnimation: Bool) {
        guard let decoder = library.JxlDecoderCreate(nil) else { throw .lacksMemory(.jpegXL) }
        defer { library.JxlDecoderDestroy(decoder) }
        let events = CJXL_BASIC_INFO | CJXL_COLOR_ENCODING | CJXL_FULL_IMAGE
        guard library.JxlDecoderSubscribeEvents(decoder, CInt(events)) == success,
            library.JxlDecoderSetUnpremultiplyAlpha(decoder, 1) == success,
            library.JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count) == success
        else { throw .isBroken(.jpegXL) }
        // The input stays open: then libjxl distinguishes truncated data from invalid data.
        var info = JxlBasicInfo()
        try step(library, decoder, to: CJXL_BASIC_INFO)
        guard library.JxlDecoderGetBasicInfo(decoder, &info) == success else { throw .isBroken(.jpegXL) }
        let size = PixelSize(width: Int(info.xsize), height: Int(info.ysize))
        let format = format(info)
        try size.check(.jpegXL, maximumPixels: maximumPixels, bitsPerPixel: format.bitsPerPixel)
        try step(library, decoder, to: CJXL_COLOR_ENCODING)
        let profile = try profile(decoder)
        try step(library, decoder, to: CJXL_NEED_IMAGE_OUT_BUFFER)
        let count = Raster.bytesPerRow(width: size.width, format: format) * size.height
        var pixels = JxlPixelFormat(format)
        var expected = 0
        guard library.JxlDecoderImageOutBufferSize(decoder, &pixels, &expected) == success, expected == count else {
            throw .isBroken(.jpegXL)
        }
        var fault: PictureFault?
        let samples = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            output.initialize(repeating: 0)
            filled = count
            guard library.JxlDecoderSetImageOutBuffer(decoder, &pixels, output.baseAddress, count) == success else {
                fault = .isBroken(.jpegXL)
                return
            }
            // The buffer must stay in place until this is done.
            do throws(PictureFault) {
                try step(library, decoder, to: CJXL_FULL_IMAGE)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        let raster = Raster(size: size, format: format, samples: samples, iccProfile: profile)
        return (raster, info.have_animation != 0)
    }

    /// Returns the number of frames of an animation, without decoding their pixels; at least 1.
    private static func frameCount(_ bytes: UnsafeBufferPointer<UInt8>, _ library: CJXLFunctions) -> Int {
        guard let decoder = library.JxlDecoderCreate(nil) else { return 1 }
        defer { library.JxlDecoderDestroy(decoder) }
        guard library.JxlDecoderSubscribeEvents(decoder, CInt(CJXL_FRAME)) == success,
            library.JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count) == success
        else { return 1 }
        library.JxlDecoderCloseInput(decoder)
        var count = 0
        while library.JxlDecoderProcessInput(decoder) == CInt(CJXL_FRAME) { count += 1 }
        return max(1, count)
    }

    private static var success: CInt { CInt(CJXL_SUCCESS) }

    /// Runs libjxl until it reports `event`.
    private static func step(
        _ library: CJXLFunctions, _ decoder: OpaquePointer, to event: Int
    ) throws(PictureFault) {
        let status = library.JxlDecoderProcessInput(decoder)
        if status == CInt(event) { return }
        throw status == CInt(CJXL_NEED_MORE_INPUT) ? .endsTooEarly(.jpegXL) : .isBroken(.jpegXL)
    }

    private static func format(_ info: JxlBasicInfo) -> PixelFormat {
        let bits = info.bits_per_sample > 8 || info.exponent_bits_per_sample > 0 ? 16 : 8
        if info.num_color_channels == 1 { return info.alpha_bits > 0 ? .grayAlpha(bits: bits) : .gray(bits: bits) }
        return info.alpha_bits > 0 ? .rgba(bits: bits) : .rgb(bits: bits)
    }

    /// Returns the profile of the samples; nil for sRGB, and for gray with its tone curve.
    private static func profile(_ decoder: OpaquePointer) throws(PictureFault) -> [UInt8]? {
        var encoding = JxlColorEncoding()
        if cjxl_color_encoding(decoder, &encoding) == success,
            encoding.transfer_function == CInt(CJXL_TRANSFER_SRGB),
            encoding.white_point == CInt(CJXL_WHITE_D65)
        {
            if encoding.color_space == CInt(CJXL_SPACE_GRAY) { return nil }
            if encoding.color_space == CInt(CJXL_SPACE_RGB),
                encoding.primaries == CInt(CJXL_PRIMARIES_SRGB)
            {
                return nil
            }
        }
        var count = 0
        guard cjxl_profile_size(decoder, &count) == success, count > 0 else { return nil }
        var profile = [UInt8](repeating: 0, count: count)
        guard cjxl_profile(decoder, &profile, count) == success else { return nil }
        // Black is then in a channel of its own, without which the image would look quite different.
        guard ICCProfile(profile).colorSpace != "CMYK" else { throw .isUnknown(.jpegXL, "its colors are CMYK") }
        return profile
    }
}

/// JPEG XL: a bare codestream (ISO 18181-1) or one in boxes (ISO 18181-2).
enum JPEGXLCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.jpegXL]

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try JPEGXLDecoder.decode(file, maximumPixels: request.maximumPixels)
    }

    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { 12 }

    static func isLossless(_ bytes: ByteReader) -> Bool { !holdsJPEG(bytes) && keepsSamples(bytes) }

    private static let container: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    private static let codestream: [UInt8] = [0xFF, 0x0A]

    static let signatures = [PictureSignature(.jpegXL, codestream), PictureSignature(.jpegXL, container)]

    static func size(in bytes: ByteReader) -> PixelSize? {
        guard var bits = header(bytes) else { return nil }
        return sizeHeader(&bits).map { orientation(&bits).applied(to: $0) }
    }

    /// Returns the orientation in the codestream.
    static func orientation(in bytes: ByteReader) -> Orientation {
        guard var bits = header(bytes), sizeHeader(&bits) != nil else { return .upright }
        return orientation(&bits)
    }

    /// Returns the beginning of the codestream, after its signature.
    private static func header(_ bytes: ByteReader) -> BitReader? {
        func payload(_ bytes: ByteReader) -> BitReader? {
            bytes.has(codestream) ? bytes.part(from: 2).map { BitReader($0) } : nil
        }
        if bytes.has(codestream) { return payload(bytes) }
        for box in ISOBox.all(in: bytes) {
            if box.type == "jxlc" { return box.contents.flatMap(payload) }
            // A piece of the codestream, after the piece's number.
            if box.type == "jxlp" { return box.contents?.part(from: 4).flatMap(payload) }
        }
        return nil
    }

    /// Reads the SizeHeader bundle (ISO 18181-1, D.2).
    private static func sizeHeader(_ bits: inout BitReader) -> PixelSize? {
        guard let isSmall = bits.take(1).map({ $0 == 1 }), let height = side(&bits, isSmall: isSmall),
            let ratio = bits.take(3)
        else { return nil }
        let width: Int?
        if ratio > 0 {
            let (numerator, denominator) = ratios[ratio - 1]
            width = height * numerator / denominator
        } else {
            width = side(&bits, isSmall: isSmall)
        }
        return PixelSize(stated: width, height)
    }

    /// Reads the orientation after the size (D.3.1).
    ///
    /// It is in three bits, if the metadata are not all the default (1) and have extra fields (1).
    private static func orientation(_ bits: inout BitReader) -> Orientation {
        guard bits.take(1) == 0, bits.take(1) == 1, let value = bits.take(3) else { return .upright }
        return Orientation(exif: value + 1) ?? .upright
    }

    /// Whether the samples are coded as they are, which only lossless coders do, rather than in the XYB space.
    ///
    /// False if the flag comes after a rare field (D.3.1): animations, floating point, channels other than a plain alpha.
    private static func keepsSamples(_ bytes: ByteReader) -> Bool {
        guard var bits = header(bytes), sizeHeader(&bits) != nil, bits.take(1) == 0 else { return false }
        // No intrinsic size, no preview and no animation after the orientation.
        if bits.take(1) == 1 { guard bits.take(3) != nil, bits.take(3) == 0 else { return false } }
        guard bits.take(1) == 0, let depth = bits.take(2), depth < 3 || bits.take(6) != nil, bits.take(1) != nil,
            let channels = bits.take(2), channels == 0 || channels == 1 && bits.take(1) == 1
        else { return false }
        return bits.take(1) == 0
    }

    /// Reads one side: small ones are multiples of eight in five bits; two bits give the number of bits of the others.
    private static func side(_ bits: inout BitReader, isSmall: Bool) -> Int? {
        if isSmall { return bits.take(5).map { 8 * ($0 + 1) } }
        return bits.take(2).flatMap { bits.take([9, 13, 18, 30][$0]) }.map { $0 + 1 }
    }

    private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

    /// Whether the file holds the coding of the JPEG from which it was made (ISO 18181-2, 9.5).
    static func holdsJPEG(_ bytes: ByteReader) -> Bool {
        bytes.has(container) && ISOBox.all(in: bytes).contains { $0.type == "jbrd" }
    }

    /// Whether the file is complete, as far as that shows: a bare codestream does not contain its length.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        bytes.has(codestream) || ISOBox.areComplete(in: bytes, with: ["jxlc", "jxlp"])
    }

    /// A reader of bits from the lowest of each byte upwards.
    private struct BitReader {
        private let bytes: ByteReader
        private var position = 0

        init(_ bytes: ByteReader) {
            self.bytes = bytes
        }

        mutating func take(_ count: Int) -> Int? {
            var value = 0
            for bit in 0..<count {
                guard let byte = bytes.uint8(at: position / 8) else { return nil }
                value |= (byte >> (position % 8) & 1) << bit
                position += 1
            }
            return value
        }
    }
}

/// The restoration of the JPEG from which a JPEG XL file was made.
package enum JXLReconstruction {
    /// Restores the JPEG packed in a JPEG XL file, byte for byte.
    ///
    /// - Throws: `PictureFault` if the file contains no JPEG that can be restored.
    package static func jpeg(of file: [UInt8]) throws(PictureFault) -> [UInt8] {
        // A JPEG is a quarter larger than the file made from it; one many times larger would consist of blanks.
        guard let jpeg = jpeg(of: file, maximumBytes: 16 * file.count + 1 << 20) else {
            throw PictureFault("the JPEG in the JPEG XL cannot be restored")
        }
        return jpeg
    }

    /// Returns the orientation that programs apply to the JPEG XL, regardless of that in the JPEG.
    package static func orientation(of file: [UInt8]) -> Orientation {
        JPEGXLCodec.orientation(in: ByteReader(file))
    }

    /// Returns the JPEG that a file holds; nil if it does not hold one, or it is longer than `maximumBytes` bytes.
    static func jpeg(of file: [UInt8], maximumBytes: Int) -> [UInt8]? {
        guard let library = cjxl_load()?.pointee, let decoder = library.JxlDecoderCreate(nil) else { return nil }
        defer { library.JxlDecoderDestroy(decoder) }
        let wanted = CInt(CJXL_JPEG_RECONSTRUCTION | CJXL_FULL_IMAGE)
        guard library.JxlDecoderSubscribeEvents(decoder, wanted) == CJXL_SUCCESS else { return nil }
        return file.withUnsafeBufferPointer { file in
            guard library.JxlDecoderSetInput(decoder, file.baseAddress, file.count) == CJXL_SUCCESS else {
                return nil
            }
            library.JxlDecoderCloseInput(decoder)
            guard library.JxlDecoderProcessInput(decoder) == CJXL_JPEG_RECONSTRUCTION else { return nil }
            let jpeg = [UInt8](unsafeUninitializedCapacity: maximumBytes) { buffer, count in
                guard library.JxlDecoderSetJPEGBuffer(decoder, buffer.baseAddress, maximumBytes) == CJXL_SUCCESS else {
                    return
                }
                let isWhole = library.JxlDecoderProcessInput(decoder) == CJXL_FULL_IMAGE
                let left = library.JxlDecoderReleaseJPEGBuffer(decoder)
                if isWhole { count = maximumBytes - min(maximumBytes, left) }
            }
            return jpeg.isEmpty ? nil : jpeg
        }
    }
}
