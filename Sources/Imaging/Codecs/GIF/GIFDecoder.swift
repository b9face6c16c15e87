internal import CGIF
internal import PageModel

/// A decoder for the first frame of a GIF, on its canvas, through giflib.
///
/// The frame keeps its palette if it covers the canvas and none of its pixels are transparent. Otherwise it becomes `.rgba(bits:
/// 8)`, transparent around the frame. Browsers show it in the same way: programs ignore the background color.
enum GIFDecoder {
    static func decode(_ file: [UInt8], maximumPixels: Int) throws(PictureFault) -> DecodedImage {
        let source = MemoryStream(file)
        var error: CInt = 0
        let handle = DGifOpen(
            source.handle, { CInt(MemoryStream.from($0?.pointee.UserData)?.read(into: $1, Int($2)) ?? 0) }, &error)
        guard let handle else { throw fault(error) }
        defer { DGifCloseFile(handle, nil) }
        // giflib does not allocate memory for the canvas by itself.
        let canvas = PixelSize(width: Int(handle.pointee.SWidth), height: Int(handle.pointee.SHeight))
        let transparent = try findFrame(handle)
        let image = handle.pointee.Image
        let frame = PixelSize(width: Int(image.Width), height: Int(image.Height))
        try frame.check(.gif, maximumPixels: maximumPixels)
        // A canvas without a size is one that fits the frame.
        let shown = canvas.area == 0 ? frame : canvas
        try shown.check(.gif, maximumPixels: maximumPixels)
        guard let colors = colors(image.ColorMap ?? handle.pointee.SColorMap) else {
            throw .isBroken(.gif, "it has no color table")
        }
        let (indexes, rows) = try readRows(handle, frame, isInterlaced: image.Interlace)
        let place = canvas.area == 0 ? (x: 0, y: 0) : (x: Int(image.Left), y: Int(image.Top))
        let raster = withExtendedLifetime(source) {
            compose(indexes, frame, colors, transparent, on: shown, at: place)
        }
        guard rows < frame.height else { return DecodedImage(raster: raster) }
        return DecodedImage(
            raster: raster, diagnostics: ["\(frame.height - rows) of \(frame.height) rows are lost"]
        )
    }

    /// Goes to the first frame.
    ///
    /// - Returns: the index of the transparent color, if any.
    private static func findFrame(_ handle: UnsafeMutablePointer<GifFileType>) throws(PictureFault) -> Int? {
        var transparent: Int?
        while true {
            var kind = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(handle, &kind) == GIF_OK else { throw fault(handle.pointee.Error) }
            switch kind {
            case IMAGE_DESC_RECORD_TYPE:
                guard DGifGetImageDesc(handle) == GIF_OK else { throw fault(handle.pointee.Error) }
                return transparent
            case EXTENSION_RECORD_TYPE:
                var code: CInt = 0
                var block: UnsafeMutablePointer<GifByteType>?
                guard DGifGetExtension(handle, &code, &block) == GIF_OK else { throw fault(handle.pointee.Error) }
                while let bytes = block {
                    // The first byte is the length.
                    var control = GraphicsControlBlock()
                    if code == GRAPHICS_EXT_FUNC_CODE, bytes[0] == 4,
                        DGifExtensionToGCB(Int(bytes[0]), bytes + 1, &control) == GIF_OK
                    {
                        transparent = control.TransparentColor < 0 ? nil : Int(control.TransparentColor)
                    }
                    guard DGifGetExtensionNext(handle, &block) == GIF_OK else { throw fault(handle.pointee.Error) }
                }
            case TERMINATE_RECORD_TYPE:
                throw .isBroken(.gif, "it has no frame")
            default:
                throw .isBroken(.gif)
            }
        }
    }

