internal import Imaging
internal import PageModel

/// The sample format in which a strip is composed.
struct StripFormat: Sendable {
    /// The format to which pages are converted, of 8 or 16 bits.
    let composed: PixelFormat
    /// The format that a PNG stores: fewer bits if all pages have fewer.
    let stored: PixelFormat
    /// The background in samples of `composed`.
    let background: [UInt8]
    /// The common profile of all pages; nil if they differ, and are converted to sRGB.
    let iccProfile: [UInt8]?
    let resolution: Resolution?

    init(_ pages: [StripPage], _ options: StripOptions) {
        let opaque = pages.map { $0.format.withoutAlpha }
        let isColorful = !options.background.isGray && pages.count > 0
        let common = opaque.dropFirst().reduce(opaque[0]) { $0.joined(with: $1) }
        let sample = options.background.red
        let profiles = Set(pages.map(\.iccProfile))
        let profile = profiles.count == 1 ? pages[0].iccProfile : nil
        // Converting and scaling produce grays that fewer bits do not have.
        let isConverted = profile == nil && pages.contains(where: \.isChangedInSRGB)
        let isScaled =
            options.alignment == .scale
            && Set(pages.map { options.isVertical ? $0.size.width : $0.size.height }).count > 1
        switch common {
        case .gray(let bits)
        where bits < 8 && !isColorful && !isConverted && !isScaled && StripFormat.fits(sample, bits: bits)
            && options.isBanded:
            composed = .gray(bits: 8)
            stored = common
        default:
            let maximum = options.isBanded ? 16 : 8
            let bits = min(maximum, max(8, common.bitsPerSample))
            // Only the background needs color, but an image has a single format.
            composed = common.hasColor || isColorful ? .rgb(bits: bits) : .gray(bits: bits)
            stored = composed
        }
        background = StripFormat.samples(of: options.background, composed)
        // Gray pages may get a colored background, which a gray profile does not describe.
        iccProfile =
            composed.hasColor && profile?.dropFirst(16).starts(with: Array("GRAY".utf8)) == true ? nil : profile
        let resolutions = Set(pages.map(\.resolution))
        resolution = resolutions.count == 1 && options.alignment != .scale ? pages[0].resolution : nil
    }

    /// Whether a gray of 8 bits is one of the levels that fewer bits have.
    private static func fits(_ gray: UInt8, bits: Int) -> Bool {
        Int(gray) % (255 / (1 << bits - 1)) == 0
    }

    private static func samples(of color: RGB, _ format: PixelFormat) -> [UInt8] {
        let samples = format.hasColor ? [color.red, color.green, color.blue] : [color.red]
        return format.bitsPerSample == 16 ? samples.flatMap { [$0, $0] } : samples
    }

    /// Returns a page in the strip's samples.
    func bring(_ raster: Raster) -> Raster {
        let narrow = raster.format.bitsPerSample > composed.bitsPerSample ? raster.narrowed() : raster
        return narrow.widened(to: composed)
    }

    /// Returns rows of background, as many bytes as they need.
    func backdrop(_ size: PixelSize) -> [UInt8] {
        let pixel = background.count
        if Set(background).count == 1 { return [UInt8](repeating: background[0], count: size.area * pixel) }
        return [UInt8](unsafeUninitializedCapacity: size.area * pixel) { buffer, count in
            for index in 0..<size.area * pixel { buffer[index] = background[index % pixel] }
            count = size.area * pixel
        }
    }
}

extension PixelFormat {
    var withoutAlpha: PixelFormat {
        switch self {
        case .grayAlpha(let bits): .gray(bits: bits)
        case .rgba(let bits): .rgb(bits: bits)
        case .gray, .rgb, .palette: self
        }
    }
}
