internal import CJXL
public import PageModel

/// Encodes JPEG XL: from a JPEG that can be restored later, or from samples, lossless or lossy.
public enum JXLEncoder {
    /// Packs a JPEG into a JPEG XL file about a fifth smaller, from which it can be restored byte for byte.
    ///
    /// The JPEG is restored once to make sure: from JPEGs with unusual sampling libjxl 0.7 makes files that it cannot read
    /// itself. Libjxl puts the orientation that the JPEG's EXIF data ask for in the codestream, where readers look for it.
    ///
    /// - Returns: the bytes of the JPEG XL file.
    /// - Throws: `PictureFault` when libjxl is not installed, or cannot pack the JPEG, for example because it is damaged,
    ///   coded arithmetically or CMYK.
    public static func transcode(_ jpeg: [UInt8]) throws(PictureFault) -> [UInt8] {
        let session = try JXLSession()
        try session.check("be made a container") { $0.JxlEncoderUseContainer(session.handle, 1) }
        try session.check("keep the JPEG's metadata") { $0.JxlEncoderStoreJPEGMetadata(session.handle, 1) }
        try session.check("hold this JPEG", otherwise: .unsupported) {
            $0.JxlEncoderAddJPEGFrame(session.settings, jpeg, jpeg.count)
        }
        let file = try session.finish()
        // With room for one byte more than there should be, so that a longer file is not taken for the same.
        guard JXLReconstruction.jpeg(of: file, most: jpeg.count + 1) == jpeg else {
            throw PictureFault(
                "the JPEG XL cannot hold this JPEG: it would not come back as it is", kind: .unsupported)
        }
        // It reads EXIF data more strictly than others do.
        guard JXLReconstruction.orientation(of: file) == PictureHeader(jpeg)?.orientation else {
            throw PictureFault(
                "the JPEG XL cannot hold this JPEG: it would be shown turned otherwise", kind: .unsupported)
        }
        return file
    }

    /// Encodes a raster with its profile; without one its samples are sRGB.
    ///
    /// Samples of less than 8 bits become 8 and palettes RGB, without loss. JPEG XL cannot store a resolution.
    ///
    /// - Parameters:
    ///   - quality: 0 to 100 on the scale of libjxl's own tools, where 90 looks like the original; nil for a lossless file.
    ///   - effort: 1 to 9, how long libjxl looks for a smaller file. When nil, 3 for a lossless file and 5 for a lossy one:
    ///     beyond that, twice the time saves about a twentieth.
    /// - Throws: `PictureFault` when libjxl is not installed, or refuses the picture or its profile.
    public static func encode(_ raster: Raster, quality: Int?, effort: Int? = nil) throws(PictureFault) -> [UInt8] {
        let effort = effort ?? (quality == nil ? 3 : 5)
        let raster = raster.widened()
        let session = try JXLSession()
        let format = raster.format
        let bits = UInt32(format.bitsPerSample)
        try session.check("take the picture's size") { library in
            var info = JxlBasicInfo()
            library.JxlEncoderInitBasicInfo(&info)
            info.xsize = UInt32(clamping: raster.size.width)
            info.ysize = UInt32(clamping: raster.size.height)
            info.bits_per_sample = bits
            info.num_color_channels = UInt32(format.colorants)
            info.num_extra_channels = format.hasAlpha ? 1 : 0
            info.alpha_bits = format.hasAlpha ? bits : 0
            // Otherwise libjxl converts to its own colours, which cannot be undone without loss.
            info.uses_original_profile = quality == nil ? 1 : 0
            return library.JxlEncoderSetBasicInfo(session.handle, &info)
        }
        try session.check("take the picture's profile") { library in
            if let profile = raster.iccProfile {
                return library.JxlEncoderSetICCProfile(session.handle, profile, profile.count)
            }
            var colors = JxlColorEncoding()
            library.JxlColorEncodingSetToSRGB(&colors, format.colorants == 1 ? 1 : 0)
            return library.JxlEncoderSetColorEncoding(session.handle, &colors)
        }
        try session.check("be encoded at effort \(effort)") {
            $0.JxlEncoderFrameSettingsSetOption(session.settings, CInt(CJXL_EFFORT), Int64(effort))
        }
        try session.check("be encoded at this quality") { library in
            if let quality {
                return library.JxlEncoderSetFrameDistance(session.settings, distance(ofQuality: quality))
            }
            return library.JxlEncoderSetFrameLossless(session.settings, 1)
        }
        var file: [UInt8] = []
        let height = rowsPerFrame(of: raster.size)
        for top in stride(from: 0, to: raster.size.height, by: height) {
            let frame = raster.rows(top..<min(top + height, raster.size.height))
            if height < raster.size.height { try session.place(frame.size, atRow: top) }
            try session.check("take the picture's samples") { library in
                var pixels = JxlPixelFormat(format)
                return library.JxlEncoderAddImageFrame(session.settings, &pixels, frame.samples, frame.samples.count)
            }
            // Encoded now, so that only one frame is in memory.
            if top + height < raster.size.height { file += try session.output() }
        }
        return file + (try session.finish())
    }

