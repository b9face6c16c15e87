internal import AdapterKit
internal import Conversion
internal import Processes
internal import Work

/// The options of jisui itself that no recipe has: those for the output, for one run, and for the answers of commands.
extension Setting {
    static let output = run("output", .newFile, "path", "output", "Write to this path ('-': standard output)")
    static let force = flag("force", "output", "Overwrite existing output; needs -o")
    static let skipExisting = flag("skip-existing", "output", "Skip books whose output exists")
    static let recursive = flag(
        "recursive", "output", "Convert all books in folders and their subfolders",
        "The outputs keep the folders. A folder that contains only images is one book")
    static let fromList = run(
        "from-list", .file, "file", "output", "Read the names of inputs from a list ('-': standard input)",
        "One name in each line")
    static let null = flag("null", "output", "Read names that end with NUL from --from-list")
    static let include = patterns("include", "Choose books that match, as in .gitignore: '*.pdf'")
    static let exclude = patterns("exclude", "Leave out matching files and folders: 'drafts/'")
    static let shard = run(
        "shard",
        .form(ValueForm("shard", objection: QueueOptions.objection(toShard:))), "i/n", "output",
        "Convert one of n parts of equal size: 2/16, auto",
        "Auto takes the number from an array of Slurm, Kubernetes, AWS Batch, Google Batch, LSF or Grid Engine. "
            + "Auto/16 adds the number of parts")
    static let journal = run(
        "journal", .keptFile, "file", "output", "Write a line for each book; continue if it exists",
        "Books that it contains as done or failed are not converted again")
    static let update = flag(
        "update", "output", "Convert changed books again; needs --journal",
        "A book is changed if its input, the options or the version of jisui changed, or if its output is damaged")
    static let retryFailed = flag("retry-failed", "output", "Convert failed books again; needs --journal")
    static let dryRun = flag("dry-run", "output", "Print the plan for each page, write no output")
    static let report = run(
        "report", .newFile, "file", "output", "Write a JSON report of each page ('-': standard output)")
    static let recipe = run(
        "recipe", .file, "file", "output", "Apply the settings of a recipe or a JSON report",
        "Other options override it")
    static let recipeWithout = run(
        "recipe-without", .text, "names", "output", "Leave out these options of a recipe: verify,title",
        "Also those of presets, devices and files of defaults")
    static let device = run(
        "device", .text, "name", "device", "Fit the pages to a device: kobo-libra-2, 1264x1680@16",
        "Without -o, write the first format that it opens. 'jisui devices' lists the devices")
    static let toDevice = flag(
        "to-device", "device", "Add the output to the books of a mounted e-reader",
        "A Kobo, a Kindle or a PocketBook. Nothing else on it changes")
    static let preset = run(
        "preset", .text, "name", "device", "Apply the settings of a preset: comic",
        "'jisui preset list' lists the presets. Other options override it")
    static let clean = flag(
        "clean", "clean", "Make a scan readable in one step",
        "It applies the preset clean-scan: white paper, no dust, straight pages of one size. Other options override it")
    static let savePreset = run(
        "save-preset", .text, "name", "device", "Write the settings of this run as a preset",
        "Without an input, jisui only saves them")
    static let passwordFile = run(
        "password-file", .file, "file", "output", "Read the input's password from this file's first line",
        "The variable JISUI_PASSWORD works too")

    static let jobs = run(
        "jobs", .integer(1...256), "n", "run", "Process this many pages at once",
        "By default jisui uses the number of processors")
    static let progress = run(
        "progress",
        .form(ValueForm("progress", words: ["json"], objection: ProgressStream.objection)), "what", "run",
        "Write events as JSON Lines: json, json:FILE, json:3",
        "Json is standard output, and json:3 the open descriptor 3")
    static let metrics = run(
        "metrics", .newFile, "file", "run", "Write the sums of the run for Prometheus, every 10 seconds")
    static let quiet = flag("quiet", "run", "Print errors only")
    static let verbose = flag("verbose", "run", "Print a line for each page or group of pages")
    static let noColor = flag("no-color", "run", "Print messages without colors (also: set NO_COLOR)")
    static let isolate = Setting(
        "isolate", .choice(OwnWorkers.Scope.allCases.map(\.rawValue)), default: OwnWorkers.Scope.auto.rawValue,
        valueName: "what", topic: "run", help: "Choose what runs in sandboxed worker processes",
        details:
            "Auto covers rendering PDFs, unpacking RAR, 7z and tar, and decoding rare formats. All adds decoding every "
            + "image. Strict is like auto, but jisui refuses to run if the system lacks a part of the sandbox")

