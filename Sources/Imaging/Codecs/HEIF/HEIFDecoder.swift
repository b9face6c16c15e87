internal import CHEIF
internal import PageModel

/// A decoder for the primary image of an AVIF or HEIF through libheif, which is loaded for the first such image.
///
/// Samples of up to 8 bits give `.rgb(bits: 8)`; deeper ones are scaled up to 16 bits. Alpha is kept. Gray images become RGB
/// unless they have a gray profile. libheif applies the rotations, mirrors and crops that the file requests. Colors described by
/// numbers (nclx) instead of a profile get a profile made from them.
enum HEIFDecoder {
    static func decode(
        _ file: [UInt8], _ encoding: ImageEncoding, maximumPixels: Int
    ) throws(PictureFault) -> DecodedImage {
        guard let library = cheif_load()?.pointee else {
            throw PictureFault(
                "decoding \(encoding.name) needs libheif; install the package libheif1", kind: .unsupported)
        }
        let result = file.withUnsafeBytes { bytes in
            Result { () throws(PictureFault) in
                try HEIFPicture(library, encoding, isWhole: HEIFCodec.isComplete(ByteReader(file)))
                    .decode(bytes, maximumPixels: maximumPixels)
            }
        }
        var image = DecodedImage(raster: try result.get())
        if image.raster.iccProfile == nil, let colors = HEIFCodec.describedColors(in: ByteReader(file)) {
            image.raster.iccProfile = colors.profile(ofGray: false)
            if image.raster.iccProfile != nil { image.loss = colors.loss }
        }
        return image
    }
}

/// A context of libheif for one image.
private struct HEIFPicture {
    private let library: CHEIFFunctions
    private let encoding: ImageEncoding
    private let isWhole: Bool

    init(_ library: CHEIFFunctions, _ encoding: ImageEncoding, isWhole: Bool) {
        self.library = library
        self.encoding = encoding
        self.isWhole = isWhole
    }

    func decode(_ bytes: UnsafeRawBufferPointer, maximumPixels: Int) throws(PictureFault) -> Raster {
        guard let context = library.heif_context_alloc() else { throw .lacksMemory(encoding) }
        defer { library.heif_context_free(context) }
        // A side may be no longer than this limit, which also catches tiles with a false size.
        library.heif_context_set_maximum_image_size_limit(context, CInt(max(64, min(maximumPixels, 65_535))))
        try check(library.heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
        var handle: OpaquePointer?
        try check(library.heif_context_get_primary_image_handle(context, &handle))
        guard let handle else { throw .isBroken(encoding) }
        defer { library.heif_image_handle_release(handle) }
        let size = PixelSize(
            width: Int(library.heif_image_handle_get_width(handle)),
            height: Int(library.heif_image_handle_get_height(handle)))
        let hasAlpha = library.heif_image_handle_has_alpha_channel(handle) != 0
        let isDeep = library.heif_image_handle_get_luma_bits_per_pixel(handle) > 8
        try size.check(encoding, maximumPixels: maximumPixels, bitsPerPixel: (hasAlpha ? 4 : 3) * (isDeep ? 16 : 8))
        let chroma =
            isDeep
            ? (hasAlpha ? CHEIF_INTERLEAVED_DEEP_RGBA : CHEIF_INTERLEAVED_DEEP_RGB)
            : (hasAlpha ? CHEIF_INTERLEAVED_RGBA : CHEIF_INTERLEAVED_RGB)
        var image: OpaquePointer?
        try check(
            library.heif_decode_image(handle, &image, CInt(CHEIF_RGB), CInt(chroma), nil))
        guard let image else { throw .isBroken(encoding) }
        defer { library.heif_image_release(image) }
        let format: PixelFormat = hasAlpha ? .rgba(bits: isDeep ? 16 : 8) : .rgb(bits: isDeep ? 16 : 8)
        var raster = try raster(of: image, format, maximumPixels: maximumPixels)
        if hasAlpha, library.heif_image_handle_is_premultiplied_alpha(handle) != 0 { raster = raster.unpremultiplied() }
        raster.iccProfile = try profile(of: handle)
        return raster.withGrayIfProfiledSo()
    }

    private func raster(
        of image: OpaquePointer, _ format: PixelFormat, maximumPixels: Int
    ) throws(PictureFault) -> Raster {
        let channel = CInt(CHEIF_INTERLEAVED)
        // After rotations and crops only the image itself has the right size.
        let size = PixelSize(
            width: Int(library.heif_image_get_width(image, channel)),
            height: Int(library.heif_image_get_height(image, channel)))
        try size.check(encoding, maximumPixels: maximumPixels)
        var step: CInt = 0
        let row = Raster.bytesPerRow(width: size.width, format: format)
        guard let plane = library.heif_image_get_plane_readonly(image, channel, &step), step >= row else {
            throw .isBroken(encoding)
        }
        let samples = [UInt8](unsafeUninitializedCapacity: row * size.height) { output, count in
            if let base = output.baseAddress {
                for y in 0..<size.height { (base + y * row).update(from: plane + y * Int(step), count: row) }
            }
            count = row * size.height
        }
        let raster = Raster(size: size, format: format, samples: samples)
        let bits = Int(library.heif_image_get_bits_per_pixel_range(image, channel))
        return format.bitsPerSample == 16 && (9..<16).contains(bits) ? raster.scaled(from: bits) : raster
    }

    private func profile(of handle: OpaquePointer) throws(PictureFault) -> [UInt8]? {
        let count = library.heif_image_handle_get_raw_color_profile_size(handle)
        guard count > 0 else { return nil }
        var profile = [UInt8](repeating: 0, count: count)
        try check(library.heif_image_handle_get_raw_color_profile(handle, &profile))
        return profile
    }

    private func check(_ error: heif_error) throws(PictureFault) {
        guard error.code != CInt(CHEIF_OK) else { return }
        let text = error.message.map { Message(verbatim: String(cString: $0)) }
        let unsupported = [CHEIF_UNSUPPORTED_FILE, CHEIF_UNSUPPORTED_FEATURE].map { CInt($0) }
        if !isWhole { throw .endsTooEarly(encoding) }
        throw unsupported.contains(error.code)
            ? .isUnknown(encoding, "libheif does not support it: \(text ?? "no reason given")")
            : .isBroken(encoding, text)
    }
}

extension Raster {
    /// Returns samples of `bits` in 16 bits, scaled to the full range by repeating the highest bits.
    fileprivate func scaled(from bits: Int) -> Raster {
        var copy = samples
        copy.withUnsafeMutableBufferPointer { copy in
            for index in stride(from: 0, to: copy.count, by: 2) {
                let value = UInt32(copy[index]) << 8 | UInt32(copy[index + 1])
                let scaled = value << UInt32(16 - bits) | value >> UInt32(2 * bits - 16)
                copy[index] = UInt8(truncatingIfNeeded: scaled >> 8)
                copy[index + 1] = UInt8(truncatingIfNeeded: scaled)
            }
        }
        return with(format, copy)
    }