    /// How many rows of a picture are encoded at once: all of a small one.
    ///
    /// A larger picture becomes several frames without duration, one below the other, which decoders put together: libjxl
    /// 0.7 takes up to 69 bytes of memory for each pixel of a frame. A frame has a multiple of 256 rows, the size of the
    /// groups that a frame is coded in.
    public static func rowsPerFrame(of size: PixelSize) -> Int {
        let limits = JXLLimits()
        guard size.area > limits.mostPixelsOfOnlyFrame else { return max(1, size.height) }
        return max(1, limits.pixelsOfFrame / size.width / 256) * 256
    }

    /// The distance from the original, in units of what an eye just sees, that libjxl's tools take for a quality.
    ///
    /// `JxlEncoderDistanceFromQuality` of libjxl 0.9, which earlier versions lack. They know no distance beyond 15, so
    /// that qualities below 10 are like 10. 100 is lossy as well, though hardly: what is asked for here is not exact.
    static func distance(ofQuality quality: Int) -> Float {
        let quality = Float(min(max(quality, 0), 100))
        if quality == 100 { return 0.05 }
        let distance =
            quality >= 30 ? 0.1 + (100 - quality) * 0.09 : 53 / 3000 * quality * quality - 23 / 20 * quality + 25
        return min(distance, 15)
    }
}

/// How large the frames of a JPEG XL are.
private struct JXLLimits {
    /// The most pixels of a picture that is one frame: a page of A4 has 8.7 million at 300 pixels per inch.
    let mostPixelsOfOnlyFrame = 9_000_000
    /// The pixels of a frame of a larger picture: 24 million pixels of noise take 400 MB so, and 1,650 MB as one frame.
    let pixelsOfFrame = 4_000_000
}

/// One file that libjxl encodes.
final class JXLSession {
    let handle: OpaquePointer
    /// Belongs to the handle.
    let settings: OpaquePointer
    private let library: CJXLFunctions

    /// - Throws: `PictureFault` when libjxl is not installed.
    init() throws(PictureFault) {
        guard let library = cjxl_load()?.pointee else {
            throw PictureFault(
                "making JPEG XL takes libjxl, 0.7 to 0.11, which is not installed", kind: .unsupported)
        }
        guard let handle = library.JxlEncoderCreate(nil) else {
            throw PictureFault("there is no memory for a JPEG XL encoder")
        }
        guard let settings = library.JxlEncoderFrameSettingsCreate(handle, nil) else {
            library.JxlEncoderDestroy(handle)
            throw PictureFault("there is no memory for a JPEG XL encoder")
        }
        self.library = library
        self.handle = handle
        self.settings = settings
    }

    deinit {
        library.JxlEncoderDestroy(handle)
    }

    /// Calls one function, and fails if it does.
    ///
    /// - Parameter what: what the file could not do or suffer, for the message.
    func check(
        _ what: String, otherwise kind: PictureFault.Kind = .damaged, _ body: (CJXLFunctions) -> CInt
    ) throws(PictureFault) {
        if body(library) == CInt(CJXL_SUCCESS) { return }
        throw PictureFault(
            "the JPEG XL cannot \(what) (libjxl's error \(library.JxlEncoderGetError(handle)))", kind: kind)
    }

    /// Puts the next frame over what is already there, in the whole width.
    func place(_ size: PixelSize, atRow top: Int) throws(PictureFault) {
        try check("be made of several frames") { library in
            var header = JxlFrameHeader()
            library.JxlEncoderInitFrameHeader(&header)
            header.layer_info.have_crop = 1
            header.layer_info.crop_y0 = Int32(clamping: top)
            header.layer_info.xsize = UInt32(clamping: size.width)
            header.layer_info.ysize = UInt32(clamping: size.height)
            return library.JxlEncoderSetFrameHeader(settings, &header)
        }
    }

    /// The end of the file, once everything has been said.
    func finish() throws(PictureFault) -> [UInt8] {
        library.JxlEncoderCloseInput(handle)
        return try output()
    }

    /// What the frames given so far become.
    func output() throws(PictureFault) -> [UInt8] {
        var file: [UInt8] = []
        var size = 1 << 18
        while true {
            var status = CInt(CJXL_SUCCESS)
            file += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                var (next, available) = (buffer.baseAddress, buffer.count)
                status = library.JxlEncoderProcessOutput(handle, &next, &available)
                count = size - min(size, available)
            }
            if status == CInt(CJXL_SUCCESS) { return file }
            if status != CInt(CJXL_NEED_MORE_OUTPUT) {
                throw PictureFault(
                    "the JPEG XL cannot be encoded (libjxl's error \(library.JxlEncoderGetError(handle)))")
            }
            size *= 2
        }
    }
}

extension JxlPixelFormat {
    /// How the samples of a raster lie in memory.
    init(_ format: PixelFormat) {
        self.init(
            num_channels: UInt32(format.bitsPerPixel / format.bitsPerSample),
            data_type: CInt(format.bitsPerSample == 16 ? CJXL_UINT16 : CJXL_UINT8),
            endianness: CInt(CJXL_BIG_ENDIAN), align: 0)
    }
}
