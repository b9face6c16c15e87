internal import AdapterKit
internal import PageModel

/// The checked values of the settings about facing pages.
struct SpreadOptions: Sendable {
    enum Mode: String, CaseIterable, Sendable {
        /// Only determine the facing pages.
        case pair
        /// Join two facing pages in one image.
        case merge
        /// Split a wide page into two.
        case split
        /// Join two pages if a drawing continues from one to the other.
        case joinArt = "join-art"
        /// Rotate wide pages clockwise by a quarter turn.
        case rotate
        /// Rotate them counterclockwise.
        case rotateLeft = "rotate-left"
    }

    let mode: Mode
    let wide: WidePages
    let cover: Pairing.Cover
    /// The ratio of width to height above which pages are wide.
    let wideRatio: Double
    /// The pages, by their numbers in the input, before which a side stays empty.
    let shifts: [Int]
    let addsBlanks: Bool
    /// The pixels between merged pages; negative if they overlap.
    let gutter: Int
    let alignment: Alignment
    let background: RGB
    let seam: JoinedPicture.Seam
    let isSingleOnCanvas: Bool
    /// The place of the cut in wide pages, as a fraction of their width; nil to search the fold.
    let fold: Double?
    let keepsArt: Bool
    /// Whether printed page numbers may determine the sides of pages: not if the user states the pairing.
    let readsNumbers: Bool
    /// The file that keeps decisions from one run to the next.
    let file: String?
    /// The options that affect decisions, as they were given.
    let given: [String: String]

    static let settings = [
        Setting(
            "spreads", .choice(Mode.allCases.map(\.rawValue)), valueName: "mode",
            topic: "spreads", help: "Choose what happens to facing pages",
            details:
                "Pair marks spreads. Merge joins facing pages into one image. Split cuts wide pages at the fold. Join-art merges only pages that share artwork. Rotate turns wide pages clockwise, rotate-left counterclockwise",
            effect: rule),
        WidePages.setting,
        WidePages.turnSetting,
        Setting(
            "cover", .choice(Pairing.Cover.allCases.map(\.rawValue)), default: "alone", valueName: "how",
            topic: "spreads", help: "Choose whether page 1 stands alone or is paired with 2",
            details: "If given, jisui ignores printed page numbers",
            effect: EffectRule(unless: "pages face each other in the same way without it")),
        Setting(
            "wide-ratio", .form(ratioForm), valueName: "ratio",
            topic: "spreads", help: "Treat pages with this width:height as spreads (default: 1)",
            effect: EffectRule(unless: "no page has a width between this and its height")),
        Setting(
            "shift", .form(shiftForm), valueName: "pages",
            topic: "spreads", help: "Move the pairing by one page from these pages on: 5,20",
            effect: shiftRule),
        Setting(
            "blanks", .flag, valueName: "", topic: "spreads", help: "Insert blank pages where a page faces nothing",
            effect: EffectRule(unless: "no page in the middle faced nothing")),
        Setting(
            "gutter", .integer(gutters), default: "0", valueName: "n",
            topic: "spreads", help: "Leave this many pixels between merged pages",
            details: "Negative numbers make the pages overlap. For long images see --gap",
            effect: EffectRule(joining: "no two pages were merged")),
        .align,
        .background,
        Setting(
            "seam", .choice(JoinedPicture.Seam.allCases.map(\.rawValue)), default: "pad", valueName: "how",
            topic: "spreads", help: "Choose how JPEGs off the block grid are merged",
            details: "Pad shows up to 15 pixels more, trim up to 15 fewer, both losslessly. Exact re-encodes the pages",
            effect: EffectRule(unless: "no JPEGs were joined that do not end on their grid")),
        Setting(
            "single-on-canvas", .flag, valueName: "",
            topic: "spreads", help: "Place unpaired pages on a canvas two pages wide",
            details: "Needs --spreads merge",
            effect: EffectRule(joining: "no page stood alone")),
        Setting(
            "fold", .form(foldForm), valueName: "n%", topic: "spreads",
            help: "Split wide pages here, not at the detected fold: 50%",
            effect: EffectRule(unless: "no page was split")),
        Setting(
            "keep-art", .flag, valueName: "", topic: "spreads",
            help: "Keep wide pages whole if artwork crosses the fold",
            details: "Needs --spreads split",
            effect: EffectRule(unless: "no drawing was seen to run across a fold")),
        Setting(
            "spread-file", .keptFile, valueName: "file",
            topic: "spreads", help: "Apply the spreads in this file; with -n, create it"),
    ]

    /// The modes with which each setting has an effect; a setting that is missing here has one with all of them.
    private static let modes: [String: [Mode]] = [
        "cover": [.pair, .merge, .split, .joinArt], "shift": [.pair, .merge, .split, .joinArt],
        "blanks": [.pair, .split, .joinArt], "gutter": [.merge, .joinArt], "align": [.merge, .joinArt],
        "background": [.merge, .joinArt], "seam": [.merge, .joinArt], "single-on-canvas": [.merge], "fold": [.split],
        "keep-art": [.split], "spread-file": [.pair, .merge, .split, .joinArt],
    ]

