internal import Imaging
internal import PageModel

/// The exchange of light and dark, for negatives and microfilm.
struct Invert: PageOperation {
    static let id = "invert"

    var note: Note { Note(.operation, ["name": "inverted"], text: "made negative") }

    /// Only transparent pixels lose something: their opacity.
    var keepsFormat: Bool { true }

    var isSameForParts: Bool { true }

    func apply(to raster: Raster) -> Raster {
        let opaque = raster.format.hasAlpha ? raster.flattened(on: .white) : raster
        var (format, samples) = (opaque.format, opaque.samples)
        if case .palette(let bits, let colors) = format {
            format = .palette(bits: bits, colors: colors.map { ~$0 })
        } else {
            samples = samples.map { ~$0 }
        }
        return Raster(
            size: opaque.size, format: format, samples: samples, resolution: opaque.resolution,
            iccProfile: opaque.iccProfile)
    }
}
