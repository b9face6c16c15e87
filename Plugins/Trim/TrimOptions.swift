internal import AdapterKit
internal import PageModel

/// The limits of the settings of trim.
enum TrimOptionLimits {
    /// The ratios of width to height that a person can mean; others are mistakes.
    static let aspects = 0.01...100
}

/// The checked values of the settings of trim.
struct TrimOptions {
    enum Mode: String, CaseIterable {
        case auto
        case page
        case book
        case sides
        case uniform
    }

    /// The mode; nil if pages are only to be deskewed.
    let mode: Mode?
    let deskews: Bool
    let margins: Margins
    let leavesOutNumbers: Bool
    let leavesOutHeads: Bool
    /// The minimum probability that a finding is right, 0 to 1; other pages are not cropped.
    let minimumConfidence: Double
    /// The file that keeps boxes from one run to the next.
    let file: String?
    /// The settings with these values.
    let settings: Settings
    /// The options that affect decisions, as they were given.
    let given: [String: String]
    /// The path of the contact sheet.
    let sheet: String?

    /// The default margin around the content of a page, in hundredths of the page's size.
    static let margin = 1

    /// The aspect ratio of the `--fit` box.
    private static let device = "device"

    static let settings = [
        Setting(
            "trim", .choice(Mode.allCases.map(\.rawValue)), implied: Mode.auto.rawValue, valueName: "mode",
            topic: "trim", help: "Crop empty margins",
            details:
                "Page crops each page to its own content. Book gives all pages one box. Sides gives left and right pages one each. "
                + "Uniform gives all pages boxes of one size, each around its own print. Auto chooses",
            effect: EffectRule(unless: "every page was kept whole")),
        Setting(
            "trim-margin", .form(marginForm), valueName: "length",
            topic: "trim", help: "Keep this margin: 2%, 3mm or 20 (pixels) (default: 1%)",
            needs: "trim", effect: EffectRule(unless: "every page got the same box without it")),
        Setting(
            "trim-aspect", .form(aspectForm), valueName: "w:h",
            topic: "trim", help: "Keep more margin to reach this aspect ratio, as 3:4",
            details: "Device stands for the ratio of the --fit box", needs: "trim", followsOption: "fit",
            effect: EffectRule(unless: "every page got the same box without it")),
        Setting(
            "trim-confidence", .form(confidenceForm), valueName: "p",
            topic: "trim", help: "Crop only boxes this certain, 0 to 1 (default: 0.5)",
            details: "0 applies every box that was found",
            needs: "trim", effect: EffectRule(unless: "every page got the same box without it")),
        Setting(
            "trim-sheet", .newFile, valueName: "file",
            topic: "trim", help: "Write a contact sheet (HTML) to check and correct boxes", needs: "trim"),
        Setting(
            "trim-file", .keptFile, valueName: "file",
            topic: "trim", help: "Apply the boxes in this file; with -n, create it", needs: "trim"),
        Setting(
            "trim-numbers", .flag, valueName: "", topic: "trim", help: "Crop printed page numbers too",
            needs: "trim", effect: EffectRule(unless: "no page number was found at the edge of the printed area")),
        Setting(
            "trim-heads", .flag, valueName: "", topic: "trim", help: "Crop running heads too",
            needs: "trim", effect: EffectRule(unless: "no running head was found at the edge of the printed area")),
        Setting(
            "deskew", .flag, valueName: "",
            topic: "straighten", help: "Straighten skewed pages",
            details: "The pages that change are re-encoded",
            effect: EffectRule(
                unless: "no skewed page was found",
                ifUnseen: "no skewed page was found among those that could be analyzed", for: "deskew")),
    ]

    /// Returns nil if nothing is to be trimmed or deskewed.
    ///
    /// - Throws: `.usage`.
    init?(_ settings: Settings) throws(AdapterError) {
        self.settings = settings
        mode = settings["trim"].flatMap(Mode.init)
        deskews = settings.flag("deskew")
        if mode == nil, !deskews { return nil }
        var margins = Margins(each: .percent(Double(TrimOptions.margin)))
        if let margin = settings["trim-margin"].flatMap({ Margin($0) }) { margins.each = margin }
        var shape = settings["trim-aspect"]
        if shape == TrimOptions.device {
            let fit = settings["fit"].flatMap { FitBox($0, enlarges: false) }
            guard let width = fit?.width, let height = fit?.height else {
                throw AdapterError(
                    .usage, "--trim-aspect device needs a --fit box with a width and a height",
                    hint: "give --fit 1072x1448, for example, or a width and a height like 3:4")
            }
            shape = "\(width):\(height)"
        }
        if let shape {
            guard let aspect = TrimOptions.aspect(shape) else {
                throw AdapterError(
                    .usage, "--trim-aspect takes a width and a height like 3:4, or device, not '\(shape)'")
            }
            margins.aspect = aspect
        }
        self.margins = margins
        minimumConfidence = settings["trim-confidence"].flatMap { Double($0) } ?? ConfidenceLimits.minimum
        leavesOutNumbers = settings.flag("trim-numbers")
        leavesOutHeads = settings.flag("trim-heads")
        sheet = settings["trim-sheet"]
        file = settings["trim-file"]
        var given: [String: String] = [:]
        for setting in TrimOptions.settings where ![.newFile, .keptFile].contains(setting.kind) {
            given[setting.name] = settings[setting.name]
        }
        // Boxes for one screen are not those for another.
        given["trim-aspect"] = shape
        self.given = given
    }
}

/// The forms of values.
extension TrimOptions {
    private static let marginForm = ValueForm("margin") { text in
        Margin(text) == nil ? "--trim-margin takes a length like 2%, 3mm or 20, not '\(text)'" : nil
    }

    private static let aspectForm = ValueForm("aspect") { text in
        text == device || aspect(text) != nil
            ? nil : "--trim-aspect takes a width and a height like 3:4, or device, not '\(text)'"
    }

    private static let confidenceForm = ValueForm("confidence") { text in
        Double(text).map((0...1).contains) ?? false
            ? nil : "--trim-confidence takes a number from 0 to 1, such as 0.3, not '\(text)'"
    }

    /// Returns the ratio of width to height from its text: "3:4".
    private static func aspect(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0,
            TrimOptionLimits.aspects.contains(width / height)
        else { return nil }
        return width / height
    }
}
