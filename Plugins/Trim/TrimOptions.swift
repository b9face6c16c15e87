internal import AdapterKit
internal import PageModel

/// The values of trim's settings.
struct TrimOptions {
    enum Mode: String, CaseIterable {
        case auto
        case page
        case book
        case sides
    }

    let mode: Mode
    let margin: Margin
    let leavesOutNumbers: Bool
    let leavesOutHeads: Bool

    static let settings = [
        Setting(
            "trim", .choice(Mode.allCases.map(\.rawValue)), valueName: "mode",
            help: "Cut the empty margins off: each page its own, one box for the book, one for each side, or what fits"),
        Setting(
            "trim-margin", .text, valueName: "length",
            help: "How much of the margins --trim leaves around what is printed: 2%, 20px or 3mm; else 1%"),
        Setting("trim-numbers", .flag, valueName: "", help: "Have --trim leave out the printed page numbers"),
        Setting("trim-heads", .flag, valueName: "", help: "Have --trim leave out the running heads"),
    ]

    /// Nil when nothing is to be trimmed.
    ///
    /// - Throws: `.usage`.
    init?(_ settings: Settings) throws(AdapterError) {
        guard let mode = settings["trim"].flatMap(Mode.init) else {
            for setting in TrimOptions.settings where setting.name != "trim" && settings[setting.name] != nil {
                throw AdapterError(
                    .usage, "--\(setting.name) has no effect without --trim", advice: "add --trim page, for example")
            }
            return nil
        }
        self.mode = mode
        if let text = settings["trim-margin"] {
            guard let margin = Margin(text) else {
                throw AdapterError(.usage, "--trim-margin takes a length like 2%, 20px or 3mm, not '\(text)'")
            }
            self.margin = margin
        } else {
            margin = .percent(1)
        }
        leavesOutNumbers = settings.flag("trim-numbers")
        leavesOutHeads = settings.flag("trim-heads")
    }
}
