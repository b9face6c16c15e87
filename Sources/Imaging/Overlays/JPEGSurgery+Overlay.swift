internal import CJPEGShims
internal import PageModel

extension JPEGSurgery {
    /// Draws an overlay on a JPEG. Only the blocks that it touches are re-encoded, with the JPEG's own tables.
    ///
    /// A gray JPEG under an overlay of visible color becomes a color JPEG, whose brightness keeps the gray one's coefficients. Other
    /// coefficients stay, and all markers except a merge mark.
    ///
    /// - Returns: the file, and the fraction of its blocks that were re-encoded. It is from 0 to 1.
    /// - Throws: `PictureFault` if the JPEG is damaged, or neither gray nor YCbCr.
    public static func lay(
        _ overlay: PictureOverlay, on file: [UInt8]
    ) throws(PictureFault) -> (file: [UInt8], share: Double) {
        let isGray = JPEGHeader(file)?.components.count == 1
        let overlay = isGray ? overlay.withoutTint : overlay
        var result: (file: [UInt8], share: Double)
        // A color JPEG of a gray one has other data.
        if !isGray || overlay.isNeutral, let patched = ScanPatch.patch(file, overlay.areas) {
            result = patched
        } else {
            result = try encode(overlay.areas, on: file)
        }
        result.file = JPEGMetadata.removingMergeMark(from: result.file)
        return result
    }

    /// Draws an overlay on a JPEG by reading and writing all its coefficients.
    static func encode(
        _ areas: [PictureOverlay.Area], on file: [UInt8]
    ) throws(PictureFault) -> (file: [UInt8], share: Double) {
        var diagnostic = cjpeg_diagnostic()
        var (count, share) = (0, 0.0)
        let bytes = withAreas(areas[...]) { list in
            cjpeg_patch(file, file.count, list, CInt(list.count), &share, &count, &diagnostic)
        }
        guard let bytes else { throw diagnostic.fault }
        return ([UInt8](taking: bytes, count: count), share)
    }

    /// Calls `body` with the areas as C structures; their pixels stay in place meanwhile.
    private static func withAreas<Value>(
        _ areas: ArraySlice<PictureOverlay.Area>, _ list: [cjpeg_overlay] = [], _ body: ([cjpeg_overlay]) -> Value
    ) -> Value {
        guard let area = areas.first else { return body(list) }
        let rect = area.rect
        return area.black.withUnsafeBufferPointer { black in
            area.white.withUnsafeBufferPointer { white in
                let next = cjpeg_overlay(
                    x: CInt(rect.x), y: CInt(rect.y), width: CInt(rect.width), height: CInt(rect.height),
                    black: black.baseAddress, white: white.baseAddress)
                return withAreas(areas.dropFirst(), list + [next], body)
            }
        }
    }
}
