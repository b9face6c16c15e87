internal import Files
internal import OrderedJSON
internal import PageModel
internal import Work

/// The commands that read journals.
enum JournalCommand {
    static let entry: CommandEntry = CommandEntry(
        name: "journal", summary: "Read the journals that --journal wrote",
        subcommands: [JournalReport.entry, JournalFile.merge, JournalFile.html]
    ) { _ in HelpCommand(entry) }

    /// Returns the last lines about all books in journals.
    ///
    /// - Throws: the errors of a file.
    static func lines(_ paths: [String]) throws(AdapterError) -> JournalLines {
        var lines = JournalLines()
        for path in paths { try lines.add(file: path) }
        if lines.unreadable > 0 { Messages.note("ignored \(lines.unreadable) lines that cannot be read") }
        return lines
    }
}

/// The command that sums up journals.
struct JournalReport: Command {
    static let entry = CommandEntry(
        name: "journal summary", summary: "Print what failed, the treatments, the bytes and the slowest books",
        operands: [.journals], own: { [.json] }
    ) { JournalReport(paths: $0.operands, json: $0.has(.json)) }

    let paths: [String]
    let json: Bool

    func run() throws {
        let summary = JournalSummary(try JournalCommand.lines(paths).sorted)
        if json { return print(JournalReport.json(summary).text) }
        for entry in summary.failed {
            Messages.answer("\(entry.name): failed: \(Message(verbatim: entry.failure?.message ?? ""))")
        }
        for entry in summary.withWarnings {
            let first = Message(verbatim: entry.warnings.first ?? "")
            Messages.answer(
                entry.warningCount == 1
                    ? "\(entry.name): 1 warning: \(first)"
                    : "\(entry.name): \(entry.warningCount) warnings, the first: \(first)")
        }
        Messages.answer(
            "\(summary.bookCount) books: \(summary.bookCount - summary.failed.count) done, "
                + "\(summary.withWarnings.count) of them with warnings, \(summary.failed.count) failed")
        let treatments = Treatment.allCases.compactMap { treatment -> Message? in
            summary.treatments[treatment.rawValue].map { "\($0) \(treatment.word)" }
        }
        Messages.answer("\(summary.pages) pages: \(treatments.joined(separator: ", "))")
        Messages.answer("\(ByteCount(summary.inputBytes).text) → \(ByteCount(summary.outputBytes).text)")
        Messages.answer("\(JournalReport.seconds(summary.processorSeconds)) s of processor time")
        for entry in summary.slowest {
            let pages: Message = entry.pages == 1 ? "1 page" : "\(entry.pages) pages"
            Messages.answer("slowest: \(entry.name) (\(JournalReport.seconds(entry.seconds)) s, \(pages))")
        }
    }

    private static func seconds(_ seconds: Double) -> String { "\((seconds * 100).rounded() / 100)" }

    private static func json(_ summary: JournalSummary) -> JSON {
        [
            "jisui": .string(Jisui.version), "journalSummary": 1, "books": .integer(summary.bookCount),
            "failed": JSON(summary.failed.map(\.json)), "withWarnings": JSON(summary.withWarnings.map(\.json)),
            "pages": .integer(summary.pages),
            "treatments": .object(summary.treatments.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }),
            "inputBytes": .integer(summary.inputBytes), "outputBytes": .integer(summary.outputBytes),
            "processorSeconds": .number(summary.processorSeconds), "slowest": JSON(summary.slowest.map(\.json)),
        ]
    }
}

/// The commands that make a file of journals: one journal, such as that of several shards, or a page.
struct JournalFile: Command {
    static let merge = CommandEntry(
        name: "journal merge", summary: "Make one journal of several; the last line about each book counts",
        operands: [.journals], own: { [.journalOutput, .replacedOutput] }
    ) { given in
        try JournalFile(given, unnamed: "the merged journal needs a name; add -o PATH") { lines in
            lines.sorted.map { $0.json.text + "\n" }.joined()
        }
    }

    static let html = CommandEntry(
        name: "journal html", summary: "Make a web page with a table that sorts and filters",
        operands: [.journals], own: { [.journalOutput, .replacedOutput] }
    ) { given in
        let title = given.operands.map { Terminal.safe(FileName.last(of: $0)) }.joined(separator: ", ")
        return try JournalFile(given, unnamed: "the page needs a name; add -o PATH") { lines in
            JournalPage(lines.sorted, title: title) { Terminal.safe($0.localized) }.html
        }
    }

    let paths: [String]
    let output: String
    private let force: Bool
    private let contents: @Sendable (JournalLines) -> String

    private init(
        _ given: GivenOptions, unnamed: Message, _ contents: @escaping @Sendable (JournalLines) -> String
    ) throws(UsageError) {
        guard let output = given[.journalOutput] else { throw UsageError(unnamed, hint: nil) }
        (paths, self.output, force) = (given.operands, output, given.has(.replacedOutput))
        self.contents = contents
    }

    func run() throws {
        let lines = try JournalCommand.lines(paths)
        let destination = Destination(path: output, mayReplace: force, temporaryFiles: Run.temporaryFiles)
        let file = try OutputFile(at: destination)
        try file.write(Array(contents(lines).utf8))
        try file.publish()
        Messages.note("\(output): \(lines.entries.count) books")
    }
}
