internal import Imaging
internal import PageModel

/// The division of a page by the light of its paper, in linear light and channel by channel.
///
/// All of the page gets lighter together, so that tones keep their distance from the paper. Only flat paper gets one
/// level: its grain is removed, but nothing with a texture of its own.
struct Whiten: PageOperation {
    static let id = "whiten"

    let surface: PaperSurface
    /// The color that the paper gets.
    let paper: [UInt8]

    /// Whether the paper is read again, because an operation before changes it.
    let readsAgain: Bool

    init(_ surface: PaperSurface, paper: RGB, readsAgain: Bool = false) {
        (self.surface, self.readsAgain) = (surface, readsAgain)
        self.paper = [paper.red, paper.green, paper.blue]
    }

    var options: [String] { color == .white ? [Whiten.id] : [Whiten.id, "paper"] }
    var note: Note { Note(Note.Code("whitened", "whitened")) }

    private var color: RGB { RGB(red: paper[0], green: paper[1], blue: paper[2]) }

    var keepsGray: Bool { color.isGray }

    var makesLegible: Bool { true }

    /// The rasters before and after are of 8 bits a sample, and there is one between them.
    var workingCopies: Int { 1 }

    /// Light is divided alike before and after scaling, and grain shrinks with its limits. Paper is read again at its full size.
    var mayFollowScaling: Bool { !readsAgain }

    func apply(to raster: Raster) -> Raster {
        let opaque = (raster.format.hasAlpha ? raster.flattened(on: .white) : raster).narrowed().widened()
        let page = color.isGray ? opaque : opaque.widened(to: .rgb(bits: 8))
        let channels = page.format.hasColor ? 3 : 1
        let field = LightField(currentSurface(of: page), page.size, channels: channels)
        var samples = page.samples
        let deviation = field.divide(&samples, width: page.size.width)
        FlatPaper(deviation: deviation).whiten(&samples, page.size, channels: channels)
        if color != .white { tint(&samples, channels: channels) }
        return Raster(size: page.size, format: page.format, samples: samples, resolution: page.resolution)
    }

    private func currentSurface(of page: Raster) -> PaperSurface {
        guard readsAgain else { return surface }
        let factor = max(1, min(page.size.width, page.size.height) / PaperLimits.minimumPixels)
        let shade: SampleMeaning = page.format.hasColor ? .color : .brightness
        let reduced = factor == 1 ? page : DecodedImage(raster: page).reduced(by: factor, as: shade).raster
        return PaperReading(reduced, in: surface.area).correction ?? surface
    }

    /// Gives white paper the color that the user chose, and all else on it the same share of light.
    private func tint(_ samples: inout [UInt8], channels: Int) {
        let tables = color.light.map { light in
            (0...255).map { UInt8(truncatingIfNeeded: SRGBCurve.level(SRGBCurve.light8[$0] * light)) }
        }
        for place in samples.indices { samples[place] = tables[place % channels][Int(samples[place])] }
    }
}
