internal import AdapterKit
internal import ArgumentParser
internal import ExternalAdapters
internal import PageModel
internal import Processes
internal import Work

/// The options of a conversion that belong to no adapter, as the help shows them.
///
/// Those of a recipe are in the module `Work`. The others are properties of `ResultOptions` and `InputOptions`; a test
/// compares the two.
enum BuiltInSettings {
    static let all = output + image + Recipe.ofMetadata + run

    /// The letters of options that have a short form.
    static let letters = [
        "output": "o", "force": "f", "dry-run": "n", "jobs": "j", "quiet": "q", "verbose": "v",
    ]

    private static let output: [Setting] = [
        text("output", "path", "output", "Write to this path ('-': standard output)"),
        .to,
        flag("force", "output", "Overwrite existing output; needs -o"),
        flag("skip-existing", "output", "Skip books whose output exists"),
        .nameTemplate, .combine, .order, .pages, .direction,
        flag("dry-run", "output", "Print the plan for each page, write no output"),
        text("report", "file", "output", "Write a JSON report of each page ('-': standard output)"),
        text(
            "recipe", "file", "output", "Apply the settings of a recipe or a JSON report",
            "Other options override it"),
        text(
            "recipe-without", "names", "output", "Leave these options of the recipe out: verify,title",
            "Needs --recipe"),
        .verify, .strict, .from,
        text(
            "password-file", "file", "output", "Read the input's password from this file's first line",
            "The variable JISUI_PASSWORD works too"),
    ]

    private static let image: [Setting] = [.imageFormat, .quality, .lossless]

    private static let run: [Setting] = [
        text(
            "jobs", "n", "run", "Process this many pages at once",
            "By default jisui uses the number of processors"),
        flag("quiet", "run", "Print errors only"),
        flag("verbose", "run", "Print a line for each page or group of pages"),
        flag("no-color", "run", "Print messages without colors (also: set NO_COLOR)"),
        Setting(
            "isolate", .choice(OwnWorkers.Scope.allCases.map(\.rawValue)), default: OwnWorkers.Scope.auto.rawValue,
            valueName: "what", topic: "run",
            help: "Choose what runs in sandboxed worker processes",
            details:
                "Auto covers rendering PDFs, unpacking RAR, 7z and tar, and decoding rare formats. All adds decoding every "
                + "image. Strict is like auto, but jisui refuses to run if the system lacks a part of the sandbox"),
        .maxPixels, .maxMemory,
    ]

    private static func text(
        _ name: String, _ value: String, _ topic: String, _ help: String, _ details: String? = nil
    ) -> Setting {
        Setting(name, .text, valueName: value, topic: topic, help: help, details: details)
    }

    private static func flag(_ name: String, _ topic: String, _ help: String) -> Setting {
        Setting(name, .flag, valueName: "", topic: topic, help: help)
    }
}

extension ArgumentHelp {
    /// Returns the help of a built-in option for argument-parser.
    static func option(_ name: String) -> ArgumentHelp {
        guard let setting = BuiltInSettings.all.first(where: { $0.name == name }) else { return "" }
        let details = setting.details.map { " \($0)." } ?? ""
        return ArgumentHelp("\(setting.help).\(details)", valueName: setting.valueName)
    }
}
