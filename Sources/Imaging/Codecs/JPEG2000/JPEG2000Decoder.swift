internal import COpenJPEG
internal import PageModel

/// A decoder for JPEG 2000 (ISO/IEC 15444-1) through OpenJPEG, from a JP2 file or a bare codestream.
enum JPEG2000Decoder {
    /// Decodes an image as exactly as `Raster` can hold it.
    ///
    /// Other depths are scaled up to 8 or 16 bits, subsampled components are repeated, sYCC and CMYK are converted to RGB. Alpha
    /// is kept.
    ///
    /// - Parameter isExact: see `DecodeRequest`.
    static func decode(
        _ file: [UInt8], _ encoding: ImageEncoding, maximumPixels: Int, isExact: Bool
    ) throws(PictureFault) -> DecodedImage {
        let reader = ByteReader(file)
        guard let size = JPEG2000Codec.size(in: reader) else { throw .endsTooEarly(encoding) }
        try size.check(encoding, maximumPixels: maximumPixels)
        let isWhole = JPEG2000Codec.isComplete(reader)
        let result = withImage(file, pixels: maximumPixels) { image in
            Result { () throws(PictureFault) in
                if let exact = raster(of: image) { return DecodedImage(raster: exact) }
                if isExact { throw .isUnknown(encoding, "PNG cannot hold its samples exactly") }
                return try JPEG2000Components(image).drawing(encoding, maximumPixels: maximumPixels)
            }
        }
        guard let result else { throw isWhole ? .isBroken(encoding) : .endsTooEarly(encoding) }
        // OpenJPEG decodes as much as it can, and does not report missing data.
        var drawing = try result.get()
        if !isWhole { drawing.diagnostics.append(PictureFault.endsTooEarly(encoding).message) }
        return drawing
    }

    /// Calls `body` with the image that OpenJPEG decoded; returns nil if it cannot.
    private static func withImage<Result>(_ data: [UInt8], pixels: Int, _ body: (opj_image_t) -> Result) -> Result? {
        let isFile = data.starts(with: [0, 0, 0, 12])
        guard let codec = opj_create_decompress(isFile ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K) else { return nil }
        defer { opj_destroy_codec(codec) }
        var parameters = opj_dparameters_t()
        opj_set_default_decoder_parameters(&parameters)
        guard opj_setup_decoder(codec, &parameters) == OPJ_TRUE else { return nil }
        let source = MemoryStream(data)
        guard let stream = source.open() else { return nil }
        defer { opj_stream_destroy(stream) }
        var image: UnsafeMutablePointer<opj_image_t>?
        defer { opj_image_destroy(image) }
        guard opj_read_header(stream, codec, &image) == OPJ_TRUE, let header = image?.pointee else { return nil }
        let area = Int(header.x1 &- header.x0).multipliedReportingOverflow(by: Int(header.y1 &- header.y0))
        // Each component needs memory of its own.
        guard !area.overflow, area.partialValue <= pixels, header.numcomps <= 8,
            opj_decode(codec, stream, image) == OPJ_TRUE, opj_end_decompress(codec, stream) == OPJ_TRUE,
            let decoded = image?.pointee
        else { return nil }
        return withExtendedLifetime(source) { body(decoded) }
    }

    private static func raster(of image: opj_image_t) -> Raster? {
        let components = UnsafeBufferPointer(start: image.comps, count: Int(image.numcomps))
        guard let first = components.first, components.count == 1 || components.count == 3,
            [OPJ_CLRSPC_UNSPECIFIED, OPJ_CLRSPC_UNKNOWN, OPJ_CLRSPC_SRGB, OPJ_CLRSPC_GRAY].contains(image.color_space),
            [8, 16].contains(first.prec), first.w > 0, first.h > 0
        else { return nil }
        let isUniform = components.allSatisfy {
            $0.prec == first.prec && $0.w == first.w && $0.h == first.h && $0.sgnd == 0 && $0.alpha == 0
                && $0.dx == 1 && $0.dy == 1
        }
        let planes = components.compactMap { $0.data.map { UnsafePointer($0) } }
        guard isUniform, planes.count == components.count else { return nil }
        let bits = Int(first.prec)
        let size = PixelSize(width: Int(first.w), height: Int(first.h))
        let format: PixelFormat = planes.count == 1 ? .gray(bits: bits) : .rgb(bits: bits)
        let total = size.area * format.bitsPerPixel / 8
        let samples = [UInt8](unsafeUninitializedCapacity: total) { output, count in
            var index = 0
            for pixel in 0..<size.area {
                for plane in planes {
                    if bits == 16 {
                        output[index] = UInt8(truncatingIfNeeded: plane[pixel] >> 8)
                        index += 1
                    }
                    output[index] = UInt8(truncatingIfNeeded: plane[pixel])
                    index += 1
                }
            }
            count = total
        }
        let profile = image.icc_profile_buf.map {
            Array(UnsafeBufferPointer(start: $0, count: Int(image.icc_profile_len)))
        }
        return Raster(size: size, format: format, samples: samples, iccProfile: profile)
    }
}

