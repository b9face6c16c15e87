/// A value of an option that a run can tell apart from a run without it.
struct OptionSample: Sendable {
    /// With what inputs and outputs it is tried.
    enum Reach: Sendable {
        case everything
        /// The input means nothing to it, so that two do.
        case fewInputs
    }

    let option: String
    /// Nil for a flag.
    let value: String?
    /// Options without which it means nothing. The run that it is compared with has them as well.
    let others: [String]
    let reach: Reach

    init(_ option: String, _ value: String? = nil, with others: String = "", on reach: Reach = .everything) {
        self.option = option
        self.value = value
        self.others = others.split(separator: " ").map(String.init)
        self.reach = reach
    }

    var arguments: [String] { ["--\(option)"] + (value.map { [$0] } ?? []) }
}

extension OptionSample {
    /// The value of an option that is a file beside the inputs.
    static let clips = "clips.json"
    static let metadata = "facts.json"

    /// A value of each option of `convert` that changes what comes of pages, and a few more where one is not enough.
    static let all: [OptionSample] = pictures + book + transforms + formats

    private static let pictures: [OptionSample] = [
        .init("pages", "2"), .init("direction", "rtl"), .init("order", "natural", on: .fewInputs),
        .init("combine", on: .fewInputs), .init("crop", "10%"), .init("rotate", "90"), .init("rotate", "auto"),
        .init("fit", "40x40"), .init("fit", "4000x4000"), .init("enlarge", with: "--fit 100x100"),
        .init("enlarge", with: "--fit 40x40"), .init("sharpen", "50", with: "--fit 40x40"),
        .init("sharpen", "50", with: "--fit 4000x4000"),
        .init("color-filter", with: "--fit 40x40"), .init("color-filter", with: "--fit 4000x4000"),
        .init("gray"), .init("invert"), .init("shades", "4"), .init("dither", "off", with: "--shades 4"),
        .init("levels", "20,80"), .init("gamma", "2"),
        .init("whiten"), .init("paper", "#fff8e7", with: "--whiten"), .init("despeckle"), .init("bilevel"),
        .init("borders"),
        .init("bilevel-dpi", "600", with: "--bilevel"),
        .init("show-through", "only"),
        .init("crop", "0"), .init("levels", "0,100"), .init("gamma", "1"),
        .init("image-format", "png"), .init("image-format", "jpeg"), .init("image-format", "webp"),
        .init("image-format", "tiff"), .init("quality", "30"), .init("quality", "100"),
        .init("quality", "30", with: "--image-format jpeg"),
    ]

    private static let book: [OptionSample] = [
        .init("title", "Another", on: .fewInputs), .init("author", "Somebody", on: .fewInputs),
        .init("series", "A series", on: .fewInputs), .init("number", "3", on: .fewInputs),
        .init("volume", "2", on: .fewInputs), .init("publisher", "Somebody", on: .fewInputs),
        .init("date", "2001-02-03", on: .fewInputs), .init("language", "ja", on: .fewInputs),
        .init("metadata", metadata, on: .fewInputs), .init("guess", on: .fewInputs),
    ]

    private static let transforms: [OptionSample] = [
        .init("clips", clips), .init("spreads", "pair"), .init("spreads", "merge"), .init("spreads", "split"),
        .init("spreads", "join-art"), .init("spreads", "rotate"), .init("cover", "paired", with: "--spreads pair"),
        .init("cover", "paired", with: "--spreads merge"), .init("wide-ratio", "2", with: "--spreads split"),
        .init("wide", "rotate"), .init("wide", "both"), .init("wide-turn", "clockwise", with: "--wide rotate"),
        .init("wide-ratio", "0.6", with: "--spreads rotate"), .init("shift", "3", with: "--spreads merge"),
        .init("shift", "2", with: "--spreads merge"), .init("shift", "4", with: "--spreads pair"),
        .init("blanks", with: "--spreads pair"), .init("gutter", "4", with: "--spreads merge"),
        .init("align", "end"), .init("align", "end", with: "--spreads merge"), .init("background", "black"),
        .init("background", "black", with: "--spreads merge --gutter 4"), .init("background", "black", with: "--gap 4"),
        .init("seam", "exact", with: "--spreads merge"), .init("single-on-canvas", with: "--spreads merge"),
        .init("fold", "30%", with: "--spreads split"), .init("keep-art", with: "--spreads split"),
        .init("webtoon", with: "--fit 40x40"),
        .init("flatten"), .init("trim", "page"), .init("trim-margin", "10%", with: "--trim page"),
        .init("trim-aspect", "1:1", with: "--trim page"), .init("trim-confidence", "0", with: "--trim page"),
        .init("trim-numbers", with: "--trim page"), .init("trim-heads", with: "--trim page"), .init("deskew"),
    ]

