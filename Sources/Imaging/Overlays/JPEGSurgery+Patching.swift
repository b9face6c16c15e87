internal import CJPEGShims
internal import PageModel

extension JPEGSurgery {
    /// A patched JPEG.
    package struct Patched: Sendable {
        package var file: [UInt8]
        /// The fraction of its blocks that were re-encoded, from 0 to 1.
        package var share: Double
        /// Whether it is progressive although the JPEG below was not.
        package var becomesProgressive: Bool
    }

    /// Composites an overlay on a JPEG. Only the blocks that it touches are re-encoded, with the JPEG's own quantization tables.
    ///
    /// A gray JPEG under an overlay of visible color becomes a color JPEG, whose brightness keeps the gray one's coefficients. It
    /// becomes progressive, too: neutral chroma then needs hardly a byte. So does a JPEG that would grow by more than 5 %. Other
    /// coefficients stay, and all markers except a merge mark. A progressive JPEG keeps its scans.
    ///
    /// - Throws: `PictureFault` if the JPEG is damaged, or neither gray nor YCbCr.
    package static func patch(_ file: [UInt8], with overlay: OverlayPixels) throws(PictureFault) -> Patched {
        let header = JPEGHeader(file)
        let overlay = header?.components.count == 1 ? overlay.withoutTint : overlay
        let (patched, share) = try encode(overlay.areas.flatMap(\.tiles), on: file)
        let result = JPEGMetadata.removingStaleParts(from: patched)
        return Patched(
            file: result, share: share, becomesProgressive: isProgressive(JPEGHeader(result)) && !isProgressive(header))
    }

    /// Composites areas on a JPEG, and returns the fraction of its blocks that were re-encoded.
    static func encode(
        _ areas: [OverlayPixels.Area], on file: [UInt8]
    ) throws(PictureFault) -> (file: [UInt8], share: Double) {
        var (diagnostic, count, share) = (cjpeg_diagnostic(), 0, 0.0)
        let bytes = withAreas(areas) { list in
            cjpeg_patch(file, file.count, list, CInt(list.count), &share, &count, &diagnostic)
        }
        guard let bytes else { throw diagnostic.fault }
        return ([UInt8](taking: bytes, count: count), share)
    }

    private static func isProgressive(_ header: JPEGHeader?) -> Bool {
        header?.frame == .progressive || header?.frame == .arithmeticProgressive
    }

    /// Calls `body` with the areas as C structures. There may be thousands of them.
    private static func withAreas<Value>(
        _ areas: [OverlayPixels.Area], _ body: ([cjpeg_overlay]) -> Value
    ) -> Value {
        areas.flatMap { $0.black + $0.white }.withUnsafeBufferPointer { samples in
            var next = samples.baseAddress
            let list = areas.map { area in
                let (rect, start) = (area.rect, next)
                next = start.map { $0 + 2 * area.black.count }
                return cjpeg_overlay(
                    x: CInt(rect.x), y: CInt(rect.y), width: CInt(rect.width), height: CInt(rect.height),
                    channels: CInt(area.channels), black: start, white: start.map { $0 + area.black.count })
            }
            return body(list)
        }
    }
}
