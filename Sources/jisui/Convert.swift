internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import Files
internal import PageModel
internal import Processes

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
        let inputs = arranged.inputs
        let target = try Target(
            output: result.output, to: result.to, settings: settings, format: picture.encoding.format,
            inputs: inputs, several: inputs.count > 1 && !result.combine,
            isFolder: result.output.map { $0 != "-" && FileStatus.isFolder($0) } ?? false)
        if !result.isDryRun {
            // If the reader of standard output closes the pipe, this is an ordinary error and does not end the program.
            Signals.ignoreClosedPipes()
            if target.isStandardOutput { Run.fillsStandardOutput() }
        }
        if let id = options.from { _ = try Registry.jisui.source(id) }
        let selection = try result.pages.map { text throws(AdapterError) in try PageSelection(text) }
        let typed = try TypedInputs(inputs, password: try options.password())
        defer { withExtendedLifetime(typed) {} }
        let collection = result.isDryRun ? nil : try target.collection(mayReplace: result.force)
        var jobs = try jobs(typed, target, selection)
        for index in jobs.indices {
            jobs[index].collection = collection
            if let note = arranged.note {
                jobs[index].notes.append(Warning(code: "input-order", message: note, isNote: true))
            }
        }
        let report = try result.report.map { path throws(AdapterError) in
            try ReportStream(path, mayReplace: result.force)
        }
        let made = try makeFolder(target)
        if let note = arranged.note { Messages.note(note) }
        let batch = Batch(
            jobs, report: report, isQuiet: options.quiet, isVerbose: options.verbose,
            printsPages: result.isDryRun && result.report != "-")
        defer { if let made, batch.finished == 0 { Folder.removeEmpty(made) } }
        let status: ExitStatus?
        do {
            status = try await options.withWorkers(settings, maxPixels: picture.maxPixels) { try await batch.run() }
        } catch {
            // It contains the finished books.
            try? collection?.finish()
            throw error
        }
        try collection?.finish()
        if let status { throw status }
    }

    /// Returns the jobs for the inputs.
    private func jobs(_ typed: TypedInputs, _ target: Target, _ selection: PageSelection?) throws -> [Job] {
        if let option = book.singleBookOptions.first, typed.inputs.count > 1, !result.combine {
            throw AdapterError(.usage, "\(option) is for one book, but the inputs are \(typed.inputs.count) books")
        }
        let protected = ProtectedInputs(typed.protected + [book.metadata].compactMap { $0 })
        let metadataOptions = try book.metadataOptions()
        let inputFolders = InputFolders(typed.inputs)
        let books = result.combine ? [typed.inputs] : typed.inputs.map { [$0] }
        let jobs = try books.map { inputs in
            let destination = target.destination(for: inputs[0], mayReplace: result.force)
            if result.output == nil, FileStatus(of: destination.path) != nil {
                throw AdapterError(
                    .exists, "already exists", hint: "use -o to write to another path", file: destination.path)
            }
            if inputFolders.holdPage(destination.path) {
                throw AdapterError(
                    .usage, "the output would replace a page of the book",
                    hint: "give another name with -o",
                    file: destination.path)
            }
            var job = Job(
                inputs: inputs, source: options.from, sink: target.sink.descriptor.id, destination: destination,
                selection: selection, direction: result.direction.flatMap(Direction.init),
                encoding: picture.encoding, isLossless: picture.lossless, settings: target.settings,
                width: options.width, isDryRun: result.isDryRun, isStrict: result.strict)
            if let millions = picture.maxPixels { job.limits.pixels = millions * 1_000_000 }
            if let megabytes = picture.maxMemory { job.limits.memory = megabytes * 1_000_000 }
            job.findsDigests = result.report != nil
            job.verifies = result.verify
            job.hasPasswordFile = options.passwordFile != nil
            job.metadataOptions = metadataOptions
            job.writesGuess = book.guess
            job.settingsMustApply = true
            job.isOneOfSeveral = books.count > 1
            job.isNamedByFormat = target.isNamedByFormat
            if result.order != nil, typed.inputs.count == 1 {
                job.idle.append(UnusedOption("order", "there is only one input"))
            }
            job.protected = protected
            return job
        }
        try sideFiles(typed, jobs, inputFolders, isCollection: target.isCollection).validate()
        if !target.isCollection { try refuseSharedOutputs(jobs) }
        return jobs
    }

    /// Rejects several inputs with the same output, and names all of them.
    private func refuseSharedOutputs(_ jobs: [Job]) throws(AdapterError) {
        // Compared by bytes: for the system, a precomposed letter differs from a letter with a combining accent.
        let sharing = Dictionary(grouping: jobs) { FileName.bytes(of: $0.destination.path) }.values
            .filter { $0.count > 1 }
        guard !sharing.isEmpty else { return }
        let list = sharing.map { ($0[0].destination.path, $0) }.sorted { $0.0 < $1.0 }.map { path, jobs -> Message in
            let names = jobs.map { Message(verbatim: $0.inputs[0].name) }
            return names.count == 2
                ? "\(names.listed()) would both become \(path)" : "\(names.listed()) would all become \(path)"
        }
        throw AdapterError(
            .usage, list.joined(separator: "; "), hint: "convert them into different folders")
    }

    /// Returns the files that are written in addition to the outputs.
    private func sideFiles(
        _ typed: TypedInputs, _ jobs: [Job], _ inputFolders: InputFolders, isCollection: Bool
    ) -> SideFiles {
        let outputs = jobs.map(\.destination).filter { !$0.isStandardOutput }.map(\.path)
        let report = result.report == "-" ? nil : result.report.map { SideFile(option: SideFile.report, path: $0) }
        return SideFiles(
            files: [report].compactMap { $0 } + transforms.sideFiles + formats.sideFiles,
            others: typed.protected + [book.metadata, options.passwordFile].compactMap { $0 } + transforms.readFiles
                + formats.readFiles + outputs,
            outputFolders: isCollection ? [] : outputs.filter(FileStatus.isFolder), inputFolders: inputFolders,
            bookCount: jobs.count)
    }

    /// Creates the folder for the outputs, and returns it if it did not exist.
    private func makeFolder(_ target: Target) throws(AdapterError) -> String? {
        guard let folder = target.parent, !result.isDryRun, !FileStatus.isFolder(folder) else { return nil }
        try Folder.make(folder)
        return folder
    }
}
