internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import ExternalAdapters
internal import PageModel
internal import Processes
internal import Work

/// The options of a conversion that belong to no adapter, as the help shows them.
///
/// Their properties are in `ResultOptions`, `PictureOptions`, `BookOptions` and `InputOptions`; a test compares the two.
enum BuiltInSettings {
    static let all = output + image + metadata + run

    /// The letters of options that have a short form.
    static let letters = [
        "output": "o", "force": "f", "dry-run": "n", "jobs": "j", "quiet": "q", "verbose": "v",
    ]

    private static let limits = Limits()

    private static let output = [
        text("output", "path", "output", "Write to this path ('-': standard output)"),
        text("to", "format", "output", "Set the output format"),
        flag("force", "output", "Overwrite existing output; needs -o"),
        flag("combine", "output", "Make one book of all inputs"),
        Setting(
            "order", .choice(InputOrder.allCases.map(\.rawValue)), valueName: "order", topic: "output",
            help: "Order several inputs: natural (2 before 10) or as given",
            details: "By default jisui uses the natural order if the arguments are in the order a shell sorts them in"),
        text(
            "pages", "list", "output", "Convert only these pages: 1-10,15,odd or 7.. (to the end)",
            "Pages come in the order of the list, each once"),
        text(
            "direction", "dir", "output", "Set the reading direction: ltr or rtl",
            "By default jisui uses the direction that the input states, or infers it"),
        flag("dry-run", "output", "Print the plan for each page, write no output"),
        text("report", "file", "output", "Write a JSON report of each page ('-': standard output)"),
        flag("verify", "output", "Read the output back and compare it with the source"),
        flag("strict", "output", "Make a warning an error"),
        text("from", "format", "output", "Read the input as this format instead of detecting it"),
        text(
            "password-file", "file", "output", "Read the input's password from this file's first line",
            "The variable JISUI_PASSWORD works too"),
    ]

    private static let image = [
        text(
            "image-format", "format", "image", "Encode pages as keep, jpeg, png, webp, jxl or tiff",
            "keep re-encodes only pages that change (default: keep)"),
        text(
            "quality", "n", "image", "Set the quality of lossy encoding, 1 to 100",
            "By default jisui keeps the quality of the source"),
        flag("lossless", "image", "Fail at the first page that needs lossy encoding"),
    ]

    private static let metadata = [
        text("title", "text", "metadata", "Set the title"),
        text("author", "name", "metadata", "Set an author; repeat for several"),
        text("series", "text", "metadata", "Set the series"),
        text("number", "number", "metadata", "Set the number in the series: 3, 12.5"),
        text("volume", "number", "metadata", "Set the volume of the series"),
        text("publisher", "name", "metadata", "Set the publisher"),
        text("date", "date", "metadata", "Set the publication date: 2019, 2019-05, 2019-05-31"),
        text("language", "tag", "metadata", "Set the language as a tag: ja, en-GB"),
        text(
            "metadata", "file", "metadata", "Read metadata from a file; other options override it",
            "JSON as 'jisui info --metadata' prints it, ComicInfo.xml, MetronInfo.xml, ACBF or OPF"),
        flag("guess", "metadata", "Infer missing metadata from the file name"),
    ]

    private static let run = [
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
        text(
            "max-pixels", "millions", "run",
            "Skip pages above this many megapixels (default: \(limits.pixels / 1_000_000))"),
        text(
            "max-memory", "megabytes", "run",
            "Skip pages that need more megabytes (default: \(limits.memory / 1_000_000))"),
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
