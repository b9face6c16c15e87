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
    ) { given in
        let isOnlySaved = given[.savePreset] != nil && given.operands.isEmpty && given[.fromList] == nil
        return isOnlySaved ? try PresetSave(given) : try Convert(given)
    }

    /// All settings of a recipe.
    static let settings = Registry.jisui.recipeSettings

    let options: InputOptions
    /// Everything that the options ask for, except the output.
    let recipe: Recipe
    /// The options with the origins of their values.
    private let given: GivenOptions
    private var saved: Message?
    /// The e-reader that gets copies of the outputs; nil for none.
    private(set) var reader: MountedDevice?
    let output: String?
    let report: String?
    let force: Bool
    private let skipExisting: Bool
    let queue: QueueOptions
    private let isDryRun: Bool

    /// - Throws: `UsageError`; an `AdapterError` about the recipe file.
    init(_ typed: GivenOptions) throws {
        var given = typed
        try given.readList()
        try given.readLayers()
        (recipe, self.given) = (given.recipe, given)
        (output, report) = (given[.output], given[.report])
        (force, skipExisting, isDryRun) = (given.has(.force), given.has(.skipExisting), given.has(.dryRun))
        queue = try QueueOptions(given)
        options = try InputOptions(given)
        do {
            try validate()
        } catch {
            guard !given.places.isEmpty, error.lines == nil else { throw error }
            let places = given.places.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
            var named = error
            named.message = "\(error.message) (with the settings of \(places.listed()))"
            throw named
        }
        // The process is not yet restricted to its files.
        if given.has(.toDevice) { reader = try MountedDevice.mounted(given.device?.profile) }
        saved = try given.savePreset()
    }

    private func validate() throws(UsageError) {
        try UsageError.check(recipe, Convert.settings)
        try rejectUnverifiable()
        try checkOutput()
        if recipe.has(.combine), options.inputs.count < 2 { throw UsageError("--combine needs more than one input") }
    }

    private func checkOutput() throws(UsageError) {
        if force && skipExisting { throw UsageError("--force and --skip-existing exclude each other") }
        try queue.check(options.inputs, output, isCombined: recipe.has(.combine))
        guard let output else {
            if recipe[.splitVolumes] != nil, queue.isRecursive {
                throw UsageError(
                    "--split-volumes would take its volumes as books in the next run; add -o DIR/", hint: nil)
            }
            if recipe[.to] == nil { throw CommandSuggestions.withoutOutput(options.inputs) }
            if options.inputs.contains("-") {
                throw UsageError("standard input needs an output; add -o PATH", hint: nil)
            }
            if recipe.has(.combine) { throw UsageError("--combine needs an output; add -o PATH", hint: nil) }
            if force { throw UsageError("--force needs an output; add -o PATH, or remove --force", hint: nil) }
            return
        }
        if output == "-", given.has(.toDevice) {
            throw UsageError("--to-device copies a file; give -o the name of a file", hint: nil)
        }
        guard output == "-", !isDryRun else { return }
        if report == "-" {
            throw UsageError("-o - and --report - would mix in standard output; give one of them a file", hint: nil)
        }
        if StandardStreams.outputIsTerminal {
            throw UsageError("standard output is a terminal; redirect -o - to a file or a pipe", hint: nil)
        }
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
        showOrigins()
        let plan = try RecipeJobs(self.recipe, .jisui)
        let recipe = plan.recipe
        // A core dump would contain secret values.
        if plan.reported != recipe { CurrentProcess.forbidCoreDump() }
        let written = [output, report].compactMap { $0 } + queue.files
        // The unchanged inputs of an existing journal are not opened again.
        let earlier = queue.continuesJournal ? try queue.openJournal(plan.reported, isReadOnly: isDryRun) : nil
        var inputs = try queue.inputs(options.inputs, recipe.order, written: written, KnownBooks(earlier?.journal))
        show(inputs)
        var target = try Target(
            .jisui, output: output, recipe, inputs: inputs.paths, isQueue: queue.isQueue,
            temporaryFiles: Run.temporaryFiles)
        target.suffix = given.suffix
        target.folders = inputs.folders
        if queue.isRecursive, target.isNextToInputs { try await leaveOutOwnOutputs(plan, target, &inputs.paths) }
        if !isDryRun {
            // If the reader of standard output closes the pipe, this is an ordinary error and does not end the program.
            Signals.ignoreClosedPipes()
            if target.isStandardOutput { Run.fillsStandardOutput() }
        }
        let typed = try TypedInputs(inputs.paths, password: try options.password())
        defer { withExtendedLifetime(typed) {} }
        let batch = try await batch(plan, typed, target, inputs.order?.warning)
        batch.unreadable = inputs.errors
        // First of all files: if another run uses the journal, its report stays.
        batch.journal = try earlier ?? queue.openJournal(plan.reported, isReadOnly: isDryRun)
        batch.reports = try report.map { path throws(AdapterError) in
            try ReportStream(path, mayReplace: force, version: Jisui.version, recipe: plan.reported)
        }
        if queue.isQueue, let note = batch.roomNote { Messages.note(note) }
        if isDryRun, queue.isQueue { return try show(batch.plan()) }
        try batch.prepare()
        defer { batch.close() }
        let watch = try queue.watch(isQuiet: options.quiet, bookCount: inputs.paths.count)
        let printer = BatchPrinter(
            isQuiet: options.quiet, isVerbose: options.verbose, printsPages: isDryRun && report != "-",
            hidesBooks: watch.showsOverview, impliedOptions: given.implied,
            limit: given.device?.limit(target.sink.descriptor.id))
        let copies = DeviceCopies(reader, mayReplace: force, hasCovers: recipe.values["kindle-cover"] != nil)
        let outcome = try await options.withWorkers(recipe) {
            try await batch.run { event in
                watch.note(event)
                printer.show(event)
                copies.note(event)
            }
        }
        guard let status = copies.hasFailed ? .failed : ExitStatus(outcome) else { return }
        if options.quiet, status == .warnings, let first = outcome.firstWarning {
            Messages.quietWarning(first.warning, file: first.book, more: outcome.warningCount - 1)
        }
        throw status
    }

    /// Prints where options come from, and that a preset was saved.
    func showOrigins() {
        for note in given.notes + [saved].compactMap({ $0 }) { Messages.note(note) }
        if options.verbose { for note in given.origins { Messages.note(note) } }
    }

    /// Prints the notes on the inputs.
    private func show(_ inputs: QueueOptions.Inputs) {
        if let shard = inputs.shard { Messages.note(shard) }
        if options.verbose {
            for path in inputs.others { Messages.note("not a book: \(path)") }
        } else if !inputs.others.isEmpty {
            Messages.note(
                inputs.others.count == 1
                    ? "skipped 1 file that is not a book (\(inputs.others[0]))"
                    : "skipped \(inputs.others.count) files that are not books; use --verbose to list them")
        }
        if let order = inputs.order, let note = order.note, order.movesNumbers || options.verbose {
            Messages.note(note)
        }
    }

    /// Leaves out inputs that outputs next to them would replace, and prints how many of them the run skips thereby.
    private func leaveOutOwnOutputs(_ plan: RecipeJobs, _ target: Target, _ paths: inout [String]) async throws {
        let password = try options.password()
        let inputs = paths.map { Input(path: $0, password: password) }
        let own = try await options.withWorkers(plan.recipe) { try await plan.ownOutputs(target, among: inputs) }
        paths.removeAll(where: own.paths.contains)
        guard let first = own.unmade.first else { return }
        Messages.note(
            own.unmade.count == 1
                ? "left out 1 book that would be its own output (\(first)); use -o DIR/ to convert it"
                : "left out \(own.unmade.count) books that would be their own outputs; use -o DIR/ to convert them")
    }

    /// Prints the plan of a dry run.
    ///
    /// - Throws: the exit status.
    private func show(_ plan: BatchPlan) throws(ExitStatus) {
        PlanTable(plan).show()
        if !plan.errors.isEmpty || plan.lines.contains(where: { $0.action == .refuse }) { throw .failed }
    }

    /// Returns the batch of all books.
    ///
    /// - Parameters:
    ///   - note: the note on the order of the inputs, for the reports.
    ///   - isContinued: whether other batches of the same run come before or after this one.
    func batch(
        _ plan: RecipeJobs, _ typed: TypedInputs, _ target: Target, _ note: Warning?, isContinued: Bool = false
    ) async throws -> Batch {
        let collection = isDryRun ? nil : try target.collection(mayReplace: force)
        let optionFiles = given.files + [options.passwordFile].compactMap { $0 }
        let inputFolders = InputFolders(typed.inputs)
        var plan = plan
        plan.places = given.optionPlaces
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
            if isContinued { job.isOneOfSeveral = true }
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
                + queue.sideFiles + plan.recipe.sideFiles(Convert.settings),
            readFiles: typed.protected + optionFiles + plan.recipe.readFiles(Convert.settings),
            inputFolders: inputFolders)
        let batch = try Batch(
            .jisui, jobs, collection: collection, folder: target.folder, sideFiles: sideFiles,
            skipsExisting: skipExisting, isNextToInputs: target.isNextToInputs, isContinued: isContinued)
        batch.missingSandbox = ["files", "calls"].filter { !ExternalPlugins.launcher.layers.contains($0) }
        return batch
    }
}

extension ExitStatus {
    /// The exit status for a batch; nil if all its books are done without warnings.
    fileprivate init?(_ result: BatchResult) {
        let isPartial = result.existingError != nil && !result.isDryRun
        if result.failedForNow > 0 || result.unreadable.contains(where: \.isTemporary) || result.stop != nil {
            self = .temporary
        } else if !result.failedBefore.isEmpty || !result.unreadable.isEmpty || result.failed > 0 || isPartial
            || result.reportFailed
        {
            self = .failed
        } else if result.withWarnings > 0 {
            self = .warnings
        } else {
            return nil
        }
    }
}
