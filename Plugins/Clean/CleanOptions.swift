internal import AdapterKit
internal import PageModel

/// The options of one run.
struct CleanOptions {
    /// The pages that `--whiten` changes; nil without the option.
    let whiten: Clean.Mode?
    /// The color that the paper gets.
    let paper: RGB
    /// Whether print that shines through is removed from whitened pages.
    let removesShowThrough: Bool
    let despeckles: Bool
    let fillsBorders: Bool
    /// The path of the sheet that shows each page before and after.
    let sheet: String?
    /// The path of the file of decisions.
    let file: String?
    /// The options that affect decisions, as they were given.
    let given: [String: String]

    /// Whether pages are cleaned at all, other than by `--bilevel`.
    var cleans: Bool { whiten != nil || despeckles || fillsBorders }

    /// - Throws: `.usage` for a sheet or a file if no option cleans pages.
    init(_ settings: Settings) throws(AdapterError) {
        whiten = settings["whiten"].flatMap(Clean.Mode.init)
        paper = settings["paper"].flatMap(RGB.init) ?? .white
        removesShowThrough = whiten != nil && Leaves.Mode(settings) == .auto
        despeckles = settings.flag("despeckle")
        fillsBorders = settings["borders"] != nil
        sheet = settings["clean-sheet"]
        file = settings["clean-file"]
        var given: [String: String] = [:]
        for name in ["whiten", "paper", "despeckle", "borders"] { given[name] = settings[name] }
        self.given = given
        guard !cleans else { return }
        for name in ["clean-sheet", "clean-file"] where settings[name] != nil {
            throw AdapterError(
                .usage, "--\(name) has no effect without --whiten, --despeckle or --borders",
                hint: "add --whiten, for example")
        }
    }
}