    /// Returns the raster as gray if its profile is for gray: libheif converted it to equal parts of red, green and blue.
    fileprivate func withGrayIfProfiledSo() -> Raster {
        guard let iccProfile, ICCProfile(iccProfile).colorSpace == "GRAY" else { return self }
        let bits = format.bitsPerSample
        let pixel = format.bitsPerPixel / 8
        var gray: [UInt8] = []
        for start in stride(from: 0, to: samples.count, by: pixel) {
            gray += samples[start..<start + bits / 8]
            if format.hasAlpha { gray += samples[start + pixel - bits / 8..<start + pixel] }
        }
        return with(format.hasAlpha ? .grayAlpha(bits: bits) : .gray(bits: bits), gray)
    }
}

/// AVIF and HEIF: images in ISO media boxes (ISO 23008-12; <https://aomediacodec.github.io/av1-avif/>).
enum HEIFCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.avif, .heif]

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try HEIFDecoder.decode(file, request.encoding, maximumPixels: request.maximumPixels)
    }

    private static let avif: Set<FourCC> = ["avif", "avis"]
    private static let hevc: Set<FourCC> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    /// The brands that promise the boxes, regardless of the codec in them.
    private static let structural: Set<FourCC> = ["mif1", "mif2", "msf1"]

    /// Files of the most common major brands. Before the brand is the size of its box.
    static let signatures = [PictureSignature(.avif, "....ftypavif"), PictureSignature(.heif, "....ftypheic")]

    /// Returns the encoding that the brands declare, because videos have the same boxes.
    ///
    /// The major brand decides, then the compatible ones in order.
    static func encoding(of bytes: ByteReader) -> ImageEncoding? {
        guard let box = ISOBox(bytes, at: 0), box.type == "ftyp", let contents = box.contents else { return nil }
        // The second of these words is the minor version.
        let brands = stride(from: 0, to: contents.count, by: 4).filter { $0 != 4 }.compactMap(contents.fourCC)
        for brand in brands {
            if avif.contains(brand) { return .avif }
            if hevc.contains(brand) { return .heif }
        }
        return brands.contains(where: structural.contains) ? .heif : nil
    }

    /// Whether the image's data are complete; they are in `mdat`, or in an `idat` within `meta`.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        ISOBox.areComplete(in: bytes, with: ["mdat"])
            || (ISOBox.first("meta", in: bytes).flatMap { ISOBox.first("idat", in: $0, from: 4) } != nil
                && ISOBox.all(in: bytes).allSatisfy(\.isComplete))
    }
}
