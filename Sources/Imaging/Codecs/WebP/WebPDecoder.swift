internal import CWebP
internal import PageModel

/// A decoder for WebP through libwebp: `.rgba(bits: 8)` if the file has alpha, otherwise `.rgb(bits: 8)`.
enum WebPDecoder {
    static func decode(_ file: [UInt8], maximumPixels: Int) throws(PictureFault) -> DecodedImage {
        let result = file.withUnsafeBufferPointer { bytes in
            Result { () throws(PictureFault) in try decode(bytes, maximumPixels) }
        }
        return try result.get()
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ maximumPixels: Int
    ) throws(PictureFault) -> DecodedImage {
        var features = WebPBitstreamFeatures()
        try check(WebPGetFeatures(bytes.baseAddress, bytes.count, &features))
        let size = PixelSize(width: Int(features.width), height: Int(features.height))
        try size.check(.webp, maximumPixels: maximumPixels)
        var raster =
            features.has_animation != 0
            ? try firstFrame(bytes, size) : try still(bytes, size, hasAlpha: features.has_alpha != 0)
        raster.iccProfile = profile(bytes)
        return DecodedImage(raster: raster)
    }

    private static func still(
        _ bytes: UnsafeBufferPointer<UInt8>, _ size: PixelSize, hasAlpha: Bool
    ) throws(PictureFault) -> Raster {
        let format: PixelFormat = hasAlpha ? .rgba(bits: 8) : .rgb(bits: 8)
        let stride = Raster.bytesPerRow(width: size.width, format: format)
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw .isBroken(.webp, "libwebp is of another version") }
        config.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
        config.output.is_external_memory = 1
        var status = VP8_STATUS_OK
        let samples = [UInt8](unsafeUninitializedCapacity: stride * size.height) { buffer, count in
            config.output.u.RGBA.rgba = buffer.baseAddress
            config.output.u.RGBA.stride = CInt(stride)
            config.output.u.RGBA.size = buffer.count
            status = WebPDecode(bytes.baseAddress, bytes.count, &config)
            count = status == VP8_STATUS_OK ? stride * size.height : 0
        }
        try check(status)
        return Raster(size: size, format: format, samples: samples)
    }

    /// Decodes the first frame of an animation on its canvas, which is transparent outside the frame.
    private static func firstFrame(
        _ bytes: UnsafeBufferPointer<UInt8>, _ size: PixelSize
    ) throws(PictureFault) -> Raster {
        var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        guard let demuxer = WebPDemux(&data) else { throw fault(ofBrokenChunks: bytes) }
        defer { WebPDemuxDelete(demuxer) }
        var frame = WebPIterator()
        guard WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { throw .isBroken(.webp, "it has no frame") }
        defer { WebPDemuxReleaseIterator(&frame) }
        let (x, y) = (Int(frame.x_offset), Int(frame.y_offset))
        let part = UnsafeBufferPointer(start: frame.fragment.bytes, count: frame.fragment.size)
        var features = WebPBitstreamFeatures()
        try check(WebPGetFeatures(part.baseAddress, part.count, &features))
        let frameSize = PixelSize(width: Int(features.width), height: Int(features.height))
        // The demuxer has checked this, too, but a wrong value would write outside the memory.
        guard x >= 0, y >= 0, frameSize.width <= size.width - x, frameSize.height <= size.height - y else {
            throw .isBroken(.webp, "a frame is larger than its canvas")
        }
        let isOpaque = features.has_alpha == 0 && frameSize == size
        let picture = try still(part, frameSize, hasAlpha: !isOpaque)
        if frameSize == size { return picture }
        return picture.placed(on: size, x: x, y: y)
    }

    private static func profile(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        guard let demuxer = WebPDemux(&data) else { return nil }
        defer { WebPDemuxDelete(demuxer) }
        // The flag declares whether the chunk counts.
        guard WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS) & UInt32(ICCP_FLAG.rawValue) != 0 else { return nil }
        var chunk = WebPChunkIterator()
        guard WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk) != 0 else { return nil }
        defer { WebPDemuxReleaseChunkIterator(&chunk) }
        return Array(UnsafeBufferPointer(start: chunk.chunk.bytes, count: chunk.chunk.size))
    }

    private static func check(_ status: VP8StatusCode) throws(PictureFault) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .endsTooEarly(.webp)
        case VP8_STATUS_OUT_OF_MEMORY: throw .lacksMemory(.webp)
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .isUnknown(.webp, "it uses what libwebp does not support")
        default: throw .isBroken(.webp)
        }
    }

    /// Returns an error for invalid chunks. libwebp does not give a reason; mostly some chunks are missing.
    private static func fault(ofBrokenChunks bytes: UnsafeBufferPointer<UInt8>) -> PictureFault {
        WebPCodec.isComplete(ByteReader(Array(bytes))) ? .isBroken(.webp) : .endsTooEarly(.webp)
    }
}