    static let showHelp = flag("help", "run", "Show this help")
    static let showVersion = flag("version", "run", "Show the version")
    static let json = flag("json", nil, "Print JSON")
    /// The option of the manual page.
    static let markdown = flag("markdown", nil, "Print docs/reference/options.md instead")
    /// The option for a plug-in that is already installed.
    static let replaced = flag("force", nil, "Replace one that is there")
    /// The options of commands that make a file of journals.
    static let journalOutput = run("output", .newFile, "path", nil, "Write to this path")
    static let replacedOutput = flag("force", nil, "Overwrite an existing file")
    /// The options of a hot folder.
    static let done = run("done", .newFile, "dir", nil, "Move converted inputs to this folder")
    static let failed = run("failed", .newFile, "dir", nil, "Move inputs that failed for good to this folder")
    static let settle = Setting(
        "settle", .integer(1...86400), default: "10", valueName: "s", topic: nil,
        help: "Convert a file once it is unchanged for s seconds",
        details: "A file that does not open without damage has to be unchanged ten times as long")
    /// The options of a shelf.
    static let removed = flag("quiet", nil, "Do not list the removed books")
    static let remove: Setting = {
        var setting = run("remove", .text, "book", nil, "Remove a book and its folder, by its title, folder or id")
        setting.details = "Repeat for several books"
        setting.isRepeatable = true
        return setting
    }()

    /// The option of `jisui devices` for a picture.
    static let testChart = run(
        "test-chart", .newFile, "file", nil, "Write a PNG with gray levels and lines for the screen")

    /// The options of `jisui info` that choose the answer.
    static let infoJSON = flag("json", nil, "Print JSON, one line for each input")
    static let infoMetadata = flag(
        "metadata", nil, "Print only the metadata, as JSON", "One line for each input, which --metadata reads")
    static let infoText = flag("text", nil, "Print the text of the pages and the targets of links")
    static let infoCheck = flag("check", nil, "Decode every page and report damage")

    /// The options of `jisui diff` and `jisui verify`.
    static let against = run(
        "against", .file, "path", nil, "Compare the outputs with these inputs, a book or a folder",
        "An input has the same path without the extension, or a report or journal names it")
    static let digests: Setting = {
        var setting = run("digests", .file, "file", nil, "Check the digests of this report or journal")
        setting.details = "Repeat for several. Those among the outputs are always used"
        setting.isRepeatable = true
        return setting
    }()
    static let sample = run(
        "sample", .form(ValueForm("sample", objection: ComparisonOptions.objection(toSample:))), "share", nil,
        "Take this share of the pages of each book: 5%",
        "Each run takes the same pages. If one of them differs, all pages of the book are compared")
    static let html = run("html", .newFile, "file", nil, "Write a web page with the differing pages side by side")
    static let comparisonJSON = flag("json", nil, "Print JSON, one line for each book")

    /// The settings that no recipe has.
    static let ofRun = [
        output, force, skipExisting, journal, update, retryFailed, recursive, fromList, null, include, exclude, shard,
        dryRun, report, recipe, recipeWithout, device, toDevice, preset, clean, savePreset, passwordFile,
        jobs, progress, metrics, quiet, verbose, noColor, isolate, done, failed, settle,
    ]

    /// The options of a conversion, as `jisui help` lists them: the changes to every page, those of jisui itself, those
    /// of the other adapters.
    static let ofConversion: [Setting] = {
        let image = Registry.jisui.transforms.flatMap(\.descriptor.settings).filter { $0.topic == "image" }
        let own: [Setting] = [
            .output, .to, .force, .skipExisting, .journal, .update, .retryFailed, .recursive, .fromList, .null,
            .include, .exclude, .shard, .nameTemplate, .combine, .splitVolumes,
            .order, .pages, .direction, .dryRun, .report,
            .recipe, .recipeWithout, .device, .toDevice, .preset, .clean, .savePreset, .verify, .strict, .from,
            .passwordFile, .imageFormat, .quality, .targetSize, .lossless,
        ]
        let run: [Setting] = [.jobs, .progress, .metrics, .quiet, .verbose, .noColor, .isolate, .maxPixels, .maxMemory]
        var seen: Set<String> = []
        return (image + own + Recipe.ofMetadata + run + Registry.jisui.settings)
            .filter { seen.insert($0.name).inserted }.map(\.withFormats)
    }()

    /// This setting with the formats among its values, if it takes a format.
    var withFormats: Setting {
        [Setting.to, .from].contains(self) ? Registry.jisui.recipeSettings.first { $0.name == name } ?? self : self
    }

    /// The letter of the option; nil if it has none.
    var letter: Character? { Setting.letters[name] }

    private static let letters: [String: Character] = [
        "output": "o", "force": "f", "dry-run": "n", "jobs": "j", "quiet": "q", "verbose": "v", "help": "h",
        "recursive": "r",
    ]

    private static func patterns(_ name: String, _ help: String) -> Setting {
        var setting = run(name, .text, "pattern", "output", help, "Needs --recursive. Repeat for several patterns")
        setting.isRepeatable = true
        return setting
    }

    private static func flag(_ name: String, _ topic: String?, _ help: String, _ details: String? = nil) -> Setting {
        Setting(name, .flag, valueName: "", topic: topic, help: help, details: details)
    }

    private static func run(
        _ name: String, _ kind: Kind, _ value: String, _ topic: String?, _ help: String, _ details: String? = nil
    ) -> Setting {
        Setting(name, kind, valueName: value, topic: topic, help: help, details: details)
    }
}
