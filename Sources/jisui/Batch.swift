internal import AdapterKit
internal import Conversion
internal import ExternalAdapters
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Processes

/// A converter for the books of one call, which processes them one after the other and reports on each.
final class Batch {
    private let jobs: [Job]
    private let report: ReportStream?
    private let isQuiet: Bool
    private let isVerbose: Bool
    /// Whether to print each page's plan, which is the purpose of a dry run.
    private let printsPages: Bool
    /// The number of books that were converted, or planned in a dry run.
    private(set) var finished = 0
    private var withWarnings = 0
    private var failed = 0
    /// The number of planned books whose real run would fail because the output exists.
    private var blockedCount = 0
    private var reportFailed = false
    /// The options that had no effect, in the words of the first book, with the number of books.
    private var idle: [(option: UnusedOption, books: Int)] = []

    /// The maximum number of non-page files that are listed.
    private static let maximumNames = 50

    init(_ jobs: [Job], report: ReportStream?, isQuiet: Bool, isVerbose: Bool, printsPages: Bool) {
        self.jobs = jobs
        self.report = report
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        self.printsPages = printsPages
    }

    /// Converts all books; returns the exit status if there were warnings or errors, nil otherwise. In a batch, an error in one
    /// book does not stop the others.
    ///
    /// - Throws: the error, if there is only one book; `CancellationError`.
    func run() async throws -> ExitStatus? {
        for (index, job) in jobs.enumerated() {
            do {
                try await convert(job, place: jobs.count > 1 ? "[\(index + 1)/\(jobs.count)] " : "")
            } catch var error as AdapterError {
                // Among several books, an error has to name its book.
                if jobs.count > 1 { error.file = error.file ?? job.inputs.first?.name }
                append(
                    Report.failure(
                        of: job.inputs.map(\.name), error, isDryRun: job.isDryRun, version: Jisui.version))
                if jobs.count == 1 { throw error }
                Messages.error(error)
                failed += 1
            }
        }
        // An option that had no effect on one book may have had an effect on another.
        for (option, books) in idle where books == finished {
            // A book that failed may have been opened with the password.
            if failed > 0, option.name == UnusedOption.passwordFile.name { continue }
            Messages.note(option.text)
        }
        if jobs.count > 1 { Messages.note(tally) }
        return failed > 0 || reportFailed ? .failed : withWarnings > 0 ? .warnings : nil
    }

    /// "23 books: 21 done, 1 of them with warnings, 2 failed".
    private var tally: Message {
        let isPlan = jobs.first?.isDryRun == true
        var parts: [Message] = [isPlan ? "\(finished) planned" : "\(finished) done"]
        if withWarnings > 0 { parts.append("\(withWarnings) of them with warnings") }
        if blockedCount > 0 { parts.append("\(blockedCount) of them blocked") }
        if failed > 0 { parts.append("\(failed) failed") }
        return "\(jobs.count) books: \(parts.joined(separator: ", "))"
    }

    private func convert(_ job: Job, place: String) async throws {
        let name = job.inputs[0].name
        // Warnings about a book that is made from several inputs already name their file.
        let warnings = WarningPrinter(file: job.inputs.count == 1 ? name : nil, all: isVerbose)
        let isQuiet = isQuiet
        let several = jobs.count > 1
        CrashReport.setBook(name)
        defer {
            ProgressBar.end()
            CrashReport.setBook(nil)
        }
        var made = try await Conversion(.jisui, job) { event in
            switch event {
            case .began(let page): CrashReport.begin(page: page)
            case .ended(let page): CrashReport.end(page: page)
            case .previewed(let count, let total):
                if !isQuiet { ProgressBar.showAnalysis(place + FileName.last(of: name), at: count, of: total) }
            case .directed(let reading): Messages.note(several ? "\(name): \(reading.line)" : reading.line)
            case .opened(let count): if !isQuiet { ProgressBar.begin(place + FileName.last(of: name), total: count) }
            case .finished(let count): ProgressBar.advance(to: count)
            case .completing: ProgressBar.complete()
            case .warned(let warning): warnings.print(warning)
            }
        }.run()
        ProgressBar.end()
        warnings.finish()
        finished += 1
        if !made.warnings.isEmpty { withWarnings += 1 }
        made.missingSandbox = ["files", "calls"].filter { !ExternalPlugins.launcher.layers.contains($0) }
        if job.isDryRun { made.blocker = Batch.blocker(of: job) }
        if made.blocker != nil { blockedCount += 1 }
        summarize(made, job, place: place)
        append(made.json(version: Jisui.version))
    }

    /// Adds a line to the report. If that fails, for example on a full disk, the books are converted nevertheless, and the error
    /// is reported once.
    private func append(_ line: JSON) {
        guard let report, !reportFailed else { return }
        do throws(AdapterError) {
            try report.append(line)
        } catch {
            reportFailed = true
            Messages.error(error)
        }
    }

    /// Prints a line of a dry run, to standard output unless that is reserved for the book.
    private func printPlan(_ line: Message, _ job: Job) {
        let line = Terminal.safe(line.localized)
        if job.destination.isStandardOutput { Terminal.writeError(line + "\n") } else { print(line) }
    }