extension Raster {
    /// Returns an `.rgba(bits: 8)` image placed entirely on a transparent canvas.
    fileprivate func placed(on canvas: PixelSize, x: Int, y: Int) -> Raster {
        var pixels = [UInt8](repeating: 0, count: 4 * canvas.area)
        for row in 0..<size.height {
            let start = 4 * ((y + row) * canvas.width + x)
            pixels.replaceSubrange(
                start..<start + bytesPerRow, with: samples[row * bytesPerRow..<(row + 1) * bytesPerRow])
        }
        return Raster(size: canvas, format: format, samples: pixels)
    }
}

/// WebP: <https://developers.google.com/speed/webp/docs/riff_container>.
enum WebPCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.webp]

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try WebPDecoder.decode(file, maximumPixels: request.maximumPixels)
    }

    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { 4 }

    /// Between the words is the size of the file.
    static let signatures = [PictureSignature(.webp, "RIFF....WEBP")]

    static func size(in bytes: ByteReader) -> PixelSize? {
        switch bytes.fourCC(at: 12) {
        case "VP8X":
            extended(bytes)
        case "VP8L":
            lossless(bytes)
        case "VP8 ":
            lossy(bytes)
        default:
            nil
        }
    }

    /// Reads the canvas: each side less one in 24 bits.
    private static func extended(_ bytes: ByteReader) -> PixelSize? {
        guard let width = bytes.uint24(at: 24, .little), let height = bytes.uint24(at: 27, .little) else { return nil }
        return PixelSize(width: width + 1, height: height + 1)
    }

    /// Reads a lossless image (RFC 9649 §3.4): a signature byte, then each side less one in 14 bits.
    private static func lossless(_ bytes: ByteReader) -> PixelSize? {
        guard bytes.uint8(at: 20) == 0x2F, let sides = bytes.uint32(at: 21, .little) else { return nil }
        return PixelSize(width: sides & 0x3FFF + 1, height: sides >> 14 & 0x3FFF + 1)
    }

    /// Reads a lossy image (RFC 6386 §9.1).
    ///
    /// It has a frame tag whose lowest bit is 0 for a key frame. A start code and sides of 14 bits under 2 bits of scale follow.
    private static func lossy(_ bytes: ByteReader) -> PixelSize? {
        guard let tag = bytes.uint8(at: 20), tag & 1 == 0, bytes.has([0x9D, 0x01, 0x2A] as [UInt8], at: 23) else {
            return nil
        }
        guard let width = bytes.uint16(at: 26, .little), let height = bytes.uint16(at: 28, .little) else { return nil }
        return PixelSize(stated: width & 0x3FFF, height & 0x3FFF)
    }

    /// Whether the first image in the file was made by WebP's lossless coder.
    static func isLossless(_ bytes: ByteReader) -> Bool {
        var offset = 12
        while let name = bytes.fourCC(at: offset), let count = bytes.uint32(at: offset + 4, .little) {
            if name == "VP8L" { return true }
            if name == "VP8 " { return false }
            // A frame of an animation has 16 bytes of its own before its image.
            offset += name == "ANMF" ? 24 : 8 + count + count % 2
        }
        return false
    }

    /// Counts the frames of an animation.
    static func pictureCount(_ bytes: ByteReader) -> Int {
        var (offset, count) = (12, 0)
        while let name = bytes.fourCC(at: offset), let length = bytes.uint32(at: offset + 4, .little) {
            if name == "ANMF" { count += 1 }
            offset += 8 + length + length % 2
        }
        return count
    }

    /// Reads the EXIF chunk of an extended file. Some writers prefix it with the name of a JPEG's segment.
    static func exifOrientation(in bytes: ByteReader) -> Int? {
        guard let contents = exif(in: bytes) else { return nil }
        let tiff = contents.has("Exif\0\0") ? contents.part(from: 6) : contents
        return tiff.flatMap { TIFFDirectory($0)?.integer(.orientation) }
    }

    static func endsBeforeEXIF(_ bytes: ByteReader) -> Bool {
        bytes.fourCC(at: 12) == "VP8X" && bytes.uint8(at: 20).map { $0 & 0x08 != 0 } == true && exif(in: bytes) == nil
    }

    private static func exif(in bytes: ByteReader) -> ByteReader? {
        guard bytes.fourCC(at: 12) == "VP8X" else { return nil }
        var offset = 12
        while let name = bytes.fourCC(at: offset), let length = bytes.uint32(at: offset + 4, .little) {
            if name == "EXIF" { return bytes.part(at: offset + 8, count: length) }
            // Chunks begin at even offsets.
            offset += 8 + length + length % 2
        }
        return nil
    }

    /// Whether the file is as long as it states, and holds an image as long as that states.
    static func isComplete(_ bytes: ByteReader) -> Bool {
        guard let count = bytes.uint32(at: 4, .little), 8 + count <= bytes.count else { return false }
        var offset = 12
        while let name = bytes.fourCC(at: offset), let length = bytes.uint32(at: offset + 4, .little) {
            offset += 8 + length
            guard offset <= bytes.count else { return false }
            switch name {
            case "VP8L", "ANMF": return true
            case "VP8 ":
                // The first part's length is in the frame tag, above five other bits (RFC 6386 §9.1).
                guard let tag = bytes.uint24(at: offset - length, .little) else { return false }
                return 10 + tag >> 5 <= length
            default: offset += length % 2
            }
        }
        return false
    }
}
