public import PageModel

extension Setting {
    /// The settings that several adapters share. One option on the command line serves them all.
    public static let shared = [background, dpi, pageTimeout, bake, align]

    public static let background = Setting(
        "background", .color, default: "white", valueName: "color",
        topic: "spreads", help: "Set the color of gaps and empty areas",
        details: "Also for long images",
        effect: EffectRule(joining: "no gap or empty area was found"))

    public static let dpi = Setting(
        "dpi", .integer(10...2400), valueName: "n",
        topic: "pdf", help: "Set the resolution in pixels per inch",
        details:
            "Reading: of pages that jisui renders (default: that of the largest image; at least 300 for pages with text or drawings). Writing: of images in a PDF (default: as stated in the image, or 300)",
        effect: EffectRule(
            [[.drawn], [.own]],
            causes: [
                .init(after: .copiedWhole, "pages were copied whole", hint: "use --rebuild to convert them to images"),
                .init(
                    after: .option("page-size"),
                    "--page-size decides the size of the pages, and no page had to be rendered",
                    hint: "remove --page-size to use the resolution"),
                .init("no page had to be rendered", hint: "use --fit to change the size of images"),
            ]))

    public static let pageTimeout = Setting(
        "page-timeout", .integer(1...86_400), default: "15", valueName: "seconds",
        topic: "run", help: "Limit the time for rendering or decoding one page")

    public static let bake = Setting(
        "bake", .flag, valueName: "",
        topic: "epub", help: "Crop the images themselves instead of their view",
        details: "Otherwise an EPUB or web reader shows a part of the untouched image",
        effect: EffectRule(unless: "no image file was cropped", hint: "use --crop or --trim to crop them"))

    public static let align = Setting(
        "align", .choice(Alignment.allWords), default: "center", valueName: "where",
        topic: "spreads", help: "Place smaller pages next to larger ones",
        details: "'scale' resizes them to the same height or width; also for long images",
        effect: EffectRule(joining: "no page was smaller than its neighbors"))
}

extension Alignment {
    private static let words: [(word: String, alignment: Alignment)] = [
        ("start", .start), ("top", .start), ("left", .start), ("center", .center), ("end", .end), ("bottom", .end),
        ("right", .end), ("scale", .scale),
    ]

    /// Makes the alignment for a word of the command line.
    public init?(_ word: String) {
        guard let found = Alignment.words.first(where: { $0.word == word }) else { return nil }
        self = found.alignment
    }

    static var allWords: [String] { words.map(\.word) }
}
