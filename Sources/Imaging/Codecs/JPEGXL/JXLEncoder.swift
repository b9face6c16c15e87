internal import CJXL
package import PageModel

/// An encoder for JPEG XL: from a JPEG that can be restored later, or from samples, lossless or lossy.
package enum JXLEncoder {
    /// Packs a JPEG into a JPEG XL file about a fifth smaller, from which it can be restored byte for byte.
    ///
    /// The JPEG is restored once to make sure: from JPEGs with unusual sampling libjxl 0.7 makes files that it cannot read
    /// itself. Libjxl writes the orientation of the JPEG's EXIF data to the codestream. Decoders look for it there.
    ///
    /// - Throws: `PictureFault` if libjxl is not installed, or cannot pack the JPEG. Examples are damaged, arithmetically coded
    ///   and CMYK JPEGs.
    package static func transcode(_ jpeg: [UInt8]) throws(PictureFault) -> [UInt8] {
        let session = try JXLSession()
        try session.check("be made a container") { $0.JxlEncoderUseContainer(session.handle, 1) }
        try session.check("keep the JPEG's metadata") { $0.JxlEncoderStoreJPEGMetadata(session.handle, 1) }
        try session.check("hold this JPEG", otherwise: .unsupported) {
            $0.JxlEncoderAddJPEGFrame(session.settings, jpeg, jpeg.count)
        }
        let file = try session.finish()
        // With space for one byte more than expected, so that a longer file is not mistaken for the same.
        guard JXLReconstruction.jpeg(of: file, maximumBytes: jpeg.count + 1) == jpeg else {
            throw PictureFault(
                "JPEG XL cannot restore this JPEG exactly", kind: .unsupported)
        }
        // libjxl reads EXIF data more strictly than other programs.
        guard JXLReconstruction.orientation(of: file) == PictureHeader(jpeg)?.orientation else {
            throw PictureFault(
                "the JPEG XL cannot hold this JPEG: it would be shown with a different rotation", kind: .unsupported)
        }
        return file
    }

    /// Encodes a raster with its profile; without one its samples are sRGB.
    ///
    /// Samples of less than 8 bits become 8 and palettes RGB, without loss. JPEG XL cannot store a resolution.
    ///
    /// - Parameters:
    ///   - quality: 0 to 100 on the scale of libjxl's own tools; nil for a lossless file. At 90 an image looks like the original.
    /// - Throws: `PictureFault` if libjxl is not installed, or refuses the image or its profile.
    package static func encode(_ raster: Raster, quality: Int?) throws(PictureFault) -> [UInt8] {
        // Of 1 to 9. Beyond that, twice the time saves about a twentieth.
        let effort = quality == nil ? 3 : 5
        let raster = raster.widened()
        let session = try JXLSession()
        let format = raster.format
        let bits = UInt32(format.bitsPerSample)
        try session.check("take the image's size") { library in
            var info = JxlBasicInfo()
            library.JxlEncoderInitBasicInfo(&info)
            info.xsize = UInt32(clamping: raster.size.width)
            info.ysize = UInt32(clamping: raster.size.height)
            info.bits_per_sample = bits
            info.num_color_channels = UInt32(format.colorants)
            info.num_extra_channels = format.hasAlpha ? 1 : 0
            info.alpha_bits = format.hasAlpha ? bits : 0
            // Otherwise libjxl converts to its own colors, which cannot be undone without loss.
            info.uses_original_profile = quality == nil ? 1 : 0
            return library.JxlEncoderSetBasicInfo(session.handle, &info)
        }
        try session.check("take the image's profile") { library in
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
            try session.check("take the image's samples") { library in
                var pixels = JxlPixelFormat(format)
                return library.JxlEncoderAddImageFrame(session.settings, &pixels, frame.samples, frame.samples.count)
            }
            // Encoded now, so that only one frame is in memory.
            if top + height < raster.size.height { file += try session.output() }
        }
        return file + (try session.finish())
    }

    /// Returns the number of rows of an image that are encoded at once: all of a small one.
    ///
    /// A larger image becomes several frames without duration, one below the other, which decoders assemble. With one frame,
    /// libjxl 0.7 uses up to 69 bytes of memory for each pixel. A frame has a multiple of 256 rows, because the groups of a frame
    /// have that size.
    package static func rowsPerFrame(of size: PixelSize) -> Int {
        let limits = JXLLimits()
        guard size.area > limits.maximumPixelsOfOnlyFrame else { return max(1, size.height) }
        return max(1, limits.pixelsOfFrame / size.width / 256) * 256
    }

    /// Returns the distance from the original for a quality as libjxl's tools define it, in units of just noticeable difference.
    ///
    /// It is `JxlEncoderDistanceFromQuality` of libjxl 0.9, which earlier versions lack. They do not accept a distance beyond 15,
    /// so qualities below 10 are like 10. A quality of 100 is lossy as well, though hardly: the caller did not request an exact
    /// file.
    static func distance(ofQuality quality: Int) -> Float {
        let quality = Float(min(max(quality, 0), 100))
        if quality == 100 { return 0.05 }
        let distance =
            quality >= 30 ? 0.1 + (100 - quality) * 0.09 : 53 / 3000 * quality * quality - 23 / 20 * quality + 25
        return min(distance, 15)
    }
}

