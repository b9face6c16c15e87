internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import Glibc
internal import Metadata
internal import PageModel

struct Convert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert books (the default subcommand).",
        discussion: [
            Manual.output, Manual.pages,
            "Exit status: " + Manual.statuses.map { "\($0.status.rawValue) \($0.meaning)" }.joined(separator: ", ")
                + ".",
        ].joined(separator: "\n\n"))

    @Argument(
        help: ArgumentHelp(
            "PDFs, EPUBs, archives, TIFFs, single pictures, folders of pictures; '-' for standard input.",
            valueName: "input"),
        completion: .file())
    var inputs: [String]

    @OptionGroup(title: "Output and pages") var result: ResultOptions

    @OptionGroup(title: "Changes to pages") var picture: PictureOptions

    @OptionGroup(title: "The book") var book: BookOptions

    @OptionGroup(title: "Trimming and spreads") var transforms: AdapterOptions<TransformScope>

    @OptionGroup(title: "Options of formats") var formats: AdapterOptions<FormatScope>

    @OptionGroup(title: "General options") var options: InputOptions

    func validate() throws {
        try TypedInputs.validate(inputs)
        if result.combine && inputs.count < 2 { throw ValidationError("--combine needs more than one input") }
        if result.combine && book.guess {
            throw ValidationError("--guess goes by the name of one file, and --combine makes a book of several")
        }
    }

    /// The values of all adapters' settings.
    private var settings: [String: String] { transforms.values.merging(formats.values) { $1 } }

    func run() async throws {
        Messages.configure(quiet: options.quiet, noColor: options.noColor)
        let target = try Target(
            output: result.output, to: result.to, settings: settings, format: picture.encoding.format,
            inputs: inputs, several: inputs.count > 1 && !result.combine,
            isFolder: result.output != "-" && FileStatus.isFolder(result.output))
        if !result.isDryRun {
            // A reader of standard output that goes away is an error like others, not the end of the program.
            signal(SIGPIPE, SIG_IGN)
            if target.isStandardOutput { Run.fillsStandardOutput() }
        }
        if let id = options.from { _ = try Registry.jisui.source(id) }
        let selection = try result.pages.map { text throws(AdapterError) in try PageSelection(text) }
        let typed = try TypedInputs(inputs, password: try options.password())
        defer { withExtendedLifetime(typed) {} }
        let collection = result.isDryRun ? nil : try target.collection(mayReplace: result.force)
        var jobs = try jobs(typed, target, selection)
        for index in jobs.indices { jobs[index].collection = collection }
        let report = try result.report.map { path throws(AdapterError) in
            try ReportStream(path, mayReplace: result.force)
        }
        let made = try makeFolder(target)
        let batch = Batch(
            jobs, report: report, isQuiet: options.quiet, isVerbose: options.verbose,
            printsPages: result.isDryRun && result.report != "-")
        defer { if let made, batch.finished == 0 { Folder.removeEmpty(made) } }
        let status: ExitStatus?
        do {
            status = try await options.withWorkers(settings, maxPixels: picture.maxPixels) { try await batch.run() }
        } catch {
            // The books that are finished are in it.
            try? collection?.finish()
            throw error
        }
        try collection?.finish()
        if let status { throw status }
    }

    /// What is to be made of each input.
    private func jobs(_ typed: TypedInputs, _ target: Target, _ selection: PageSelection?) throws -> [Job] {
        try refuseReportOverBook(typed, target)
        if let option = book.ofOneBook.first, typed.inputs.count > 1, !result.combine {
            throw AdapterError(.usage, "\(option) is for one book, and there are \(typed.inputs.count)")
        }
        let protected = ProtectedInputs(typed.protected + [book.metadata].compactMap { $0 })
        let facts = try book.facts()
        let jobCount = result.combine ? 1 : typed.inputs.count
        let jobs = try (result.combine ? [typed.inputs] : typed.inputs.map { [$0] }).map { inputs in
            let destination = target.destination(for: inputs[0], mayReplace: result.force)
            if isPage(destination.path, of: typed) {
                throw AdapterError(
                    .usage, "the output would take the place of a page of the book",
                    advice: "give another name with -o",
                    file: destination.path)
            }
            var job = Job(
                inputs: inputs, source: options.from, sink: target.sink.card.id, destination: destination,
                selection: selection, direction: result.direction.flatMap(Direction.init), edits: picture.edits,
                encoding: picture.encoding, isLossless: picture.lossless, settings: target.settings,
                width: options.width, isDryRun: result.isDryRun, isStrict: result.strict)
            if let millions = picture.maxPixels { job.limits.pixels = millions * 1_000_000 }
            if let megabytes = picture.maxMemory { job.limits.memory = megabytes * 1_000_000 }
            job.facts = facts
            job.writesGuess = book.guess
            job.settingsMustApply = true
            job.isOneOfSeveral = jobCount > 1
            job.protected = protected
            return job
        }
        if !target.isCollection { try refuseSharedOutputs(jobs) }
        return jobs
    }

    /// Several inputs must not become one output: all that would are named.
    private func refuseSharedOutputs(_ jobs: [Job]) throws(AdapterError) {
        // By bytes: to the system an accented letter is another than a letter and its accent.
        let sharing = Dictionary(grouping: jobs) { FileName.bytes(of: $0.destination.path) }.values
            .filter { $0.count > 1 }
        guard !sharing.isEmpty else { return }
        let list = sharing.map { ($0[0].destination.path, $0) }.sorted { $0.0 < $1.0 }.map { path, jobs in
            let names = jobs.map { $0.inputs[0].name }
            return "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
                + " would \(names.count == 2 ? "both" : "all") become \(path)"
        }
        throw AdapterError(
            .usage, list.joined(separator: "; "), advice: "convert them into different folders")
    }

    /// A report, or what an adapter writes besides, must not take the place of what it is about.
    private func refuseReportOverBook(_ typed: TypedInputs, _ target: Target) throws(AdapterError) {
        let outputs = typed.inputs.map { target.destination(for: $0, mayReplace: result.force) }
        let others =
            typed.protected + [book.metadata, options.passwordFile].compactMap { $0 } + transforms.readFiles
            + formats.readFiles + outputs.filter { !$0.isStandardOutput }.map(\.path)
        let report = result.report.flatMap { $0 == "-" ? nil : NewFile(option: "report", path: $0) }
        let written = [report].compactMap { $0 } + transforms.newFiles + formats.newFiles
        for file in written {
            let (option, path) = (file.option, file.path)
            if option != "report", inputs.count > 1, !result.combine {
                throw AdapterError(.usage, "--\(option) is for one book, and there are \(inputs.count)")
            }
            if let twin = written.first(where: { $0.path == path && $0.option != option }) {
                throw AdapterError(
                    .usage, "--\(twin.option) and --\(option) would write the same file", advice: "give them two names",
                    file: path)
            }
            if path == "-" {
                throw AdapterError(.usage, "--\(option) needs a file: standard output is for --report")
            }
            if isPage(path, of: typed) {
                throw AdapterError(
                    .usage, "the \(option) would take the place of a page of the book", advice: "give it another name",
                    file: path)
            }
            let staysReport = option == "report" && ReportStream.isReport(path)
            if !file.keepsWhatIsThere, !staysReport, isInFolder(path, of: typed) {
                throw AdapterError(
                    .usage, "the \(option) would take the place of a file in the book's folder",
                    advice: "give it another name", file: path)
            }
            let occupied = option == "report" ? others : others + [result.report].compactMap { $0 }
            // An empty folder is filled, and would not be empty any more.
            let folders = target.isCollection ? [] : outputs.map(\.path).filter(FileStatus.isFolder)
            if let folder = folders.first(where: { isIn($0, path) }) {
                throw AdapterError(
                    .usage, "the \(option) lies inside the output folder \(folder)", advice: "give it another place",
                    file: path)
            }
            guard occupied.contains(where: { $0 == path || FileIdentity.areSame($0, path) }) else { continue }
            throw AdapterError(
                .usage, "the \(option) would take the place of a file that this run reads or writes",
                advice: "give it another name",
                file: path)
        }
    }

    /// Whether something stands at a path that is a page of an input folder, or tells of one.
    private func isPage(_ path: String, of typed: TypedInputs) -> Bool {
        guard let file = FileName.resolved(path),
            PictureName.matches(file) || BookDocument.matches(file)
        else { return false }
        return isInFolder(file, of: typed)
    }

    /// Whether a path leads into a folder, whether something stands there or not.
    private func isIn(_ folder: String, _ path: String) -> Bool {
        FileIdentity(folder).map(FileIdentity.lineage(of: FileName.parent(of: path)).contains) ?? false
    }

    /// Whether something stands at a path that lies in an input folder.
    private func isInFolder(_ path: String, of typed: TypedInputs) -> Bool {
        guard let file = FileName.resolved(path) else { return false }
        let folders = Set(FileIdentity.lineage(of: file).dropFirst())
        return typed.inputs.contains { FileIdentity($0.path).map(folders.contains) ?? false }
    }

    /// Makes the folder for the outputs; returns it when it was not there before.
    private func makeFolder(_ target: Target) throws(AdapterError) -> String? {
        guard let folder = target.parent, !result.isDryRun, !FileStatus.isFolder(folder) else { return nil }
        try Folder.make(folder)
        return folder
    }
}
