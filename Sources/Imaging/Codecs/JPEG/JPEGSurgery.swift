internal import CJPEGShims
package import PageModel

/// Lossless crops, rotations and joins of JPEGs on DCT coefficients: no pixel is decoded, and no pixel changes its value.
package enum JPEGSurgery {
    /// The MCU of a gray JPEG that `patch` gives color, in pixels: its luma stays as it is, with half as many samples of color.
    package static let coloredGrid = PixelSize(width: 16, height: 16)

    /// A part of a JPEG file and its place in the result.
    package struct Piece: Sendable {
        package var file: [UInt8]
        /// The part to take and its orientation: a framing that `lossless(_:grid:)` returned.
        package var framing: Framing
        /// The place of the part in the result, in pixels.
        ///
        /// It must begin at multiples of the MCU. It must also end at one, except at the end of the result. It may be smaller
        /// than the part. It may be larger, up to the end of an MCU, if the part ends at a side of its image that is not
        /// mirrored. The area beyond the image then shows the rest of the MCU.
        package var place: PixelRect

        /// Places the top left corner of the part at `x` and `y`.
        ///
        /// - Parameter size: the size of its place; nil for the part's size.
        package init(file: [UInt8], framing: Framing, x: Int = 0, y: Int = 0, size: PixelSize? = nil) {
            self.file = file
            self.framing = framing
            place = PixelRect(x: x, y: y, size ?? framing.rect.size)
        }
    }

    /// A JPEG produced by an operation.
    package struct Result: Sendable {
        /// The bytes of the file.
        package var file: [UInt8]
        /// The first warning of libjpeg about damaged data; nil for intact data.
        package var diagnostic: Message?

        package init(file: [UInt8], diagnostic: Message? = nil) {
            self.file = file
            self.diagnostic = diagnostic
        }
    }

    /// Returns the smallest framing around `framing` that can be cut without loss: its top and left sides move outwards to the
    /// MCU grid.
    ///
    /// A cut can begin only at an MCU; it can end anywhere. On a mirrored side MCUs count from the far end of the stored image.
    /// The result is nil if a mirrored image would begin with a partial MCU.
    ///
    /// - Parameter grid: the stored image's MCU size in pixels.
    package static func lossless(_ framing: Framing, grid: PixelSize) -> Framing? {
        let grid = framing.orientation.applied(to: grid)
        func aligned(_ start: Int, _ unit: Int, _ whole: Int, isMirrored: Bool) -> Int? {
            let first = isMirrored ? whole % unit : 0
            return start < first ? nil : start - (start - first) % unit
        }
        let rect = framing.rect
        guard
            let x = aligned(
                rect.x, grid.width, framing.full.width, isMirrored: framing.orientation.isMirroredAcross),
            let y = aligned(
                rect.y, grid.height, framing.full.height, isMirrored: framing.orientation.isMirroredDown)
        else { return nil }
        return framing.keeping(
            PixelRect(x: x, y: y, width: rect.width + rect.x - x, height: rect.height + rect.y - y))
    }

    /// Crops and rotates a JPEG.
    ///
    /// Without a rotation, coded data is copied as it is wherever possible. This is much faster.
    ///
    /// - Parameter framing: the part and its orientation, from `lossless(_:grid:)`.
    /// - Throws: `PictureFault` if the file cannot be cut.
    package static func cut(_ file: [UInt8], to framing: Framing) throws(PictureFault) -> Result {
        // The area beyond the image is shown only on request.
        guard PixelRect(x: 0, y: 0, framing.full).contains(framing.rect) else {
            throw PictureFault("the JPEG lacks the area to keep")
        }
        if framing.isUpright, let part = ScanCut.cut(file, to: framing.rect) {
            return Result(file: JPEGMetadata.removingStaleParts(from: part))
        }
        return try compose([Piece(file: file, framing: framing)], size: framing.rect.size)
    }

    /// Joins pieces of JPEGs in one of the given size.
    ///
    /// The result has the metadata of the first piece. If a piece was rotated, the EXIF orientation is reset.
    ///
    /// - Parameter background: the level of each component outside the pieces (`RGB.levels(in:)`). Nil is mid-gray.
    /// - Throws: `PictureFault` if the pieces differ in sampling, tables or colors, or one is damaged or off the MCU grid.
    package static func compose(
        _ pieces: [Piece], size: PixelSize, background: [UInt8]? = nil
    ) throws(PictureFault) -> Result {
        var diagnostic = cjpeg_diagnostic()
        var count = 0
        let background = background.map { $0 + [UInt8](repeating: 128, count: max(0, 4 - $0.count)) }
        let bytes = withPieces(pieces[...]) { list in
            if let background {
                cjpeg_compose(
                    list, CInt(pieces.count), CInt(size.width), CInt(size.height), background, &count, &diagnostic)
            } else {
                cjpeg_compose(list, CInt(pieces.count), CInt(size.width), CInt(size.height), nil, &count, &diagnostic)
            }
        }
        guard let bytes else { throw diagnostic.fault }
        var file = JPEGMetadata.removingStaleParts(from: [UInt8](taking: bytes, count: count))
        if pieces.contains(where: { !$0.framing.isUpright }) { file = JPEGMetadata.resettingOrientation(of: file) }
        return Result(file: file, diagnostic: diagnostic.warnings > 0 ? diagnostic.text : nil)
    }

    /// Calls `body` with the pieces as C structures; the files stay in place meanwhile.
    private static func withPieces<Value>(
        _ pieces: ArraySlice<Piece>, _ list: [cjpeg_piece] = [], _ body: ([cjpeg_piece]) -> Value
    ) -> Value {
        guard let piece = pieces.first else { return body(list) }
        return piece.file.withUnsafeBufferPointer { file in
            let (framing, rect) = (piece.framing, piece.framing.rect)
            let next = cjpeg_piece(
                data: file.baseAddress, size: file.count, transpose: framing.orientation.isTransposed,
                mirror_x: framing.orientation.isMirroredAcross, mirror_y: framing.orientation.isMirroredDown,
                x: CInt(rect.x), y: CInt(rect.y), width: CInt(piece.place.width), height: CInt(piece.place.height),
                to_x: CInt(piece.place.x), to_y: CInt(piece.place.y))
            return withPieces(pieces.dropFirst(), list + [next], body)
        }
    }
}