/// The frame sizes of a JPEG XL.
private struct JXLLimits {
    /// The most pixels of an image in one frame: a page of A4 has 8.7 million at 300 pixels per inch.
    let maximumPixelsOfOnlyFrame = 9_000_000
    /// The pixels of a frame of a larger image. An image of 24 million pixels of noise needs 400 MB with them, and 1,650 MB as
    /// one frame.
    let pixelsOfFrame = 4_000_000
}

/// One file that libjxl encodes.
final class JXLSession {
    let handle: OpaquePointer
    /// The settings, owned by the handle.
    let settings: OpaquePointer
    private let library: CJXLFunctions

    /// - Throws: `PictureFault` when libjxl is not installed.
    init() throws(PictureFault) {
        guard let library = cjxl_load()?.pointee else {
            throw PictureFault(
                "encoding JPEG XL needs libjxl 0.7 to 0.11, which is not installed", kind: .unsupported)
        }
        guard let handle = library.JxlEncoderCreate(nil) else {
            throw PictureFault("out of memory for a JPEG XL encoder")
        }
        guard let settings = library.JxlEncoderFrameSettingsCreate(handle, nil) else {
            library.JxlEncoderDestroy(handle)
            throw PictureFault("out of memory for a JPEG XL encoder")
        }
        self.library = library
        self.handle = handle
        self.settings = settings
    }

    deinit {
        library.JxlEncoderDestroy(handle)
    }

    /// Calls one function, and throws if it fails.
    ///
    /// - Parameter what: the failed step, for the message.
    func check(
        _ what: String, otherwise kind: PictureFault.Kind = .damaged, _ body: (CJXLFunctions) -> CInt
    ) throws(PictureFault) {
        if body(library) == CInt(CJXL_SUCCESS) { return }
        throw PictureFault(
            "the JPEG XL cannot \(what) (libjxl's error \(library.JxlEncoderGetError(handle)))", kind: kind)
    }

    /// Sets the place of the next frame, over the earlier ones and in the full width.
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

    /// Returns the end of the file, once all data are added.
    func finish() throws(PictureFault) -> [UInt8] {
        library.JxlEncoderCloseInput(handle)
        return try output()
    }

    /// Returns the output for the frames given so far.
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
    /// Creates the description of a raster's samples in memory.
    init(_ format: PixelFormat) {
        self.init(
            num_channels: UInt32(format.bitsPerPixel / format.bitsPerSample),
            data_type: CInt(format.bitsPerSample == 16 ? CJXL_UINT16 : CJXL_UINT8),
            endianness: CInt(CJXL_BIG_ENDIAN), align: 0)
    }
}

extension JPEGXLCodec: PictureEncodingCodec {
    static func encode(_ raster: Raster, _ fidelity: PictureEncoder.Fidelity) throws(PictureFault) -> [UInt8] {
        try JXLEncoder.encode(raster, quality: fidelity.quality)
    }

    static let coefficientMemory = CoefficientMemory(moving: 18, joining: 24, restoringByte: 16)

    /// Returns the memory of a frame as it is encoded. Samples of fewer than 8 bits are widened to 8.
    static func encodingMemory(_ size: PixelSize, bytesPerPixel: Double, isLossless: Bool) -> EncodingMemory {
        EncodingMemory(
            bytesPerPixel: isLossless ? 24 + 15 * max(1, bytesPerPixel) : 42, rows: JXLEncoder.rowsPerFrame(of: size))
    }
}
