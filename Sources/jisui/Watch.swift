internal import AdapterKit
internal import Files
internal import PageModel
internal import Processes
internal import Work

/// The command that converts the books that arrive in a folder.
struct Watch: Command {
    static let entry = CommandEntry(
        name: "watch", summary: "Convert the books that arrive in a folder, until a signal ends it",
        details:
            "It takes the options of a conversion, and needs -o with a folder. The journal is the memory: the next start "
            + "continues. Without --journal it is .jisui.journal.jsonl in the output folder",
        operands: [.hotFolder], own: { [.done, .failed, .settle] },
        shared: { Setting.ofConversion.filter { !excluded.contains($0.name) } }
    ) { try Watch($0) }

    /// The options that need a list of all books, no journal, or a device that is there all the time.
    private static let excluded = Set(
        [Setting.combine, .order, .dryRun, .recursive, .fromList, .null, .shard, .toDevice, .savePreset].map(\.name))

    static let journalName = ".jisui.journal.jsonl"

    let convert: Convert
    let folders: SourceFolders
    private let folder: String
    private let output: String
    private let settling: Duration

    /// - Throws: `UsageError`; an `AdapterError` about the recipe file.
    private init(_ typed: GivenOptions) throws {
        guard let output = typed[.output] else { throw UsageError("no output is given; add -o DIR/", hint: nil) }
        if output == "-" {
            throw UsageError("jisui watch needs a folder for the outputs, not standard output", hint: nil)
        }
        self.output = FileName.endsInSlash(output) ? output : output + "/"
        var given = typed
        given.values[.commandLine][.output] = self.output
        given.values[.commandLine][.recursive] = "true"
        given.values[.commandLine][.journal] = typed[.journal] ?? self.output + Watch.journalName
        convert = try Convert(given)
        folder = given.operands[0]
        folders = SourceFolders(done: given[.done], failed: given[.failed], Run.temporaryFiles)
        settling = .seconds(given[.settle].flatMap { Int($0) } ?? 0)
        if let setting = convert.recipe.singleBookSetting {
            throw UsageError("--\(setting.name) is for one book, and jisui watch converts many", hint: nil)
        }
    }

    func run() async throws {
        convert.options.configureMessages()
        convert.showOrigins()
        let plan = try RecipeJobs(convert.recipe, .jisui)
        // A core dump would contain secret values.
        if plan.reported != plan.recipe { CurrentProcess.forbidCoreDump() }
        // If the reader of standard output closes the pipe, this is an ordinary error and does not end the program.
        Signals.ignoreClosedPipes()
        try checkFolders()
        var round = try WatchRound(convert, plan, output: output)
        guard let journal = try convert.queue.openJournal(plan.reported, isReadOnly: false) else { return }
        Messages.note("watching \(folder); the journal is \(journal.journal.path)")
        do {
            while true {
                do {
                    try await watch(&round, journal)
                } catch let error as AdapterError where error.isTemporary {
                    // Such as a full disk, on which the journal cannot grow.
                    Messages.error(error)
                    try await Task.sleep(for: Watch.pauseAfterError)
                }
            }
        } catch is CancellationError {
            Messages.note("stopped; the next start continues")
        }
    }

    private static let pauseAfterError = Duration.seconds(30)
    private static let (minimumPause, maximumPause) = (Duration.milliseconds(200), Duration.seconds(5))
    /// The pause between two looks is at least so many times as long as a look.
    private static let restFactor = 10

    /// Looks at the folder again and again.
    ///
    /// - Throws: `CancellationError` at the end; the errors of the journal.
    private func watch(_ round: inout WatchRound, _ journal: JournalUse) async throws {
        let written = [output, folders.done, folders.failed, convert.report].compactMap { $0 } + convert.queue.files
        var hot = HotFolder(
            folder, .jisui, convert.queue.patterns, excluding: written, settling: settling, journal, folders)
        while true {
            let began = ContinuousClock.now
            let view = hot.look()
            for error in view.errors { Messages.error(error) }
            if let first = view.images.first { Messages.note(Watch.note(onImages: view.images.count, first)) }
            let pause = max(Watch.minimumPause, min(Watch.maximumPause, settling / 4))
            let rest = (ContinuousClock.now - began) * Watch.restFactor
            if !view.books.isEmpty { try await round.convert(view.books, in: &hot) }
            try await Task.sleep(for: max(pause, rest))
        }
    }

    private static func note(onImages count: Int, _ first: String) -> Message {
        count == 1
            ? "skipped 1 image directly in the folder (\(first)); a book of images needs a folder of its own"
            : "skipped \(count) images directly in the folder, such as \(first); a book of images needs a folder of its own"
    }

    /// Makes the folder of the outputs.
    ///
    /// - Throws: an error if the folder is missing, or if another one is the same.
    private func checkFolders() throws {
        guard FileStatus.isFolder(folder) else {
            throw AdapterError(.usage, "is not a folder", file: folder)
        }
        if !FileStatus.isFolder(output) { try Folder.make(FileName.withoutSlashAtEnd(output)) }
        let outputs = [output, folders.done, folders.failed].compactMap { $0 }
        if let same = outputs.first(where: { FileIdentity.areSame(folder, $0) }) {
            throw AdapterError(.usage, "is the watched folder", hint: "give another folder", file: same)
        }
        if let same = outputs.dropFirst().first(where: { FileIdentity.areSame(output, $0) }) {
            throw AdapterError(.usage, "is the folder of the outputs", hint: "give another folder", file: same)
        }
    }
}
