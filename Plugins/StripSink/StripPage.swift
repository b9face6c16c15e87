internal import AdapterKit
internal import Imaging
internal import PageModel
internal import Synchronization

/// A page that waits in the spool until all are there.
struct StripPage: Sendable {
    /// How its picture lies in the spool.
    enum Form: Hashable, Sendable {
        /// As the bytes of a picture file.
        case file(ImageEncoding)
        /// As samples, upright.
        case samples
    }

    let number: Int
    let name: String
    let form: Form
    /// Where the page lies in the spool, and how many bytes it has there.
    let offset: Int
    let count: Int
    /// The size it has when it is upright.
    let size: PixelSize
    /// How the picture is turned to be upright.
    let orientation: Orientation
    let format: PixelFormat
    /// The profile of its samples. One that is broken or for other colors is as good as none: nobody can follow it.
    let iccProfile: [UInt8]?
    /// Whether its samples change when they are brought to sRGB.
    let isChangedInSRGB: Bool
    /// Whether decoding converts its colours, as from CMYK.
    let isConverted: Bool
    let resolution: Resolution?
    /// Whether its rows can be decoded one after the other in little memory.
    let isSequential: Bool
    /// The quantisation tables of the JPEG it is, or was decoded from.
    let tables: JPEGTables?
    /// The size of an MCU in pixels, of a JPEG.
    let grid: PixelSize?
    /// See `EncodedPicture.joinKey`.
    let joinKey: JoinKey?

    /// Puts a page into the spool.
    ///
    /// - Throws: `.damaged` or `.unsupported` when it is no picture that can be decoded; `.tooLarge`.
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
            // One that is found to be damaged now is left out.
            let facts = try StripPage.naming(page.page.name, advice: nil) { () throws(PictureFault) in
                try PictureFacts(picture.bytes, picture.encoding, mostPixels: limits.pixels)
            }
            orientation = facts.orientation
            size = facts.orientation.applied(to: facts.size)
            format = facts.format
            profile = facts.iccProfile
            isConverted = facts.loss != nil
            resolution = facts.resolution?.turned(quarters: facts.orientation.isTransposed ? 1 : 0)
            let header = picture.encoding == .jpeg ? PictureHeader(picture.bytes) : nil
            tables = header == nil ? nil : JPEGTables(picture.bytes)
            grid = header?.grid
            joinKey = header?.joinKey
            isSequential = facts.isSequential && facts.orientation == .upright
        case .document, .spread:
            throw AdapterError(.unsupported, "a strip is made of pictures, not of pages of documents", page: name)
        }
        let isChanged = try StripPage.naming(page.page.name) { [format, profile] () throws(PictureFault) -> Bool? in
            if let profile { try Raster.isChangedInSRGB(format, profile) } else { nil }
        }
        iccProfile = isChanged == nil ? nil : profile
        isChangedInSRGB = isChanged ?? false
        guard size.area <= limits.pixels else {
            throw AdapterError(
                .tooLarge, "a picture of \(size) pixels is more than the \(limits.pixels) allowed",
                advice: "--max-pixels allows more", page: name)
        }
    }

    /// The page upright, in colours of sRGB unless its own profile is the strip's, without alpha.
    ///
    /// - Parameter damage: gets what is told of the picture while it is decoded.
    func raster(
        in spool: SpoolFile, _ damage: PageDamage, keepsProfile: Bool, background: RGB, limits: Limits
    ) throws(AdapterError) -> Raster {
        let bytes = try spool.read(at: offset, count: count)
        return try StripPage.naming(name) { () throws(PictureFault) in
            var raster: Raster
            switch form {
            case .samples: raster = Raster(size: size, format: format, samples: bytes)
            case .file(let encoding):
                let image = try PictureDecoder.decode(bytes, encoding, mostPixels: limits.pixels)
                damage.note(image.diagnostics.first, of: encoding, page: number)
                raster = image.raster.framed(Framing(image.raster.size, orientation))
            }
            raster.iccProfile = iccProfile
            if !keepsProfile { raster = try raster.withoutProfile() }
            return raster.format.hasAlpha ? raster.flattened(on: background) : raster
        }
    }

    /// Whether its samples lie in the spool just as a strip of this format has them.
    func isReady(for strip: StripFormat) -> Bool {
        form == .samples && format == strip.composed && (!isChangedInSRGB || strip.iccProfile != nil)
    }

    /// Has a fault name the page it was met on.
    static func naming<Value>(
        _ page: String, advice: String? = "leave it out with --pages", _ body: () throws(PictureFault) -> Value
    ) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            let code: AdapterError.Code =
                switch error.kind {
                case .damaged: .damaged
                case .unsupported: .unsupported
                case .tooLarge: .tooLarge
                }
            throw AdapterError(code, error.message, advice: advice, page: page)
        }
    }
}

/// What was found damaged while pages were decoded or joined.
final class PageDamage: Sendable {
    private let found = Mutex([Int: String]())

    /// Half a sentence about each damaged page, by the pages' numbers.
    var defects: [Int: String] { found.withLock { $0 } }

    /// - Parameter diagnostic: a codec's words, if it had any. The first that comes for a page says most.
    func note(_ diagnostic: String?, of encoding: ImageEncoding, page number: Int) {
        guard let diagnostic else { return }
        found.withLock { $0[number] = $0[number] ?? "the \(encoding.name) is damaged (\(diagnostic))" }
    }
}
