internal import AdapterKit
internal import PageModel

/// The values of trim's settings, checked.
struct TrimOptions {
    enum Mode: String, CaseIterable {
        case auto
        case page
        case book
        case sides
    }

    /// Nil when pages are only to be deskewed.
    let mode: Mode?
    let deskews: Bool
    let margins: Margins
    let leavesOutNumbers: Bool
    let leavesOutHeads: Bool
    /// Pages stay whole when it is less likely that what was found is right, 0 to 1.
    let leastConfidence: Double
    /// Where boxes are kept from one run to the next.
    let file: String?
    /// The options that decisions depend on, as they were given.
    let given: [String: String]
    /// Where the contact sheet goes.
    let sheet: String?

    /// What is left around the content of a page unless something else is asked for, in hundredths of the page's size.
    static let margin = 1

    static let settings = [
        Setting(
            "trim", .choice(Mode.allCases.map(\.rawValue)), implied: Mode.auto.rawValue, valueName: "mode",
            help: "Cut the empty margins off: each page its own, one box for the book, one for each side, or what fits",
            effect: EffectRule(unless: "every page was kept whole")),
        Setting(
            "trim-margin", .text, valueName: "length",
            help: "How much of the margins --trim leaves around what is printed: 2%, 3mm or 20 (pixels); else 1%",
            effect: EffectRule(unless: "every page got the same box without it")),
        Setting(
            "trim-aspect", .text, valueName: "w:h",
            help:
                "Have --trim leave more, where there is more, to bring pages to this width and height; device: to those of the box of --fit",
            effect: EffectRule(unless: "every page got the same box without it")),
        Setting(
            "trim-confidence", .text, valueName: "p",
            help: "Have --trim cut where it is so sure, 0 to 1; 0 cuts all that was found, else 0.5",
            effect: EffectRule(unless: "every page got the same box without it")),
        Setting(
            "trim-sheet", .newFile, valueName: "file",
            help: "Write what --trim found and decided to this HTML file, as a sheet of small pages"),
        Setting(
            "trim-file", .keptFile, valueName: "file",
            help: "With --dry-run, write the boxes to this file; when it is there, trim as it says"),
        Setting(
            "trim-numbers", .flag, valueName: "", help: "Have --trim leave out the printed page numbers",
            effect: EffectRule(unless: "no page number was found at the edge of what is printed")),
        Setting(
            "trim-heads", .flag, valueName: "", help: "Have --trim leave out the running heads",
            effect: EffectRule(unless: "no running head was found at the edge of what is printed")),
        Setting(
            "deskew", .flag, valueName: "",
            help: "Deskew pages whose lines of text slant; they are encoded anew",
            effect: EffectRule(unless: "no page was found to slant")),
    ]

    /// Nil when nothing is to be trimmed or deskewed.
    ///
    /// - Parameter fit: the frame that pages will be scaled into.
    /// - Throws: `.usage`.
    init?(_ settings: Settings, fit: FitBox?) throws(AdapterError) {
        mode = settings["trim"].flatMap(Mode.init)
        deskews = settings.flag("deskew")
        if mode == nil {
            for setting in TrimOptions.settings where setting.name.hasPrefix("trim-") && settings[setting.name] != nil {
                throw AdapterError(
                    .usage, "--\(setting.name) has no effect without --trim", advice: "add --trim page, for example")
            }
            if !deskews { return nil }
        }
        var margins = Margins(each: .percent(Double(TrimOptions.margin)))
        if let text = settings["trim-margin"] {
            guard let margin = Margin(text) else {
                throw AdapterError(.usage, "--trim-margin takes a length like 2%, 3mm or 20, not '\(text)'")
            }
            margins.each = margin
        }
        var shape = settings["trim-aspect"]
        if shape == "device" {
            guard let width = fit?.width, let height = fit?.height else {
                throw AdapterError(
                    .usage, "--trim-aspect device is the shape of the box of --fit, and there is none with two sides",
                    advice: "give --fit 1072x1448, for example, or a width and a height like 3:4")
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
        leastConfidence =
            try settings["trim-confidence"].map { text throws(AdapterError) in
                guard let value = Double(text), (0...1).contains(value) else {
                    throw AdapterError(
                        .usage, "--trim-confidence takes a number from 0 to 1, such as 0.3, not '\(text)'")
                }
                return value
            } ?? TrimDecision.leastConfidence
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

    /// Width to height, as it is typed: "3:4".
    private static func aspect(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0,
            (0.01...100).contains(width / height)
        else { return nil }
        return width / height
    }
}
