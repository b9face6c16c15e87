internal import CPNGShims
internal import PageModel

/// A decoder for PNG (ISO/IEC 15948) through libpng; from an APNG it reads the default image that plain PNG programs show.
enum PNGDecoder {
    /// Decodes a PNG.
    ///
    /// A tRNS chunk becomes alpha. With a palette it does so only if a pixel is transparent, and then the image is `.rgba`. Colors
    /// that chunks describe by numbers become a profile. A wrong checksum is reported, and the pixels are kept.
    static func decode(_ file: [UInt8], maximumPixels: Int) throws(PictureFault) -> DecodedImage {
        if PNGCodec.isAppleVariant(ByteReader(file)) { throw PictureFault(PNGCodec.appleVariant, kind: .unsupported) }
        let result = file.withUnsafeBufferPointer { bytes in
            Result { () throws(PictureFault) in try decode(bytes, maximumPixels) }
        }
        var image = try result.get()
        let reader = ByteReader(file)
        image.raster.iccProfile = PNGColors.profile(reader, own: image.raster.iccProfile)
        if image.raster.iccProfile != nil { image.loss = PNGColors.described(reader)?.colors.loss }
        return image
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ maximumPixels: Int
    ) throws(PictureFault) -> DecodedImage {
        var header = cpng_header()
        var diagnostic = cpng_diagnostic()
        guard let reader = cpng_open(bytes.baseAddress, bytes.count, &header, &diagnostic) else {
            throw diagnostic.fault
        }
        defer { cpng_close(reader) }
        let size = PixelSize(width: Int(header.width), height: Int(header.height))
        try size.check(.png, maximumPixels: maximumPixels)
        guard let format = format(header) else { throw .isBroken(.png, "color type \(header.color_type)") }
        try size.check(.png, maximumPixels: maximumPixels, bitsPerPixel: format.bitsPerPixel)
        let stride = Raster.bytesPerRow(width: size.width, format: format)
        var isRead = false
        let samples = [UInt8](unsafeUninitializedCapacity: stride * size.height) { buffer, count in
            // An interlaced row is merged with the earlier pass.
            buffer.initialize(repeating: 0)
            isRead = cpng_read(reader, buffer.baseAddress, stride, &diagnostic)
            count = stride * size.height
        }
        guard isRead else { throw diagnostic.fault }
        var raster = Raster(size: size, format: format, samples: samples).withWholePalette()
        if header.across > 0, header.down > 0 {
            raster.resolution = Resolution(
                horizontal: Double(header.across) * 0.0254, vertical: Double(header.down) * 0.0254)
        }
        if let profile = header.profile {
            raster.iccProfile = Array(UnsafeBufferPointer(start: profile, count: header.profile_size))
        }
        // All rows are present; a file that is truncated or damaged after them is still invalid.
        let isFinished = cpng_finish(reader, &diagnostic)
        var diagnostics: [Message] = isFinished ? [] : [diagnostic.fault.message]
        if cpng_has_wrong_checksum(reader) { diagnostics.insert("a checksum is wrong", at: 0) }
        return DecodedImage(raster: raster, diagnostics: diagnostics)
    }

    private static func format(_ header: cpng_header) -> PixelFormat? {
        let bits = Int(header.bit_depth)
        switch header.color_type {
        case 0: return .gray(bits: bits)
        case 2: return .rgb(bits: bits)
        case 3:
            let colors = withUnsafeBytes(of: header.palette) { Array($0.prefix(3 * Int(header.palette_count))) }
            return .palette(bits: bits, colors: colors)
        case 4: return .grayAlpha(bits: bits)
        case 6: return .rgba(bits: bits)
        default: return nil
        }
    }
}

extension cpng_diagnostic {
    fileprivate var fault: PictureFault {
        if ended { return .endsTooEarly(.png) }
        let text = withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return .isBroken(.png, text.isEmpty ? nil : Message(verbatim: text))
    }
}

/// PNG and APNG: <https://www.w3.org/TR/png-3/>, a signature and then chunks of length, name, data and CRC.
enum PNGCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.png]
    static let damageUnpacksPixels = true
    /// Each chunk has a checksum.
    static let noticesDamage = true

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try PNGDecoder.decode(file, maximumPixels: request.maximumPixels)
    }

    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { 0 }

    static func isLossless(_ bytes: ByteReader) -> Bool { true }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let signatures = [PictureSignature(.png, signature)]
    /// The last chunk, which never holds data: length 0, "IEND", its CRC.
    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    /// Whether a file is one of those that Xcode makes for iPhones: their data lack the head and the checksum of zlib.
    static func isAppleVariant(_ bytes: ByteReader) -> Bool { bytes.fourCC(at: 12) == "CgBI" }
    static let appleVariant: Message = "the PNG is in Apple's own variant (CgBI), which only Apple's programs show"

    static func size(in bytes: ByteReader) -> PixelSize? {
        if isAppleVariant(bytes), bytes.has("IHDR", at: 28) {
            return PixelSize(stated: bytes.uint32(at: 32), bytes.uint32(at: 36))
        }
        guard bytes.has("IHDR", at: 12) else { return nil }
        return PixelSize(stated: bytes.uint32(at: 16), bytes.uint32(at: 20))
    }

    /// Returns the bits of a pixel. A palette may become RGBA if one of its colors is transparent.
    static func bitsPerPixel(in bytes: ByteReader) -> Int? {
        guard bytes.has("IHDR", at: 12), let bits = bytes.uint8(at: 24), let type = bytes.uint8(at: 25) else {
            return nil
        }
        return [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type].map { $0 * bits }
    }

    /// Whether its samples are gray, with or without alpha.
    static func isGray(_ bytes: ByteReader) -> Bool {
        bytes.has("IHDR", at: 12) && bytes.uint8(at: 25).map { [0, 4].contains($0) } == true
    }

    /// Returns the orientation in an eXIf chunk, before or after the image's data (PNG 3rd edition §11.3.4.6).
    static func exifOrientation(in bytes: ByteReader) -> Int? {
        var offset = signature.count
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IEND" {
            if name == "eXIf" {
                return bytes.part(at: offset + 8, count: length).flatMap { TIFFDirectory($0)?.integer(.orientation) }
            }
            offset += 12 + length
        }
        return nil
    }

    /// Returns the frame count in the acTL chunk (PNG 3rd edition §11.3.6.1), which comes before the image's data.
    static func pictureCount(_ bytes: ByteReader) -> Int {
        var offset = 8
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4), name != "IDAT" {
            if name == "acTL" { return bytes.uint32(at: offset + 8) ?? 1 }
            offset += 12 + length
        }
        return 1
    }

    static func damage(_ bytes: ByteReader) -> Message? { PNGCheck.defect(bytes) }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        if bytes.has(end, at: bytes.count - end.count) { return true }
        // Data follow the last chunk, or it is missing: only the chunks themselves can show that.
        var offset = signature.count
        while let length = bytes.uint32(at: offset), let name = bytes.fourCC(at: offset + 4) {
            offset += 12 + length
            if name == "IEND" { return offset <= bytes.count }
        }
        return false
    }
}