extension RGB {
    /// Returns the level of each component with which a JPEG shows this color (JFIF 1.02, ITU-T T.872). The result is nil if the
    /// JPEG is gray and the color is not, and for unusual components.
    package func levels(in header: JPEGHeader) -> [UInt8]? {
        let colors = [red, green, blue]
        switch header.components.count {
        case 1: return isGray ? [red] : nil
        case 3: return header.hasRGBComponents ? colors : RGB.lumaAndChroma(colors)
        case 4:
            // Gray by black ink alone, other colors by the others. Adobe's programs store 255 for no ink.
            let inks = isGray ? [255, 255, 255, red] : colors + [255]
            guard let transform = header.adobeTransform else { return inks.map { 255 - $0 } }
            // YCCK is computed from 255 minus each ink.
            return transform == 2 ? RGB.lumaAndChroma(inks.prefix(3).map { 255 - $0 }) + [inks[3]] : inks
        default: return nil
        }
    }

    private static func lumaAndChroma(_ colors: [UInt8]) -> [UInt8] {
        let (r, g, b) = (Double(colors[0]), Double(colors[1]), Double(colors[2]))
        let luma = 0.299 * r + 0.587 * g + 0.114 * b
        return [luma, (b - luma) / 1.772 + 128, (r - luma) / 1.402 + 128].map {
            UInt8(Int(clamping: $0, to: 0...255))
        }
    }
}
