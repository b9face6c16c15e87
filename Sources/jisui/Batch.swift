internal import AdapterKit
internal import Conversion
internal import Glibc

/// Converts the books of one call, one after the other, and says what became of each.
final class Batch {
    private let jobs: [Job]
    private let report: ReportStream?
    private let isQuiet: Bool
    private let isVerbose: Bool
    /// Whether each page's plan goes to standard output.
    private let printsPages: Bool
    /// How many books were made, or planned in a dry run.
    private(set) var finished = 0
    private var withWarnings = 0
    private var failed = 0
    private var reportFailed = false

    init(_ jobs: [Job], report: ReportStream?, isQuiet: Bool, isVerbose: Bool, printsPages: Bool) {
        self.jobs = jobs
        self.report = report
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        self.printsPages = printsPages
    }

    /// Converts all books. In a batch one bad book does not keep the others from being made.
    ///
    /// - Returns: what to tell the caller of the program; nil when all is well.
    /// - Throws: the error of a sole book; `CancellationError`.
    func run() async throws -> ExitStatus? {
        for (index, job) in jobs.enumerated() {
            do {
                try await convert(job, place: jobs.count > 1 ? "[\(index + 1)/\(jobs.count)] " : "")
            } catch let error as AdapterError {
                append(Report.failure(of: job.inputs.map(\.path), error, version: Jisui.version))
                if jobs.count == 1 { throw error }
                Messages.error(error)
                failed += 1
            }
        }
        if jobs.count > 1 { Messages.note(tally) }
        return failed > 0 || reportFailed ? .failed : withWarnings > 0 ? .warnings : nil
    }

    /// "23 books: 21 done, 1 of them with warnings, 2 failed".
    private var tally: String {
        let warned = withWarnings > 0 ? ", \(withWarnings) of them with warnings" : ""
        return "\(jobs.count) books: \(finished) done\(warned)" + (failed > 0 ? ", \(failed) failed" : "")
    }

    private func convert(_ job: Job, place: String) async throws {
        let name = job.inputs[0].path
        let warnings = WarningPrinter(file: name, all: isVerbose)
        let isQuiet = isQuiet
        CrashReport.setBook(name)
        defer {
            ProgressBar.end()
            CrashReport.setBook(nil)
        }
        let made = try await Conversion(.jisui, job) { event in
            switch event {
            case .began(let page): CrashReport.begin(page: page)
            case .ended(let page): CrashReport.end(page: page)
            case .lookedAt(let count, let total):
                if !isQuiet { ProgressBar.look(place + FileName.last(of: name), at: count, of: total) }
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
        tell(made, job, place: place)
        append(made.json(version: Jisui.version))
    }

    /// Adds a line to the report. When that fails, as on a full disk, books are made all the same, and it is said once.
    private func append(_ line: JSON) {
        guard let report, !reportFailed else { return }
        do throws(AdapterError) {
            try report.append(line)
        } catch {
            reportFailed = true
            Messages.error(error)
        }
    }

    private func tell(_ report: Report, _ job: Job, place: String) {
        if let outliers = Outliers(report) { Messages.note(outliers.text) }
        if isVerbose || printsPages {
            if job.isDryRun && !place.isEmpty {
                print(Terminal.safe("\(place)\(job.inputs[0].path) -> \(report.output)"))
            }
            for page in report.pages {
                let line = PageLine(page).text
                if job.isDryRun { print(Terminal.safe(line)) } else { Messages.note(line) }
            }
        }
        let obstacle = job.isDryRun ? Batch.obstacle(at: job.destination) : nil
        Messages.note(Summary(report, isDryRun: job.isDryRun).text + (obstacle.map { "; but \($0)" } ?? ""))
    }
}

extension Batch {
    /// Why the run itself would be refused where its dry run is not: something is there that may not be replaced.
    private static func obstacle(at destination: Destination) -> String? {
        var status = stat()
        guard !destination.mayReplace, lstat(destination.path, &status) == 0 else { return nil }
        guard let folder = opendir(destination.path) else { return "it exists already; --force replaces it" }
        defer { closedir(folder) }
        // An empty folder, of "." and ".." alone, is filled.
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count > 2 ? "the folder is not empty; --force replaces the pages in it" : nil
    }
}

/// Where `--report` writes: one line of JSON a book, each as soon as its book has ended.
///
/// What was reported stays reported, however the program ends.
final class ReportStream {
    private let path: String
    /// nil for standard output.
    private let descriptor: CInt?

    /// Opens a file, or standard output for "-". An earlier report may be replaced, another file only with `mayReplace`.
    ///
    /// - Throws: `.exists`, `.unwritable`.
    init(_ path: String, mayReplace: Bool) throws(AdapterError) {
        self.path = path
        if path == "-" {
            descriptor = nil
            return
        }
        let isReplaced = mayReplace || ReportStream.isReport(path)
        // A pipe or a terminal may be written to; a link is followed, as the shell's redirection does.
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (isReplaced ? O_TRUNC : O_EXCL)
        let number = open(path, flags, 0o666)
        guard number >= 0 else {
            if errno == EEXIST {
                throw AdapterError(
                    .exists, "exists already, and is no report", advice: "--force replaces it", file: path)
            }
            throw .system(.unwritable, "the report cannot be written", file: path)
        }
        descriptor = number
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Whether a report, or an empty file, stands at a path.
    private static func isReport(_ path: String) -> Bool {
        guard let head = try? ReadableFile(path: path).read(at: 0, upTo: 10) else { return false }
        return head.isEmpty || head == Array("{\"jisui\": ".utf8)
    }

    /// - Throws: `.unwritable`.
    func append(_ line: JSON) throws(AdapterError) {
        let text = line.text + "\n"
        guard let descriptor else {
            print(text, terminator: "")
            fflush(nil)
            return
        }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw .system(
                    .unwritable, "the report cannot be written", advice: "the books are made all the same",
                    file: path)
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