    private static let formats: [OptionSample] = [
        .init("dpi", "150"), .init("dpi", "150", with: "--rebuild"), .init("page-box", "media"),
        .init("pages-as", "scan"), .init("pages-as", "page"), .init("no-stamps"),
        .init("uncover", with: "--pages-as scan"), .init("uncover", with: "--no-stamps"),
        .init("no-active", on: .fewInputs),
        .init("filename-encoding", "cp932"), .init("comic-info", on: .fewInputs), .init("page-size", "a6"),
        .init("dpi", "150", with: "--page-size a6"), .init("rebuild"), .init("linearize"),
        .init("epub-for", "kindle", on: .fewInputs), .init("epub-for", "apple", on: .fewInputs),
        .init("epub-for", "kobo", on: .fewInputs), .init("screen", "528x792", on: .fewInputs),
        .init("kindle-cover", on: .fewInputs),
        .init("bake"), .init("bake", with: "--crop 10%"),
        .init("bake", with: "--spreads merge"), .init("strip-direction", "horizontal"), .init("gap", "4"),
        .init("strip-max", "64", on: .fewInputs), .init("tiles", on: .fewInputs), .init("add", on: .fewInputs),
        .init("with", "cbz", on: .fewInputs), .init("base-url", "https://example.org/", on: .fewInputs),
        .init("shelf-title", "Comics", on: .fewInputs),
        .init("no-thumbnails", on: .fewInputs),
    ]

    /// The options that by their nature leave the pages as they are, each with the reason. None of these may be one that
    /// asks for something of the output.
    static let exempt: [String: String] = [
        "output": "names the output", "to": "names the output's format, which other tests give",
        "force": "permits", "skip-existing": "permits",
        "journal": "writes a file of its own", "update": "is about earlier runs",
        "retry-failed": "is about earlier runs",
        "progress": "is about messages", "metrics": "writes a file of its own",
        "recursive": "finds inputs", "from-list": "names inputs", "null": "is about a list of inputs",
        "include": "chooses inputs", "exclude": "chooses inputs", "shard": "chooses inputs",
        "name": "names outputs in a folder",
        "split-volumes": "makes several outputs of a book",
        "target-size": "chooses a quality, which has a sample",
        "dry-run": "asks for no output", "report": "writes a file of its own",
        "recipe": "stands for other options, as RecipeTests compares",
        "clean": "stands for other options",
        "recipe-without": "leaves out options of a recipe",
        "device": "stands for other options, as SettingLayerTests compares",
        "preset": "stands for other options, as SettingLayerTests compares",
        "to-device": "writes a file of its own", "save-preset": "writes a file of its own",
        "strict": "makes a warning an error", "lossless": "makes a loss an error",
        "verify": "checks what was written", "max-pixels": "bounds what may be taken",
        "max-memory": "bounds what may be taken",
        "page-timeout": "bounds what may be taken", "from": "says what is recognized anyway",
        "password-file": "is for those of several inputs that ask for a password", "jobs": "is about the machine",
        "isolate": "is about the machine", "quiet": "is about messages", "verbose": "is about messages",
        "no-color": "is about messages", "version": "is another command", "help": "is another command",
        "spread-file": "keeps decisions in a file of its own", "trim-file": "keeps decisions in a file of its own",
        "flatten-file": "keeps decisions in a file of its own", "trim-sheet": "writes a file of its own",
        "clean-file": "keeps decisions in a file of its own", "clean-sheet": "writes a file of its own",
    ]
}
