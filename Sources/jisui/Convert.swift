internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import PageModel
internal import Processes
internal import Work

struct Convert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert books (the default subcommand).")

    @Argument(
        help: ArgumentHelp(
            "PDF, EPUB, archive, TIFF, image or folder of images; '-' for standard input.",
            valueName: "input"),
        completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Output and pages") var result: ResultOptions

    @OptionGroup(title: "Changes to pages") var looks: AdapterOptions<ImageScope>

    @OptionGroup(title: "Changes to pages") var picture: PictureOptions

    @OptionGroup(title: "The book") var book: BookOptions

    @OptionGroup(title: "Trimming and spreads") var transforms: AdapterOptions<TransformScope>

    @OptionGroup(title: "Options of formats") var formats: AdapterOptions<FormatScope>

    @OptionGroup(title: "General options") var options: InputOptions

    func validate() throws {
        if result.output == nil {
            if result.to == nil { throw ValidationError(FirstWords.withoutOutput(inputs)) }
            if inputs.contains("-") { throw ValidationError(message: "standard input needs an output; add -o PATH") }
            if result.combine { throw ValidationError(message: "--combine needs an output; add -o PATH") }
            if result.force {
                throw ValidationError(
                    message: "--force needs an output; add -o PATH, or remove --force")
            }
        }
        try TypedInputs.validate(inputs)
        if result.combine && inputs.count < 2 { throw ValidationError(message: "--combine needs more than one input") }
        if result.combine && book.guess {
            throw ValidationError(message: "--guess uses the name of one file and cannot be combined with --combine")
        }
    }

    /// The values of all adapters' settings.
    private var settings: [String: String] {
        looks.values.merging(transforms.values) { $1 }.merging(formats.values) { $1 }
    }

    func run() async throws {
        Messages.configure(quiet: options.quiet, noColor: options.noColor)
        let arranged = InputOrder.arrange(inputs, result.order)
        let target = try target(for: arranged.inputs)
        if !result.isDryRun {
            // If the reader of standard output closes the pipe, this is an ordinary error and does not end the program.
            Signals.ignoreClosedPipes()
            if target.isStandardOutput { Run.fillsStandardOutput() }
        }
        if let id = options.from { _ = try Registry.jisui.source(id) }
        let selection = try result.pages.map { text throws(AdapterError) in try PageSelection(text) }
        let typed = try TypedInputs(arranged.inputs, password: try options.password())
        defer { withExtendedLifetime(typed) {} }
        let batch = try batch(typed, target, selection, arranged.warning)
        batch.reports = try result.report.map { path throws(AdapterError) in
            try ReportStream(path, mayReplace: result.force, version: Jisui.version)
        }
        try batch.prepare()
        defer { batch.close() }
        if let note = arranged.note { Messages.note(note) }
        let printer = BatchPrinter(
            isQuiet: options.quiet, isVerbose: options.verbose,
            printsPages: result.isDryRun && result.report != "-")
        let outcome = try await options.withWorkers(settings, maxPixels: picture.maxPixels) {
            try await batch.run(onEvent: printer.show)
        }
        if let status = ExitStatus(outcome) { throw status }
    }

    private func target(for inputs: [String]) throws(AdapterError) -> Target {
        try Target(
            .jisui, output: result.output, to: result.to, settings: settings, format: picture.encoding.format,
            inputs: inputs, several: inputs.count > 1 && !result.combine, temporaryFiles: Run.temporaryFiles)
    }

    /// Returns the batch of all books.
    ///
    /// - Parameter note: the note on the order of the inputs, for the reports.
    private func batch(
        _ typed: TypedInputs, _ target: Target, _ selection: PageSelection?, _ note: Warning?
    ) throws(AdapterError) -> Batch {
        let collection = result.isDryRun ? nil : try target.collection(mayReplace: result.force)
        if let option = book.singleBookOptions.first, typed.inputs.count > 1, !result.combine {
            throw AdapterError(.usage, "\(option) is for one book, but the inputs are \(typed.inputs.count) books")
        }
        let protected = ProtectedInputs(typed.protected + [book.metadata].compactMap { $0 })
        let metadataOptions = try book.metadataOptions()
        let inputFolders = InputFolders(typed.inputs)
        let jobs = try target.jobs(
            for: result.combine ? [typed.inputs] : typed.inputs.map { [$0] }, mayReplace: result.force,
            protected: protected, inputFolders: inputFolders
        ) { job in
            configure(&job, selection)
            job.metadataOptions = metadataOptions
            if result.order != nil, typed.inputs.count == 1 {
                job.idle.append(UnusedOption("order", "there is only one input"))
            }
            if let note { job.notes.append(note) }
        }
        let batch = try Batch(
            .jisui, jobs, collection: collection, folder: target.folder, sideFiles: sideFiles(typed, inputFolders))
        batch.missingSandbox = ["files", "calls"].filter { !ExternalPlugins.launcher.layers.contains($0) }
        return batch
    }

    /// Sets the options that all books share.
    private func configure(_ job: inout Job, _ selection: PageSelection?) {
        job.source = options.from
        job.selection = selection
        job.direction = result.direction.flatMap(Direction.init)
        job.encoding = picture.encoding
        job.isLossless = picture.lossless
        job.width = options.width
        job.isDryRun = result.isDryRun
        job.isStrict = result.strict
        if let millions = picture.maxPixels { job.limits.pixels = millions * 1_000_000 }
        if let megabytes = picture.maxMemory { job.limits.memory = megabytes * 1_000_000 }
        job.findsDigests = result.report != nil
        job.verifies = result.verify
        job.hasPasswordFile = options.passwordFile != nil
        job.writesGuess = book.guess
        job.settingsMustApply = true
    }

    /// Returns the files that are written in addition to the outputs.
    private func sideFiles(_ typed: TypedInputs, _ inputFolders: InputFolders) -> SideFiles {
        let report = result.report == "-" ? nil : result.report.map { SideFile(option: SideFile.report, path: $0) }
        return SideFiles(
            [report].compactMap { $0 } + transforms.sideFiles + formats.sideFiles,
            readFiles: typed.protected + [book.metadata, options.passwordFile].compactMap { $0 }
                + transforms.readFiles + formats.readFiles,
            inputFolders: inputFolders)
    }
}

extension ExitStatus {
    /// The exit status for a batch; nil if all its books are done without warnings.
    fileprivate init?(_ result: BatchResult) {
        if result.failed > 0 || result.reportFailed {
            self = .failed
        } else if result.withWarnings > 0 {
            self = .warnings
        } else {
            return nil
        }
    }
}