    /// Reads the indexes, a byte each, and counts their rows.
    ///
    /// - Throws: `PictureFault` if more than half are missing.
    private static func readRows(
        _ handle: UnsafeMutablePointer<GifFileType>, _ size: PixelSize, isInterlaced: Bool
    ) throws(PictureFault) -> (indexes: [UInt8], rows: Int) {
        let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        let order = passes.flatMap { Array(stride(from: $0.0, to: size.height, by: $0.1)) }
        var rows = 0
        var indexes = [UInt8](repeating: 0, count: size.area)
        indexes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for y in order {
                // The width comes from 16 bits.
                guard DGifGetLine(handle, base + y * size.width, CInt(size.width)) == GIF_OK else { return }
                rows += 1
            }
        }
        if rows * 2 < size.height { throw fault(handle.pointee.Error) }
        return (indexes, rows)
    }

    /// Returns the colors as red, green and blue bytes.
    private static func colors(_ map: UnsafeMutablePointer<ColorMapObject>?) -> [UInt8]? {
        guard let map, let colors = map.pointee.Colors else { return nil }
        return UnsafeBufferPointer(start: colors, count: Int(map.pointee.ColorCount))
            .flatMap { [$0.Red, $0.Green, $0.Blue] }
    }

    private static func compose(
        _ indexes: [UInt8], _ frame: PixelSize, _ colors: [UInt8], _ transparent: Int?, on canvas: PixelSize,
        at place: (x: Int, y: Int)
    ) -> Raster {
        let isWhole = place == (0, 0) && frame == canvas
        let isOpaque = transparent.map { !indexes.contains(UInt8(truncatingIfNeeded: $0)) } ?? true
        if isWhole, isOpaque {
            return Raster(size: canvas, format: .palette(bits: 8, colors: colors), samples: indexes)
                .withWholePalette().withSmallIndexes()
        }
        var pixels = [UInt8](repeating: 0, count: 4 * canvas.area)
        // Frames may extend beyond the canvas.
        for y in 0..<max(0, min(frame.height, canvas.height - place.y)) {
            for x in 0..<max(0, min(frame.width, canvas.width - place.x)) {
                let index = Int(indexes[y * frame.width + x])
                if index == transparent { continue }
                let target = 4 * ((place.y + y) * canvas.width + place.x + x)
                for part in 0..<3 where 3 * index + part < colors.count {
                    pixels[target + part] = colors[3 * index + part]
                }
                pixels[target + 3] = 255
            }
        }
        return Raster(size: canvas, format: .rgba(bits: 8), samples: pixels)
    }

    private static func fault(_ error: CInt) -> PictureFault {
        switch error {
        case D_GIF_ERR_READ_FAILED, D_GIF_ERR_EOF_TOO_SOON, D_GIF_ERR_NO_SCRN_DSCR: .endsTooEarly(.gif)
        case D_GIF_ERR_NOT_ENOUGH_MEM: .lacksMemory(.gif)
        default: .isBroken(.gif, GifErrorString(error).map { Message(verbatim: String(cString: $0)) })
        }
    }
}

/// GIF: <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>.
enum GIFCodec: PictureCodec {
    static let encodings: [ImageEncoding] = [.gif]
    static let damageUnpacksPixels = true

    static func decode(_ file: [UInt8], _ request: DecodeRequest) throws(PictureFault) -> DecodedImage {
        try GIFDecoder.decode(file, maximumPixels: request.maximumPixels)
    }

    static func decodingBytesPerPixel(_ picture: EncodedPicture) -> Double? { 0 }

    static func isLossless(_ bytes: ByteReader) -> Bool { true }

    static let signatures = [PictureSignature(.gif, "GIF87a"), PictureSignature(.gif, "GIF89a")]

    static func size(in bytes: ByteReader) -> PixelSize? {
        PixelSize(stated: bytes.uint16(at: 6, .little), bytes.uint16(at: 8, .little))
    }

    static func bitsPerPixel(in bytes: ByteReader) -> Int? { 8 }

    static func isComplete(_ bytes: ByteReader) -> Bool { walk(bytes).isComplete }

    /// Decodes the first frame, because only the codes show how many pixels exist.
    static func damage(_ bytes: ByteReader) -> Message? { decodingDamage(bytes, .gif) }

    static func pictureCount(_ bytes: ByteReader) -> Int { walk(bytes).frames }

    /// Hops from block to block, 255 bytes at a time, until the trailer.
    private static func walk(_ bytes: ByteReader) -> (isComplete: Bool, frames: Int) {
        var frames = 0
        guard let flags = bytes.uint8(at: 10) else { return (false, 0) }
        var offset = 13 + colorTableCount(flags)
        while let introducer = bytes.uint8(at: offset) {
            switch introducer {
            case 0x3B:
                return (true, frames)
            case 0x2C:
                // An image: position, size and flags, a color table, the LZW code size, data.
                guard let flags = bytes.uint8(at: offset + 9) else { return (false, frames) }
                frames += 1
                offset += 10 + colorTableCount(flags) + 1
            case 0x21:
                offset += 2
            default:
                // Decoders treat this as the end; the file is not truncated.
                return (true, frames)
            }
            while let length = bytes.uint8(at: offset), length > 0 { offset += 1 + length }
            offset += 1
        }
        return (false, frames)
    }

    private static func colorTableCount(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }
}