    private func summarize(_ report: Report, _ job: Job, place: String) {
        // Among several books, a line has to name its book.
        func note(_ text: Message) { Messages.note(jobs.count > 1 ? "\(job.inputs[0].name): \(text)" : text) }
        if let guess = report.guess, guess.isWritten || isVerbose {
            note(
                guess.isWritten
                    ? "wrote metadata inferred from the file name: \(guess.guess)"
                    : "inferred from the file name: \(guess.guess); use --guess to write it to the output")
        }
        if isVerbose, let title = report.namedTitle { note(title) }
        for option in report.idle {
            if jobs.count == 1 || isVerbose { note(option.text) }
            if jobs.count == 1 { continue }
            if let place = idle.firstIndex(where: { $0.option.name == option.name }) {
                idle[place].books += 1
            } else {
                idle.append((option, 1))
            }
        }
        if let outliers = report.outliers { note(outliers) }
        if isVerbose || printsPages {
            if job.isDryRun && !place.isEmpty {
                printPlan("\(place)\(job.inputs[0].name) -> \(report.output)", job)
            }
            if job.isDryRun {
                for page in report.pages { printPlan(PageLine(page).text, job) }
            } else {
                for line in PageLines(report.pages).texts { Messages.note(line) }
            }
        }
        if isVerbose {
            for name in report.skipped.prefix(Batch.maximumNames) {
                Messages.note("    skipped, not a page: \(name)")
            }
            let more = report.skipped.count - Batch.maximumNames
            if more > 0 { Messages.note("    and \(more) more; use --report to list them") }
        }
        let isShared = jobs.count > 1 && (try? Batch.form(of: job)) == .collection
        let summary = Summary(report, book: isShared ? job.inputs[0].name : nil, isDryRun: job.isDryRun).text
        Messages.note(report.blocker.map { "\(summary); but \($0)" } ?? summary)
        if let verification = report.verification { Messages.note(verification.text) }
        for other in report.alongside {
            if let verification = other.verification { Messages.note("\(other.to): \(verification.text)") }
        }
    }
}

extension Batch {
    private static func form(of job: Job) throws(AdapterError) -> OutputForm {
        let sink = try Registry.jisui.sink(job.sink)
        return sink.form(try Settings(sink.descriptor.settings, given: job.settings))
    }

    /// Returns the reason that the real run would fail after a successful dry run: an existing file that may not be replaced.
    private static func blocker(of job: Job) -> Message? {
        let destination = job.destination
        if destination.isStandardOutput { return nil }
        guard let there = FileStatus(of: destination.path, followsLinks: false) else {
            let parent = FileName.parent(of: destination.path)
            // For several books, jisui creates the folder.
            return job.isOneOfSeveral || FileStatus.isFolder(parent) ? nil : "no such folder: \(parent)"
        }
        // Books are added to the existing ones.
        if there.kind == .folder, (try? form(of: job)) == .collection { return nil }
        if destination.mayReplace { return nil }
        guard FileStatus.isFolder(destination.path) else { return "it already exists; use --force to replace it" }
        // An empty folder is filled.
        guard (try? FolderListing.names(in: destination.path).isEmpty) == false else { return nil }
        let adding = ((try? Registry.jisui.sink(job.sink)) as? any CollectingSink)?.collectionFlag
        return adding.map {
            "the folder is not empty; use --force to replace the pages in it, or --\($0.name) to add to a shelf"
        }
            ?? "the folder is not empty; use --force to replace the pages in it"
    }
}

/// The destination of `--report`: one line of JSON for each book, written when the book has ended.
///
/// Written lines stay, regardless of how the program ends.
final class ReportStream {
    private let file: GrowingFile

    /// Opens a file, or standard output for "-". An earlier report may be replaced, another file only with `mayReplace`.
    ///
    /// - Throws: `.exists`, `.unwritable`.
    init(_ path: String, mayReplace: Bool) throws(AdapterError) {
        if path == "-" {
            file = try .standardOutput(of: "the report")
            return
        }
        do {
            // A pipe, such as the shell makes of >(jq .), does not hold anything that could be lost.
            let isPipe = FileStatus(of: path)?.kind == .other
            file = try GrowingFile(
                path: path, of: "the report", mayReplace: mayReplace || isPipe || ReportStream.isReport(path))
        } catch {
            guard error.code == .exists else { throw error }
            throw AdapterError(
                .exists, "already exists and is not a report", hint: "use --force to replace it", file: path)
        }
    }

    /// Returns whether the file at a path is a report, or empty.
    static func isReport(_ path: String) -> Bool {
        guard let head = try? ReadableFile(path: path).read(at: 0, upTo: 100) else { return false }
        // Other files of jisui begin similarly, but continue differently.
        return head.isEmpty
            || String(decoding: head, as: UTF8.self).prefixMatch(of: /\{"jisui": "[^"]*", "report": [0-9]/) != nil
    }

    /// - Throws: `.unwritable`.
    func append(_ line: JSON) throws(AdapterError) {
        do {
            try file.write(Array((line.text + "\n").utf8))
        } catch {
            var error = error
            error.hint = "the books are still converted"
            throw error
        }
    }
}
