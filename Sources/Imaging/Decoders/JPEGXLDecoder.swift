internal import CJXL
internal import PageModel

/// Decodes the first frame of a JPEG XL through libjxl, which is loaded when the first one comes.
///
/// Samples of up to 8 bits come as 8, deeper and floating-point ones as 16; gray and alpha are kept. The orientation
/// is applied by libjxl.
enum JPEGXLDecoder {
    static func decode(_ file: [UInt8], mostPixels: Int) throws(PictureFault) -> DecodedImage {
        guard let library = cjxl_load()?.pointee else {
            throw PictureFault(
                "decoding JPEG XL needs libjxl; install the package libjxl0.7, or a later one", kind: .unsupported)
        }
        let result = file.withUnsafeBufferPointer { bytes in
            Result { () throws(PictureFault) in try decode(bytes, library, mostPixels) }
        }
        return DecodedImage(raster: try result.get())
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ library: CJXLFunctions, _ mostPixels: Int
    ) throws(PictureFault) -> Raster {
        guard let decoder = library.JxlDecoderCreate(nil) else { throw .lacksMemory(.jpegXL) }
        defer { library.JxlDecoderDestroy(decoder) }
        let events = CJXL_BASIC_INFO | CJXL_COLOR_ENCODING | CJXL_FULL_IMAGE
        guard library.JxlDecoderSubscribeEvents(decoder, CInt(events)) == success,
            library.JxlDecoderSetUnpremultiplyAlpha(decoder, 1) == success,
            library.JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count) == success
        else { throw .isBroken(.jpegXL) }
        // The input is not closed: then libjxl tells data that end too early from data that are broken.
        var info = JxlBasicInfo()
        try step(library, decoder, to: CJXL_BASIC_INFO)
        guard library.JxlDecoderGetBasicInfo(decoder, &info) == success else { throw .isBroken(.jpegXL) }
        let size = PixelSize(width: Int(info.xsize), height: Int(info.ysize))
        try size.check(.jpegXL, mostPixels: mostPixels)
        let format = format(info)
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
            // The buffer must stay where it is until this is done.
            do throws(PictureFault) {
                try step(library, decoder, to: CJXL_FULL_IMAGE)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        return Raster(size: size, format: format, samples: samples, iccProfile: profile)
    }

    private static var success: CInt { CInt(CJXL_SUCCESS) }

    /// Has libjxl go on until it reports `event`.
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

    /// The profile of the samples; nil for sRGB, and for gray with its tone curve.
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
        // Black is then in a channel of its own, without which the picture would look quite different.
        guard ICCProfile(profile).colorSpace != "CMYK" else { throw .isUnknown(.jpegXL, "its colours are CMYK") }
        return profile
    }
}