extension MemoryStream {
    /// Returns OpenJPEG's handle; this object has to outlive it.
    fileprivate func open() -> UnsafeMutablePointer<opj_stream_t?>? {
        guard let stream = opj_stream_create(1 << 16, OPJ_TRUE) else { return nil }
        opj_stream_set_user_data(stream, handle, nil)
        opj_stream_set_user_data_length(stream, UInt64(count))
        opj_stream_set_read_function(stream) { buffer, count, me in
            let read = MemoryStream.from(me)?.read(into: buffer, count) ?? 0
            return read > 0 ? read : -1
        }
        opj_stream_set_skip_function(stream) { count, me in
            guard let stream = MemoryStream.from(me) else { return -1 }
            let (target, overflow) = stream.position.addingReportingOverflow(Int(count))
            return !overflow && stream.move(to: target) ? count : -1
        }
        opj_stream_set_seek_function(stream) { target, me in
            MemoryStream.from(me)?.move(to: Int(target)) ?? false ? OPJ_TRUE : OPJ_FALSE
        }
        return stream
    }
}

/// JPEG 2000: boxes (JP2 and JPX, ITU-T T.800 Annex I) or a bare codestream (Annex A).
enum JPEG2000Codec: PictureCodec {
    static let encodings: [ImageEncoding] = [.jpeg2000, .jpeg2000Codestream]
    private static let container: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    /// The markers SOC and SIZ.
    private static let codestream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try JPEG2000Decoder.decode(
            file, request.encoding, maximumPixels: request.maximumPixels, isExact: request.isExact)
    }

    /// Returns 32 bits a sample, as a tile and as a component.
    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { Double(picture.bitsPerPixel ?? 24) }

    static let signatures = [
        PictureSignature(.jpeg2000, container), PictureSignature(.jpeg2000Codestream, codestream),
    ]

    /// Returns the number of codestreams: JPX files may have several (ITU-T T.801, annex M).
    static func pictureCount(_ bytes: ByteReader) -> Int { ISOBox.all(in: bytes).count { $0.type == "jp2c" } }

    static func size(in bytes: ByteReader) -> PixelSize? {
        if bytes.has(codestream) { return codestreamSize(bytes) }
        for box in ISOBox.all(in: bytes) {
            guard let contents = box.contents else { return nil }
            if box.type == "jp2h", let header = ISOBox.first("ihdr", in: contents) {
                return PixelSize(stated: header.uint32(at: 4), header.uint32(at: 0))
            }
            if box.type == "jp2c" { return codestreamSize(contents) }
        }
        return nil
    }

    /// Returns the reference grid less the offset of the image in it (T.800 A.5.1).
    private static func codestreamSize(_ bytes: ByteReader) -> PixelSize? {
        guard bytes.has(codestream), let right = bytes.uint32(at: 8), let bottom = bytes.uint32(at: 12),
            let left = bytes.uint32(at: 16), let top = bytes.uint32(at: 20)
        else { return nil }
        return PixelSize(stated: right - left, bottom - top)
    }

    /// Whether the wavelets are the reversible ones (T.800 A.6.1). A writer may still have dropped some of their output, which
    /// the file does not record.
    static func isLossless(_ bytes: ByteReader) -> Bool {
        guard let stream = bytes.has(codestream) ? bytes : ISOBox.first("jp2c", in: bytes) else { return false }
        var offset = 2
        while let marker = stream.uint16(at: offset), let length = stream.uint16(at: offset + 2), length >= 2 {
            if marker == 0xFF52 { return stream.uint8(at: offset + 13) == 1 }
            // The first tile begins.
            if marker == 0xFF90 { return false }
            offset += 2 + length
        }
        return false
    }

    /// Returns the number of components, and the bits of the first.
    ///
    /// They are in a file's header box (T.800 I.5.3.1), or in the codestream's size marker (A.5.1).
    static func bitsPerPixel(in bytes: ByteReader) -> Int? {
        let components: Int?
        let bits: Int?
        if bytes.has(codestream) {
            (components, bits) = (bytes.uint16(at: 40), bytes.uint8(at: 42))
        } else {
            let header = ISOBox.first("jp2h", in: bytes).flatMap { ISOBox.first("ihdr", in: $0) }
            (components, bits) = (header?.uint16(at: 8), header?.uint8(at: 10))
        }
        guard let components, let bits else { return nil }
        return components * (bits & 0x7F + 1)
    }

    static func isComplete(_ bytes: ByteReader) -> Bool {
        if bytes.has(codestream) { return tilesAreComplete(bytes) }
        for box in ISOBox.all(in: bytes) {
            guard box.isComplete else { return false }
            if box.type == "jp2c" { return box.contents.map(tilesAreComplete) ?? false }
        }
        return false
    }

    /// Follows the tile-parts, each with its own length, to the end marker (T.800 A.4.2, A.4.4).
    private static func tilesAreComplete(_ bytes: ByteReader) -> Bool {
        let end: [UInt8] = [0xFF, 0xD9]
        var offset = 2
        while let marker = bytes.uint16(at: offset), marker != 0xFF90 {
            guard marker > 0xFF00, let length = bytes.uint16(at: offset + 2), length >= 2 else { return false }
            offset += 2 + length
        }
        while bytes.uint16(at: offset) == 0xFF90 {
            guard let length = bytes.uint32(at: offset + 6) else { return false }
            // Zero means that the last one ends at the end marker.
            if length == 0 { return bytes.has(end, at: bytes.countWithoutPadding - end.count) }
            guard length >= 14 else { return false }
            offset += length
        }
        return bytes.has(end, at: offset)
    }
}
