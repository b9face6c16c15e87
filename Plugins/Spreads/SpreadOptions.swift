internal import AdapterKit
internal import PageModel

/// The values of the settings about facing pages, checked.
struct SpreadOptions: Sendable {
    enum Mode: String, CaseIterable, Sendable {
        /// Only find out which pages face each other.
        case pair
        /// Make one picture of two facing pages.
        case merge
        /// Make two pages of a wide one.
        case split
        /// Make one picture of two pages where a drawing runs on from one to the other.
        case joinArt = "join-art"
        /// Turn wide pages by a quarter.
        case rotate
    }

    let mode: Mode
    let cover: Pairing.Cover
    /// Pages wider than so many times their height are wide.
    let wideRatio: Double
    /// Pages, by their numbers in the input, before which a side stays empty.
    let shifts: [Int]
    let addsBlanks: Bool
    /// Pixels between merged pages; negative when they overlap.
    let gutter: Int
    let alignment: Alignment
    let background: RGB
    let seam: JoinedPicture.Seam
    let isSingleOnCanvas: Bool
    /// Where wide pages are cut, as a share of their width; nil to look for the fold.
    let fold: Double?
    let keepsArt: Bool
    /// Whether printed page numbers may tell the sides of pages: not where people say how they are paired.
    let readsNumbers: Bool
    /// Where decisions are kept from one run to the next.
    let file: String?
    /// The options that decisions depend on, as they were given.
    let given: [String: String]

    /// The card of both transforms, `SpreadPairing` and `SpreadMerging`: the mode decides which of them does something.
    static let card = AdapterCard(
        id: "spreads", summary: "Pairs facing pages, and merges or splits them.", extensions: [], settings: settings)

    static let settings = [
        Setting(
            "spreads", .choice(Mode.allCases.map(\.rawValue)), valueName: "mode",
            help:
                "Pair facing pages, merge them, split wide pages at their fold, join pages that a drawing runs across, "
                + "or rotate wide pages", effect: rule),
        Setting(
            "cover", .choice(Pairing.Cover.allCases.map(\.rawValue)), default: "alone", valueName: "how",
            help: "Whether the first page stands alone or faces the second",
            effect: EffectRule(unless: "pages face each other in the same way without it")),
        Setting(
            "wide-ratio", .text, valueName: "ratio",
            help: "Take pages for whole spreads that are wider than this many times their height; else 1",
            effect: EffectRule(unless: "no page has a width between this and its height")),
        Setting(
            "shift", .text, valueName: "pages",
            help: "Leave a side empty before these pages, so that the pairing moves by one: 5 or 5,20"),
        Setting(
            "blanks", .flag, valueName: "", help: "Put blank pages where pages in the middle face nothing",
            effect: EffectRule(unless: "no page in the middle faced nothing")),
        Setting(
            "gutter", .integer(-10_000...10_000), default: "0", valueName: "n",
            help: "Leave this many pixels between merged pages; if negative, they overlap by as many",
            effect: EffectRule(joining: "no two pages were merged")),
        .align,
        .background,
        Setting(
            "seam", .choice(JoinedPicture.Seam.allCases.map(\.rawValue)), default: "pad", valueName: "how",
            help:
                "For JPEGs to be merged without loss that do not end on their grid: show up to 15 pixels more, or less, "
                + "or encode them anew",
            effect: EffectRule(.offGrid, unless: "no JPEGs were joined that do not end on their grid")),
        Setting(
            "single-on-canvas", .flag, valueName: "",
            help: "Have --spreads merge put lone pages on a canvas as wide as two",
            effect: EffectRule(joining: "no page stood alone")),
        Setting(
            "fold", .text, valueName: "n%", help: "Split wide pages here instead of at the fold that is found",
            effect: EffectRule(unless: "no page was split")),
        Setting(
            "keep-art", .flag, valueName: "", help: "Have --spreads split keep pages whole that are one drawing",
            effect: EffectRule(unless: "no drawing was seen to run across a fold")),
        Setting(
            "spread-file", .keptFile, valueName: "file",
            help: "With --dry-run, write the spreads to this file; when it is there, do as it says"),
    ]

