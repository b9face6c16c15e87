public import AdapterKit
public import PageModel

/// A transform that cuts long images, and chapters of images that continue each other, into pages of a screen's height.
public struct Webtoon: PageTransform {
    public let descriptor = AdapterDescriptor(
        id: "webtoon", summary: "cuts long images into pages for a screen", extensions: [],
        settings: [
            Setting(
                name, .flag, valueName: "", topic: "spreads",
                help: "Cut long images into pages of the screen's height",
                details:
                    "Needs --device, or --fit with both sides. Images of one width count as one long image. jisui cuts where rows show a single color",
                excludes: ["spreads", "wide", "trim"], followsOption: "fit",
                effect: EffectRule(unless: "every image is a page of its own"))
        ])

    public let counts: [FindingCount] = [.cut]

    static let name = "webtoon"

    public init() {}

    public func passes(_ settings: Settings) throws(AdapterError) -> [Pass] {
        guard settings.flag(Webtoon.name) else { return [] }
        guard let box = settings["fit"].flatMap({ FitBox($0, enlarges: false) }), let width = box.width,
            let height = box.height
        else {
            throw AdapterError(
                .usage, "--webtoon needs the width and the height of the screen",
                hint: "use --device NAME, or --fit 1264x1680")
        }
        let screen = PixelSize(width: width, height: height)
        return [Pass(.join) { try await Webtoon.cut($0, for: screen, $1) }]
    }

    private static func cut(
        _ sequence: PageSequence, for screen: PixelSize, _ request: TransformRequest
    ) async throws -> PageSequence {
        var pages = ScreenPages(sequence)
        let images = try await StripImage.all(sequence.pages, request)
        for strip in LongStrip.strips(of: images, outline: sequence.book.outline) {
            pages.add(strip, cut: strip.cuts(for: screen))
        }
        if pages.changes { request.effects.note([.option(name), .option("fit")]) }
        if let note = pages.noteOnArtwork { request.report(note) }
        return pages.sequence
    }
}

/// The decision about one page of the screen.
struct ScreenFinding: PageFinding {
    /// Whether it shows a part of an image, or several.
    var isCut: Bool
    var remark: Message

    var isOfImage: Bool { false }

    var crops: Bool { isCut }

    func counts(isCut: Bool) -> [FindingCount] { self.isCut ? [.cut] : [] }

    func members(side: Side) -> [(key: String, value: FindingValue)] { [("webtoon", .text(remark.english))] }
}

extension FindingCount {
    static let cut = FindingCount("cutForScreen") { "\($0) cut for the screen" }
}
