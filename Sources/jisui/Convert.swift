internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import PageModel
internal import Processes
internal import Work

struct Convert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert books (the default subcommand).")

    @Argument(
        help: ArgumentHelp(
            "PDF, EPUB, archive, TIFF, image or folder of images; '-' for standard input.",
            valueName: "input"),
        completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Output and pages") var result: ResultOptions

    @OptionGroup(title: "Output and pages") var output: SettingOptions<OutputScope>

    @OptionGroup(title: "Changes to pages") var looks: SettingOptions<ImageScope>

    @OptionGroup(title: "Changes to pages") var picture: SettingOptions<PictureScope>

    @OptionGroup(title: "The book") var book: SettingOptions<BookScope>

    @OptionGroup(title: "Trimming and spreads") var transforms: SettingOptions<TransformScope>

    @OptionGroup(title: "Options of formats") var formats: SettingOptions<FormatScope>

    @OptionGroup(title: "General options") var source: SettingOptions<InputScope>

    @OptionGroup(title: "General options") var options: InputOptions

    /// All settings of a recipe.
    static let settings = Registry.jisui.recipeSettings

    /// Everything that the options ask for, except the output.
    var recipe: Recipe {
        [
            output.recipe, source.recipe, looks.recipe, picture.recipe, book.recipe, transforms.recipe, formats.recipe,
        ].reduce(Recipe()) { $0.overridden(by: $1) }
    }

    func validate() throws {
        let recipe = recipe
        try recipe.validate(Convert.settings)
        try rejectUnverifiable(recipe)
        if result.output == nil {
            if recipe[.to] == nil { throw ValidationError(FirstWords.withoutOutput(inputs)) }
            if inputs.contains("-") { throw ValidationError(message: "standard input needs an output; add -o PATH") }
            if recipe.has(.combine) { throw ValidationError(message: "--combine needs an output; add -o PATH") }
            if result.force {
                throw ValidationError(
                    message: "--force needs an output; add -o PATH, or remove --force")
            }
        }
        try TypedInputs.validate(inputs)
        if recipe.has(.combine), inputs.count < 2 {
            throw ValidationError(message: "--combine needs more than one input")
        }
    }

    /// Rejects a verification of an output that cannot be read back.
    private func rejectUnverifiable(_ recipe: Recipe) throws {
        guard recipe.has(.verify) else { return }
        if result.isDryRun {
            throw ValidationError(
                message: "--verify reads the output back, but --dry-run writes none; use only one of them")
        }
        if result.output == "-" {
            throw ValidationError(message: "--verify cannot read standard output back; give -o the name of a file")
        }
    }

    func run() async throws {
        Messages.configure(quiet: options.quiet, noColor: options.noColor)
        let plan = try RecipeJobs(self.recipe, .jisui)
        let recipe = plan.recipe
        // A core dump would contain secret values.
        if plan.reported != recipe { CurrentProcess.forbidCoreDump() }
        let arranged = InputOrder.arrange(inputs, recipe.order)
        let target = try Target(
            .jisui, output: result.output, recipe, inputs: arranged.inputs, temporaryFiles: Run.temporaryFiles)
        if !result.isDryRun {
            // If the reader of standard output closes the pipe, this is an ordinary error and does not end the program.
            Signals.ignoreClosedPipes()
            if target.isStandardOutput { Run.fillsStandardOutput() }
        }
        let typed = try TypedInputs(arranged.inputs, password: try options.password())
        defer { withExtendedLifetime(typed) {} }
        let batch = try await batch(plan, typed, target, arranged.warning)
        batch.reports = try result.report.map { path throws(AdapterError) in
            try ReportStream(path, mayReplace: result.force, version: Jisui.version, recipe: plan.reported)
        }
        try batch.prepare()
        defer { batch.close() }
        if let note = arranged.note, arranged.movesNumbers || options.verbose { Messages.note(note) }
        let printer = BatchPrinter(
            isQuiet: options.quiet, isVerbose: options.verbose,
            printsPages: result.isDryRun && result.report != "-")
        let outcome = try await options.withWorkers(recipe) {
            try await batch.run(onEvent: printer.show)
        }
        guard let status = ExitStatus(outcome) else { return }
        if options.quiet, status == .warnings, let first = outcome.firstWarning {
            Messages.quietWarning(first.warning, file: first.book, more: outcome.warningCount - 1)
        }
        throw status
    }

    /// Returns the batch of all books.
    ///
    /// - Parameter note: the note on the order of the inputs, for the reports.
    private func batch(
        _ plan: RecipeJobs, _ typed: TypedInputs, _ target: Target, _ note: Warning?
    ) async throws -> Batch {
        let collection = result.isDryRun ? nil : try target.collection(mayReplace: result.force)
        let optionFiles = [result.recipe, options.passwordFile].compactMap { $0 }
        let inputFolders = InputFolders(typed.inputs)
        var jobs = try plan.jobs(
            for: typed.inputs, to: target, mayReplace: result.force, protected: typed.protected, readFiles: optionFiles,
            inputFolders: inputFolders
        ) { job in
            job.width = options.width
            job.language = Language.current
            job.isDryRun = result.isDryRun
            job.findsDigests = result.report != nil
            job.hasPasswordFile = options.passwordFile != nil
            if let note { job.notes.append(note) }
        }
        if let template = try plan.recipe[.nameTemplate].map(NameTemplate.init) {
            let named = try await options.withWorkers(plan.recipe) {
                try await target.named(jobs, template, inputFolders: inputFolders)
            }
            jobs = named.jobs
            if let note = named.note { Messages.note(note) }
        }
        let report = result.report == "-" ? nil : result.report.map { SideFile(option: SideFile.report, path: $0) }
        let sideFiles = SideFiles(
            [report].compactMap { $0 } + plan.recipe.sideFiles(Convert.settings),
            readFiles: typed.protected + optionFiles + plan.recipe.readFiles(Convert.settings),
            inputFolders: inputFolders)
        let batch = try Batch(
            .jisui, jobs, collection: collection, folder: target.folder, sideFiles: sideFiles,
            skipsExisting: result.skipExisting, isNextToInputs: target.isNextToInputs)
        batch.missingSandbox = ["files", "calls"].filter { !ExternalPlugins.launcher.layers.contains($0) }
        return batch
    }
}

extension Recipe {
    /// Checks the recipe that options make.
    ///
    /// - Throws: `ValidationError` for the first fault.
    func validate(_ settings: [Setting]) throws {
        do throws(AdapterError) {
            try check(settings)
        } catch {
            throw ValidationError(message: error.text)
        }
    }
}

extension ExitStatus {
    /// The exit status for a batch; nil if all its books are done without warnings.
    fileprivate init?(_ result: BatchResult) {
        let isPartial = result.existingError != nil && !result.isDryRun
        if result.failed > 0 || isPartial || result.reportFailed {
            self = .failed
        } else if result.withWarnings > 0 {
            self = .warnings
        } else {
            return nil
        }
    }
}
