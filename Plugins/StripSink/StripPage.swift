internal import AdapterKit
internal import Imaging
internal import PageModel

/// A page that waits in the spool until all are there.
struct StripPage: Sendable {
    let number: Int
    let name: String
    let encoding: ImageEncoding
    /// Where its file lies in the spool.
    let offset: Int
    let count: Int
    /// The size it has when it is laid down upright.
    let size: PixelSize
    let orientation: Orientation
    let format: PixelFormat
    /// The profile of its samples. One that is broken or for other colors is as good as none: nobody can follow it.
    let iccProfile: [UInt8]?
    /// Whether its samples change when they are brought to sRGB.
    let isChangedInSRGB: Bool
    /// Whether decoding makes other colours of its own, as of CMYK.
    let isConverted: Bool
    let resolution: Resolution?
    /// Whether its rows can be decoded one after the other in little memory.
    let isSequential: Bool
    /// The divisors of a JPEG.
    let tables: JPEGTables?
    /// The pixels of a JPEG's MCU.
    let grid: PixelSize?
    /// See `EncodedPicture.joinKey`.
    let joinKey: JoinKey?

    /// - Throws: `.damaged` or `.unsupported` when it is no picture that can be decoded.
    init(_ page: FinishedPage, at offset: Int, limits: Limits) throws(AdapterError) {
        number = page.number
        name = page.page.name
        encoding = page.encoding
        self.offset = offset
        count = page.bytes.count
        let facts = try StripPage.naming(page.page.name) { () throws(PictureFault) in
            try PictureFacts(page.bytes, page.encoding, mostPixels: limits.pixels)
        }
        orientation = facts.orientation
        size = facts.orientation.applied(to: facts.size)
        format = facts.format
        let isChanged = facts.iccProfile.flatMap { try? Raster.isChangedInSRGB(facts.format, $0) }
        iccProfile = isChanged == nil ? nil : facts.iccProfile
        isChangedInSRGB = isChanged ?? false
        isConverted = facts.loss != nil
        resolution = facts.resolution?.turned(quarters: facts.orientation.isTransposed ? 1 : 0)
        let header = page.encoding == .jpeg ? PictureHeader(page.bytes) : nil
        tables = header == nil ? nil : JPEGTables(page.bytes)
        grid = header?.grid
        joinKey = header?.joinKey
        isSequential = facts.isSequential && facts.orientation == .upright
        guard size.area <= limits.pixels else {
            throw AdapterError(
                .tooLarge, "a picture of \(size) pixels is more than the \(limits.pixels) allowed",
                advice: "--max-pixels allows more", page: name)
        }
    }

    /// The page upright, in colours of sRGB unless its own profile is the strip's, without alpha.
    func raster(
        in spool: SpoolFile, keepsProfile: Bool, background: RGB, limits: Limits
    ) throws(AdapterError) -> Raster {
        let bytes = try spool.read(at: offset, count: count)
        return try StripPage.naming(name) { () throws(PictureFault) in
            var raster = try PictureDecoder.decode(bytes, encoding, mostPixels: limits.pixels).raster
            raster = raster.framed(Framing(raster.size, orientation))
            raster.iccProfile = iccProfile
            if !keepsProfile { raster = raster.withoutProfile() }
            return raster.format.hasAlpha ? raster.flattened(on: background) : raster
        }
    }

    /// Has a fault name the page it was met on.
    static func naming<Value>(
        _ page: String, _ body: () throws(PictureFault) -> Value
    ) throws(AdapterError) -> Value {
        do {
            return try body()
        } catch {
            throw AdapterError(
                error.kind == .unsupported ? .unsupported : .damaged, error.message,
                advice: "leave it out with --pages", page: page)
        }
    }
}
