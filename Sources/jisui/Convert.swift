internal import AdapterKit
internal import Conversion
internal import Files
internal import PageModel
internal import Processes
internal import Work

/// The command that converts books.
struct Convert: Command {
    static let entry = CommandEntry(
        name: "convert", summary: "Convert books (the default command)",
        operands: [.input], own: { Setting.ofConversion }
    ) { try Convert($0) }

    /// All settings of a recipe.
    static let settings = Registry.jisui.recipeSettings

    let options: InputOptions
    /// Everything that the options ask for, except the output.
    let recipe: Recipe
    private let recipeFile: String?
    private let recipeNote: Message?
    let output: String?
    let report: String?
    private let force: Bool
    private let skipExisting: Bool
    let journal: String?
    private let update: Bool
    private let retryFailed: Bool
    private let isDryRun: Bool

    /// - Throws: `UsageError`; an `AdapterError` about the recipe file.
    init(_ typed: GivenOptions) throws {
        var given = typed
        try given.readRecipe()
        (recipe, recipeFile, recipeNote) = (given.recipe, given[.recipe], given.recipeNote)
        (output, report) = (given[.output], given[.report])
        (force, skipExisting, isDryRun) = (given.has(.force), given.has(.skipExisting), given.has(.dryRun))
        (journal, update, retryFailed) = (given[.journal], given.has(.update), given.has(.retryFailed))
        options = try InputOptions(given)
        do {
            try validate()
        } catch {
            guard let recipeFile, error.lines == nil else { throw error }
            var named = error
            named.message = "\(error.message) (with the settings of \(recipeFile))"
            throw named
        }
    }

    private func validate() throws(UsageError) {
        do throws(AdapterError) {
            try recipe.check(Convert.settings)
        } catch {
            throw UsageError(error)
        }
        try rejectUnverifiable()
        try checkOutput()
        if recipe.has(.combine), options.inputs.count < 2 { throw UsageError("--combine needs more than one input") }
    }

    private func checkOutput() throws(UsageError) {
        if force && skipExisting { throw UsageError("--force and --skip-existing exclude each other") }
        try checkJournal()
        guard let output else {
            if recipe[.to] == nil { throw FirstWords.withoutOutput(options.inputs) }
            if options.inputs.contains("-") {
                throw UsageError("standard input needs an output; add -o PATH", hint: nil)
            }
            if recipe.has(.combine) { throw UsageError("--combine needs an output; add -o PATH", hint: nil) }
            if force { throw UsageError("--force needs an output; add -o PATH, or remove --force", hint: nil) }
            return
        }
        guard output == "-", !isDryRun else { return }
        if report == "-" {
            throw UsageError("-o - and --report - would mix in standard output; give one of them a file", hint: nil)
        }
        if StandardStreams.outputIsTerminal {
            throw UsageError("standard output is a terminal; redirect -o - to a file or a pipe", hint: nil)
        }
    }

    private func checkJournal() throws(UsageError) {
        guard journal != nil else {
            if update { throw UsageError("--update needs --journal FILE", hint: nil) }
            if retryFailed { throw UsageError("--retry-failed needs --journal FILE", hint: nil) }
            return
        }
        if output == "-" || options.inputs.contains("-") {
            throw UsageError("--journal is for files: it cannot recognize standard input or output again", hint: nil)
        }
        if journal == "-" { throw UsageError("--journal needs a file, which the next run reads", hint: nil) }
    }

    /// Rejects a verification of an output that cannot be read back.
    private func rejectUnverifiable() throws(UsageError) {
        guard recipe.has(.verify) else { return }
        if isDryRun {
            throw UsageError(
                "--verify reads the output back, but --dry-run writes none; use only one of them", hint: nil)
        }
        if output == "-" {
            throw UsageError("--verify cannot read standard output back; give -o the name of a file", hint: nil)
        }
    }

    func run() async throws {
        options.configureMessages()
        if let recipeNote { Messages.note(recipeNote) }
        let plan = try RecipeJobs(self.recipe, .jisui)
        let recipe = plan.recipe
        // A core dump would contain secret values.
        if plan.reported != recipe { CurrentProcess.forbidCoreDump() }
        let arranged = InputOrder.arrange(Registry.jisui.withoutOpenedParts(options.inputs), recipe.order)
        let target = try Target(
            .jisui, output: output, recipe, inputs: arranged.inputs, temporaryFiles: Run.temporaryFiles)
        if !isDryRun {
            // If the reader of standard output closes the pipe, this is an ordinary error and does not end the program.
            Signals.ignoreClosedPipes()
            if target.isStandardOutput { Run.fillsStandardOutput() }
        }
        let typed = try TypedInputs(arranged.inputs, password: try options.password())
        defer { withExtendedLifetime(typed) {} }
        let batch = try await batch(plan, typed, target, arranged.warning)
        batch.reports = try report.map { path throws(AdapterError) in
            try ReportStream(path, mayReplace: force, version: Jisui.version, recipe: plan.reported)
        }
        batch.journal = try journal.map { path throws(AdapterError) in
            let journal = try Journal(path, recipe: plan.reported, version: Jisui.version, isReadOnly: isDryRun)
            return JournalUse(journal, updates: update, retriesFailed: retryFailed)
        }
        if let count = batch.journal?.journal.unreadableLines, count > 0, let journal {
            Messages.note(
                count == 1
                    ? "\(journal): ignored 1 line that cannot be read"
                    : "\(journal): ignored \(count) lines that cannot be read")
        }
        try batch.prepare()
        defer { batch.close() }
        if let note = arranged.note, arranged.movesNumbers || options.verbose { Messages.note(note) }
        let printer = BatchPrinter(
            isQuiet: options.quiet, isVerbose: options.verbose,
            printsPages: isDryRun && report != "-")
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
        let collection = isDryRun ? nil : try target.collection(mayReplace: force)
        let optionFiles = [recipeFile, options.passwordFile].compactMap { $0 }
        let inputFolders = InputFolders(typed.inputs)
        var jobs = try plan.jobs(
            for: typed.inputs, to: target, mayReplace: force, protected: typed.protected, readFiles: optionFiles,
            inputFolders: inputFolders
        ) { job in
            job.width = options.width
            job.language = Language.current
            job.isDryRun = isDryRun
            job.findsDigests = report != nil
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
        let reports = [report].compactMap { $0 }.filter { $0 != "-" }
        let sideFiles = SideFiles(
            reports.map { SideFile(option: SideFile.report, path: $0) }
                + [journal].compactMap { $0 }.map {
                    SideFile(option: SideFile.journal, path: $0, keepsWhatIsThere: true)
                } + plan.recipe.sideFiles(Convert.settings),
            readFiles: typed.protected + optionFiles + plan.recipe.readFiles(Convert.settings),
            inputFolders: inputFolders)
        let batch = try Batch(
            .jisui, jobs, collection: collection, folder: target.folder, sideFiles: sideFiles,
            skipsExisting: skipExisting, isNextToInputs: target.isNextToInputs)
        batch.missingSandbox = ["files", "calls"].filter { !ExternalPlugins.launcher.layers.contains($0) }
        return batch
    }
}

extension ExitStatus {
    /// The exit status for a batch; nil if all its books are done without warnings.
    fileprivate init?(_ result: BatchResult) {
        let isPartial = result.existingError != nil && !result.isDryRun
        if result.failedForNow > 0 || result.stop != nil {
            self = .temporary
        } else if !result.failedBefore.isEmpty || result.failed > 0 || isPartial || result.reportFailed {
            self = .failed
        } else if result.withWarnings > 0 {
            self = .warnings
        } else {
            return nil
        }
    }
}