    /// The names of the settings that choose the mode. `WidePages` checks the last two.
    private static let choices = ["spreads", WidePages.setting.name, WidePages.turnSetting.name]

    /// Returns the clockwise quarter turns of wide pages; nil if they are not rotated.
    func rotation(_ direction: Direction) -> Int? {
        switch mode {
        case .rotate where wide.treatment == .whole: 1
        case .rotateLeft: 3
        case .rotate, .pair, .merge, .split, .joinArt: wide.quarters(direction)
        }
    }

    /// The option that decides about wide pages.
    var wideOption: Effect { .option(wide.treatment == .whole ? "spreads" : WidePages.setting.name) }

    /// Whether the reading direction decides the pairing, the order of halves or the turn.
    var arranges: Bool { ![.rotate, .rotateLeft].contains(mode) || wide.turnsByDirection }

    /// The settings of sinks that have an effect here as well, with the mode.
    var sharedSettings: [Setting] {
        Setting.shared.filter { SpreadOptions.modes[$0.name]?.contains(mode) ?? false }
    }

    /// The accepted pixels of `--gutter`: larger numbers must be a mistake.
    private static let gutters = -10_000...10_000
    /// The accepted ratios of `--wide-ratio`. Its message states them, too.
    private static let ratios = 0.5...10
    /// The accepted percentages of `--fold`, and the whole. Its message states them, too.
    private static let (percent, whole) = (1.0...99, 100.0)
    /// The usual ratio: wider than high.
    static let usualRatio = 1.0

    /// Returns nil without `--spreads` and `--wide`.
    ///
    /// - Throws: `.usage`.
    init?(_ settings: Settings) throws(AdapterError) {
        let given = settings.given
        let wide = try WidePages(settings)
        let mode = try wide.mode(
            beside: settings["spreads"].flatMap(Mode.init), isGiven: given[WidePages.setting.name] != nil)
        for setting in SpreadOptions.settings
        where given[setting.name] != nil && !SpreadOptions.choices.contains(setting.name) {
            // Without an effect here, it may have one in the sink.
            if Setting.shared.contains(setting) { continue }
            let modes = SpreadOptions.modes[setting.name] ?? Mode.allCases
            guard mode.map(modes.contains) ?? false else {
                let names = modes.map(\.rawValue).joined(separator: " or ")
                throw AdapterError(.usage, "--\(setting.name) has no effect without --spreads \(names)")
            }
        }
        guard let mode else { return nil }
        self.mode = mode
        self.wide = wide
        cover = settings["cover"].flatMap(Pairing.Cover.init) ?? .alone
        wideRatio = settings["wide-ratio"].flatMap { Double($0) } ?? SpreadOptions.usualRatio
        shifts = settings["shift"].flatMap(SpreadOptions.pages) ?? []
        readsNumbers = given["cover"] == nil && given["shift"] == nil
        addsBlanks = settings.flag("blanks")
        gutter = settings.integer("gutter") ?? 0
        alignment = settings["align"].flatMap(Alignment.init) ?? .center
        background = settings["background"].flatMap(RGB.init) ?? .white
        seam = settings["seam"].flatMap(JoinedPicture.Seam.init) ?? .pad
        isSingleOnCanvas = settings.flag("single-on-canvas")
        fold = settings["fold"].flatMap(SpreadOptions.share)
        keepsArt = settings.flag("keep-art")
        if fold != nil && keepsArt {
            throw AdapterError(.usage, "--fold and --keep-art exclude each other: one looks at pages, one does not")
        }
        file = settings["spread-file"]
        self.given = given.filter { $0.key != "spread-file" }
    }
}

/// The forms of values.
extension SpreadOptions {
    private static let ratioForm = ValueForm("ratio") { text in
        Double(text).map(ratios.contains) ?? false
            ? nil : "--wide-ratio takes a number from 0.5 to 10, not '\(text)'"
    }

    private static let shiftForm = ValueForm("page numbers") { text in
        pages(text) == nil ? "--shift takes page numbers like 5 or 5,20, not '\(text)'" : nil
    }

    private static let foldForm = ValueForm("share") { text in
        share(text) == nil ? "--fold takes a share of the width from 1% to 99%, not '\(text)'" : nil
    }

    /// Returns the page numbers of a list; nil if it has others.
    private static func pages(_ text: String) -> [Int]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        return numbers.allSatisfy { $0 > 0 } ? numbers : nil
    }

    /// Returns a fraction from its percentage, with or without a percent sign; nil if `--fold` does not take it.
    private static func share(_ text: String) -> Double? {
        let share = Double(text.hasSuffix("%") ? text.dropLast() : text[...]) ?? 0
        return percent.contains(share) ? share / whole : nil
    }
}
