internal import CJPEGShims
internal import PageModel

private enum OverlaidJPEGLimits {
    /// A file that grows by more than this factor becomes progressive. A line of text adds 1 to 2 % to most scans, which
    /// stay as they are. It adds 5 % to a gray page of few words, and a progressive JPEG of that page is 14 % smaller.
    static let growth = 1.03
    /// The same for an overlay that covers more than `largeShare` of the image, such as a watermark. It costs more bytes in
    /// any case, and a progressive JPEG takes longer.
    static let largeGrowth = 1.25
    static let largeShare = 0.1
    /// The size in bytes below which a progressive JPEG may be the larger one, because each scan has a header and tables. Chosen
    /// without a measurement.
    static let smallFile = 1 << 16
}

extension JPEGSurgery {
    /// A JPEG under an overlay.
    public struct Overlaid: Sendable {
        public var file: [UInt8]
        /// The fraction of its blocks that were re-encoded, from 0 to 1.
        public var share: Double
        /// Whether it is progressive although the JPEG below was not.
        public var becomesProgressive = false

        /// The same as a progressive JPEG; nil for one that only libjpeg can make progressive.
        fileprivate var progressive: Overlaid? {
            SeparatedScans.progressive(file).map { Overlaid(file: $0, share: share, becomesProgressive: true) }
        }
    }

    /// The scans of a result.
    enum Scans {
        /// Progressive if the image is, otherwise one scan.
        case own
        case progressive
        /// One scan that is large but fast to write, for a result that is read again.
        case quick

        fileprivate var code: cjpeg_scans {
            switch self {
            case .own: cjpeg_own_scans
            case .progressive: cjpeg_progressive_scans
            case .quick: cjpeg_quick_scan
            }
        }
    }

    /// Draws an overlay on a JPEG. Only the blocks that it touches are re-encoded, with the JPEG's own tables.
    ///
    /// A gray JPEG under an overlay of visible color becomes a color JPEG, whose brightness keeps the gray one's coefficients. Other
    /// coefficients stay, and all markers except a merge mark. A gray JPEG that becomes a color JPEG becomes progressive, too. So
    /// does one that the overlay would make noticeably larger.
    ///
    /// - Throws: `PictureFault` if the JPEG is damaged, or neither gray nor YCbCr.
    public static func lay(_ overlay: PictureOverlay, on file: [UInt8]) throws(PictureFault) -> Overlaid {
        let header = JPEGHeader(file)
        let isGray = header?.components.count == 1
        let overlay = isGray ? overlay.withoutTint : overlay
        let isGrayProgressive = isGray && header?.frame == .progressive
        let maySeparate = header.map { ![.progressive, .arithmeticProgressive].contains($0.frame) } ?? false
        let areas = overlay.areas.flatMap(\.tiles)
        let covered = Double(overlay.areas.reduce(0) { $0 + $1.rect.size.area })
        let isLarge = covered > OverlaidJPEGLimits.largeShare * Double(header?.size?.area ?? 0)
        let maximum = isLarge ? OverlaidJPEGLimits.largeGrowth : OverlaidJPEGLimits.growth
        var plain: (overlaid: Overlaid, growth: Double)?
        // A color JPEG of a gray one has other data.
        if !isGray || overlay.isNeutral {
            plain = ScanPatch.patch(file, areas)
            // The codes of a gray image seldom suit a large overlay. Other scans are smaller then.
            if plain == nil, !isGray || !isLarge { plain = ProgressivePatch.patch(file, areas).map { ($0, 1) } }
            if plain == nil {
                let encoded = try encode(areas, on: file, separatingGray: isGrayProgressive)
                plain = (encoded, Double(encoded.file.count) / Double(max(1, file.count)))
            }
        }
        var result: Overlaid
        if let plain, !maySeparate || plain.growth <= maximum {
            result = plain.overlaid
        } else if maySeparate, let separated = separated(plain?.overlaid, areas, on: file) {
            result = separated
            let isSmall = plain == nil && file.count < OverlaidJPEGLimits.smallFile
            let other = isSmall ? try encode(areas, on: file) : plain?.overlaid
            if let other, other.file.count <= separated.file.count { result = other }
        } else if let plain {
            result = plain.overlaid
        } else {
            // Components with many blocks in an MCU do not fit into the scan of DC coefficients.
            result = try encode(areas, on: file, separatingGray: isGrayProgressive)
        }
        result.file = JPEGMetadata.removingStaleParts(from: result.file)
        return result
    }

    /// Returns the image under an overlay as a progressive JPEG. The result is nil if it cannot be one.
    ///
    /// - Parameter plain: the same as a sequential JPEG, if it is known.
    private static func separated(
        _ plain: Overlaid?, _ areas: [PictureOverlay.Area], on file: [UInt8]
    ) -> Overlaid? {
        (plain ?? (try? encode(areas, on: file, .quick)))?.progressive ?? (try? encode(areas, on: file, .progressive))
    }

    /// Draws an overlay on a JPEG by reading and writing all its coefficients.
    ///
    /// - Parameter isGrayProgressive: whether it is a gray progressive JPEG. The result has scans that are smaller and faster to
    ///   write than libjpeg's.
    private static func encode(
        _ areas: [PictureOverlay.Area], on file: [UInt8], separatingGray isGrayProgressive: Bool
    ) throws(PictureFault) -> Overlaid {
        guard isGrayProgressive, var result = try encode(areas, on: file, .quick).progressive else {
            return try encode(areas, on: file)
        }
        result.becomesProgressive = false
        return result
    }

    /// Draws an overlay on a JPEG by reading and writing all its coefficients.
    static func encode(
        _ areas: [PictureOverlay.Area], on file: [UInt8], _ scans: Scans = .own
    ) throws(PictureFault) -> Overlaid {
        var diagnostic = cjpeg_diagnostic()
        var (count, share) = (0, 0.0)
        let bytes = withAreas(areas) { list in
            cjpeg_patch(file, file.count, list, CInt(list.count), scans.code, &share, &count, &diagnostic)
        }
        guard let bytes else { throw diagnostic.fault }
        return Overlaid(
            file: [UInt8](taking: bytes, count: count), share: share,
            becomesProgressive: scans == .progressive)
    }

    /// Draws an overlay on a gray JPEG, and re-encodes only the blocks that it touches, with the JPEG's own tables.
    ///
    /// - Returns: a file in which all other blocks are blank, and for each block, row by row, whether the overlay touches it.
    static func composite(
        _ areas: [PictureOverlay.Area], on file: [UInt8]
    ) throws(PictureFault) -> (file: [UInt8], isTouched: [Bool]) {
        guard let size = JPEGHeader(file)?.size else { throw PictureFault("it is not a JPEG") }
        var diagnostic = cjpeg_diagnostic()
        var (count, blocks): (Int, UnsafeMutablePointer<UInt8>?) = (0, nil)
        let bytes = withAreas(areas) { list in
            cjpeg_composite(file, file.count, list, CInt(list.count), &blocks, &count, &diagnostic)
        }
        guard let bytes, let blocks else { throw diagnostic.fault }
        let touched = [UInt8](taking: blocks, count: ((size.width + 7) / 8) * ((size.height + 7) / 8))
        return ([UInt8](taking: bytes, count: count), touched.map { $0 != 0 })
    }

    /// Calls `body` with the areas as C structures. There may be thousands of them.
    private static func withAreas<Value>(
        _ areas: [PictureOverlay.Area], _ body: ([cjpeg_overlay]) -> Value
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