    /// The modes with which each setting has an effect; a setting that is missing here has one with all of them.
    private static let modes: [String: [Mode]] = [
        "cover": [.pair, .merge, .split, .joinArt], "shift": [.pair, .merge, .split, .joinArt],
        "blanks": [.pair, .split, .joinArt], "gutter": [.merge, .joinArt], "align": [.merge, .joinArt],
        "background": [.merge, .joinArt], "seam": [.merge, .joinArt], "single-on-canvas": [.merge], "fold": [.split],
        "keep-art": [.split], "spread-file": [.pair, .merge, .split, .joinArt],
    ]

    /// The settings that sinks have as well: where they have no effect here, they may have one there.
    private static let shared = [Setting.align.name, Setting.background.name]

    /// Whether a setting has an effect with the others that were given.
    static func uses(_ name: String, given: [String: String]) -> Bool {
        guard let mode = given["spreads"].flatMap(Mode.init) else { return !shared.contains(name) }
        return !shared.contains(name) || modes[name]?.contains(mode) ?? true
    }

    /// Wider than high.
    static let usualRatio = 1.0

    /// Nil without `--spreads`.
    ///
    /// - Throws: `.usage`.
    init?(_ request: TransformRequest) throws(AdapterError) {
        let settings = request.settings
        let given = settings.given
        let mode = settings["spreads"].flatMap(Mode.init)
        for setting in SpreadOptions.settings where given[setting.name] != nil && setting.name != "spreads" {
            if SpreadOptions.shared.contains(setting.name) { continue }
            let modes = SpreadOptions.modes[setting.name] ?? Mode.allCases
            guard mode.map(modes.contains) ?? false else {
                let names = modes.map(\.rawValue).joined(separator: " or ")
                throw AdapterError(.usage, "--\(setting.name) has no effect without --spreads \(names)")
            }
        }
        guard let mode else { return nil }
        self.mode = mode
        cover = settings["cover"].flatMap(Pairing.Cover.init) ?? .alone
        let ratio = settings["wide-ratio"].map { Double($0) ?? 0 } ?? SpreadOptions.usualRatio
        guard (0.5...10).contains(ratio) else {
            throw AdapterError(
                .usage, "--wide-ratio takes a number from 0.5 to 10, not '\(settings["wide-ratio"] ?? "")'")
        }
        wideRatio = ratio
        let numbers = settings["shift"]?.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) } ?? []
        guard numbers.allSatisfy({ $0 ?? 0 > 0 }) else {
            throw AdapterError(.usage, "--shift takes page numbers like 5 or 5,20, not '\(settings["shift"] ?? "")'")
        }
        shifts = numbers.compactMap { $0 }
        readsNumbers = given["cover"] == nil && given["shift"] == nil
        addsBlanks = settings.flag("blanks")
        gutter = settings.integer("gutter") ?? 0
        alignment = settings["align"].flatMap(Alignment.init) ?? .center
        background = settings["background"].flatMap(RGB.init) ?? .white
        seam = settings["seam"].flatMap(JoinedPicture.Seam.init) ?? .pad
        isSingleOnCanvas = settings.flag("single-on-canvas")
        fold = try settings["fold"].map { text throws(AdapterError) in
            let share = Double(text.hasSuffix("%") ? text.dropLast() : text[...]) ?? 0
            guard (1...99).contains(share) else {
                throw AdapterError(.usage, "--fold takes a share of the width from 1% to 99%, not '\(text)'")
            }
            return share / 100
        }
        keepsArt = settings.flag("keep-art")
        if fold != nil && keepsArt {
            throw AdapterError(.usage, "--fold and --keep-art exclude each other: one looks at pages, one does not")
        }
        file = settings["spread-file"]
        self.given = given.filter { $0.key != "spread-file" }
    }
}
