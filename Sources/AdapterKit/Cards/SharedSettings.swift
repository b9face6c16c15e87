public import PageModel

extension Setting {
    // Settings that several adapters have. One option on the command line serves them all.

    public static let background = Setting(
        "background", .color, default: "white", valueName: "color",
        help: "The color of gaps and of what smaller pages leave free",
        effect: EffectRule(joining: "no gap and no free place was seen"))

    public static let dpi = Setting(
        "dpi", .integer(10...2400), valueName: "n",
        help: "Pixels per inch: of pages that have to be drawn, else that of their largest picture or 300; "
            + "of pictures in a PDF, else what they say or 300",
        effect: EffectRule(
            [[.drawn], [.resolutionGiven]],
            causes: [
                .init(after: .copiedWhole, "pages were copied whole", advice: "--rebuild makes pictures of them"),
                .init("no page had to be drawn", advice: "--fit changes the size of pictures"),
            ]))

    public static let pageTimeout = Setting(
        "page-timeout", .integer(1...86_400), default: "15", valueName: "seconds",
        help: "The time that drawing or decoding one page may take")

    public static let bake = Setting(
        "bake", .flag, valueName: "",
        help: "Cut cropped pictures instead of showing a part of the untouched ones",
        effect: EffectRule(
            [[.cropped], [.own]],
            causes: [.init("no picture file was cropped", advice: "--crop or --trim crops them")]))

    public static let align = Setting(
        "align", .choice(Alignment.allWords), default: "center", valueName: "where",
        help: "Where pages stand that are smaller than those beside them; scale brings them to the same size",
        effect: EffectRule(joining: "no page was smaller than those beside it"))
}

extension Alignment {
    private static let words: [(word: String, alignment: Alignment)] = [
        ("start", .start), ("top", .start), ("left", .start), ("center", .center), ("end", .end), ("bottom", .end),
        ("right", .end), ("scale", .scale),
    ]

    /// As it is typed.
    public init?(_ word: String) {
        guard let found = Alignment.words.first(where: { $0.word == word }) else { return nil }
        self = found.alignment
    }

    static var allWords: [String] { words.map(\.word) }
}
