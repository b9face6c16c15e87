internal import AdapterKit
internal import Files
internal import Imaging
internal import PageModel
internal import Synchronization

/// A page that waits in the spool until all are added.
struct StripPage: Sendable {
    /// The form of its image in the spool.
    enum Form: Hashable, Sendable {
        /// The bytes of an image file.
        case file(ImageEncoding)
        /// Upright samples.
        case samples
    }

    let number: Int
    let name: String
    let form: Form
    /// The offset of the page in the spool, and the number of its bytes there.
    let offset: Int
    let count: Int
    /// The size of the upright page.
    let size: PixelSize
    /// The orientation that makes the image upright.
    let orientation: Orientation
    let format: PixelFormat
    /// The profile of its samples. An invalid profile or one for other colors counts as missing because it cannot be applied.
    let iccProfile: [UInt8]?
    /// Whether its samples change in the conversion to sRGB.
    let isChangedInSRGB: Bool
    /// Whether decoding converts its colors, for example from CMYK.
    let isConverted: Bool
    let resolution: Resolution?
    /// Whether its rows can be decoded one after the other in little memory.
    let isSequential: Bool
    /// The quantization tables of the JPEG that it is, or from which it was decoded.
    let tables: JPEGTables?
    /// The size of an MCU in pixels, for a JPEG.
    let grid: PixelSize?
    /// See `EncodedPicture.joinKey`.
    let joinKey: JoinKey?

    /// Adds a page to the spool.
    ///
    /// - Throws: `.damaged` or `.unsupported` if its image cannot be decoded; `.tooLarge`.
    init(_ page: FinishedPage, in spool: SpoolFile, limits: Limits) throws(AdapterError) {
        number = page.number
        name = page.page.name
        let profile: [UInt8]?
        switch page.content {
        case .raster(let picture):
            let raster = picture.raster
            form = .samples
            (offset, count) = (try spool.append(raster.samples), raster.samples.count)
            (size, orientation, format) = (raster.size, .upright, raster.format)
            (profile, resolution) = (raster.iccProfile, raster.resolution)
            (isConverted, isSequential) = (false, false)
            tables = picture.source.flatMap { JPEGTables($0) }
            (grid, joinKey) = (nil, nil)
        case .encoded(let picture):
            form = .file(picture.encoding)
            (offset, count) = (try spool.append(picture.bytes), picture.bytes.count)
            // A page that turns out to be damaged is skipped.
            let facts = try AdapterError.imaging(page: page.page.name) { () throws(PictureFault) in
                try PictureFacts(picture.bytes, picture.encoding, maximumPixels: limits.pixels)
            }
            orientation = facts.orientation
            size = facts.orientation.applied(to: facts.size)
            format = facts.format
            profile = facts.iccProfile
            isConverted = facts.loss != nil
            resolution = facts.resolution?.rotated(quarters: facts.orientation.isTransposed ? 1 : 0)
            let header = picture.encoding == .jpeg ? PictureHeader(picture.bytes) : nil
            tables = header == nil ? nil : JPEGTables(picture.bytes)
            grid = header?.grid
            joinKey = header?.joinKey
            isSequential = facts.isSequential && facts.orientation == .upright
        case .document, .spread, .layered:
            throw AdapterError(.unsupported, "a strip is made of images, not of pages of documents", page: name)
        }
        let isChanged = try AdapterError.imaging(hint: StripPage.hint, page: page.page.name) {
            [format, profile] () throws(PictureFault) -> Bool? in
            if let profile { try Raster.isChangedInSRGB(format, profile) } else { nil }
        }
        iccProfile = isChanged == nil ? nil : profile
        isChangedInSRGB = isChanged ?? false
        guard size.area <= limits.pixels else {
            throw AdapterError(
                .tooLarge, "the image has \(size) pixels, more than the \(limits.pixels) allowed",
                hint: "use --max-pixels to allow more", page: name)
        }
    }

    /// Returns the upright page without alpha, in sRGB unless its own profile is the strip's.
    ///
    /// - Parameter damage: the record for warnings during decoding.
    func raster(
        in spool: SpoolFile, _ damage: PageDamage, keepsProfile: Bool, background: RGB, limits: Limits
    ) throws(AdapterError) -> Raster {
        let bytes = try spool.read(at: offset, count: count)
        return try AdapterError.imaging(hint: StripPage.hint, page: name) { () throws(PictureFault) in
            var raster: Raster
            switch form {
            case .samples: raster = Raster(size: size, format: format, samples: bytes)
            case .file(let encoding):
                let image = try PictureDecoder.decode(bytes, encoding, maximumPixels: limits.pixels)
                damage.note(image.diagnostics.first, of: encoding, page: number)
                raster = image.raster.framed(Framing(image.raster.size, orientation))
            }
            raster.iccProfile = iccProfile
            if !keepsProfile { raster = try raster.withoutProfile() }
            return raster.format.hasAlpha ? raster.flattened(on: background) : raster
        }
    }

    /// Whether its samples in the spool already have the format of this strip.
    func isReady(for strip: StripFormat) -> Bool {
        form == .samples && format == strip.composed && (!isChangedInSRGB || strip.iccProfile != nil)
    }

    /// The hint for a page that cannot be part of a strip.
    static let hint: Message = "leave it out with --pages"
}

/// The damage found while pages were decoded or joined.
final class PageDamage: Sendable {
    private let found = Mutex([Int: Message]())

    /// A sentence fragment about each damaged page, by the pages' numbers.
    var defects: [Int: Message] { found.withLock { $0 } }

    /// - Parameter diagnostic: a codec's message, if any. The first one for a page is the most informative.
    func note(_ diagnostic: Message?, of encoding: ImageEncoding, page number: Int) {
        guard let diagnostic else { return }
        found.withLock { $0[number] = $0[number] ?? "the \(encoding.name) is damaged (\(diagnostic))" }
    }
}
