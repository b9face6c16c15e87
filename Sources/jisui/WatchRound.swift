internal import AdapterKit
internal import Conversion
internal import PageModel
internal import Work

/// The conversion of the books that are ready in a hot folder at one time.
struct WatchRound {
    private let command: Convert
    private let plan: RecipeJobs
    private let output: String
    private let reports: ReportStream?
    private let watch: BatchWatch
    private let password: String?
    /// The notes that were printed. Each kind is printed once, and not for each book.
    private var notes = BatchNotes()

    /// - Throws: an error in options, before anything is waited for.
    init(_ command: Convert, _ plan: RecipeJobs, output: String) throws {
        (self.command, self.plan, self.output) = (command, plan, output)
        _ = try Target(.jisui, output: output, plan.recipe, inputs: [], isQueue: true)
        reports = try command.report.map { path throws(AdapterError) in
            try ReportStream(path, mayReplace: command.force, version: Jisui.version, recipe: plan.reported)
        }
        watch = try command.queue.watch(isQuiet: command.options.quiet, bookCount: 1)
        password = try command.options.password()
    }

    /// Converts those of settled books that are complete.
    ///
    /// - Throws: `CancellationError`; the errors of the journal and the output folder.
    mutating func convert(_ settled: [FoundBooks.Book], in hot: inout HotFolder) async throws {
        try await command.options.withWorkers(plan.recipe) {
            let books = await hot.complete(settled) { await opens($0) }
            for group in hot.groups(of: books) {
                try Task.checkCancellation()
                try await convertGroup(group, in: &hot)
            }
        }
    }

    /// Returns whether a book opens without damage.
    private func opens(_ path: String) async -> Bool {
        let recipe = plan.recipe
        do throws(AdapterError) {
            let (book, _) = try await Library(.jisui).open(
                Input(path: path, password: password), source: recipe[.from],
                settings: recipe.settings(of: Registry.jisui.settings), limits: recipe.limits)
            return book.warnings.allSatisfy(\.isNote)
        } catch {
            return ![.damaged, .unreadable, .unsupported, .empty].contains(error.code)
        }
    }

    private mutating func convertGroup(_ books: [FoundBooks.Book], in hot: inout HotFolder) async throws {
        let batch: Batch
        do {
            batch = try await self.batch(books, hot.journalUse(for: books))
        } catch let error as AdapterError {
            // Such as two books of the same name. The others are converted nevertheless.
            if books.count > 1 {
                for book in books { try await convertGroup([book], in: &hot) }
                return
            }
            Messages.error(error)
            return show(hot.refuse(books))
        }
        let printer = BatchPrinter(
            isQuiet: command.options.quiet, isVerbose: command.options.verbose, printsPages: false)
        let result = try await batch.run { [watch] event in
            watch.note(event)
            if case .completed = event { return }
            printer.show(event)
        }
        for line in result.journalNotes + (command.options.verbose ? [] : notes.newLines(of: result.notes)) {
            Messages.note(line)
        }
        show([result.failedBeforeError, result.existingError].compactMap { $0 } + hot.note(books, batch, result))
    }

    private func show(_ errors: [AdapterError]) {
        for error in errors { Messages.error(error) }
    }

    /// Returns the batch of some books.
    private func batch(_ books: [FoundBooks.Book], _ journal: JournalUse) async throws -> Batch {
        let paths = books.map(\.path)
        var target = try Target(
            .jisui, output: output, plan.recipe, inputs: paths, isQueue: true, temporaryFiles: Run.temporaryFiles)
        target.folders = Dictionary(books.filter { !$0.folder.isEmpty }.map { ($0.path, $0.folder) }) { first, _ in
            first
        }
        let typed = try TypedInputs(paths, password: password)
        let batch = try await command.batch(plan, typed, target, nil, isContinued: true)
        batch.journal = journal
        batch.reports = reports
        return batch
    }
}
