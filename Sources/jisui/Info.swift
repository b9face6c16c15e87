internal import AdapterKit
internal import Audit
internal import Conversion
internal import Directions
internal import Files
internal import Metadata
internal import OrderedJSON
internal import OrderedWork
internal import PageModel
internal import Planning
internal import Processes
internal import Work

/// The command that shows the pages of books.
struct Info: Command {
    static let entry = CommandEntry(
        name: "info", summary: "Show the pages of a book", operands: [.input],
        own: { answers + settings + InputOptions.settings }
    ) { try Info($0) }

    /// The options that choose the answer.
    static let answers: [Setting] = [.infoJSON, .infoMetadata, .infoText, .infoCheck]

    /// The settings of a recipe that also say how to read.
    private static let settings = [Setting.from.withFormats, .maxMemory] + Registry.jisui.sourceSettings

    let options: InputOptions
    let recipe: Recipe
    private let (json, metadata, text, check): (Bool, Bool, Bool, Bool)

    /// - Throws: an error if options need or exclude each other.
    init(_ given: GivenOptions) throws(UsageError) {
        options = try InputOptions(given)
        recipe = given.recipe.without(Info.answers.map(\.name))
        (json, metadata) = (given.has(.infoJSON), given.has(.infoMetadata))
        (text, check) = (given.has(.infoText), given.has(.infoCheck))
        try UsageError.check(recipe, Info.settings)
        if json && metadata {
            throw UsageError("--json includes the output of --metadata; use only one of them", hint: nil)
        }
        if check && (metadata || text) { throw UsageError("--check cannot be used with --metadata or --text") }
    }

    func run() async throws {
        options.configureMessages()
        // A core dump would contain secret values.
        if recipe.withoutSecrets(Info.settings) != recipe { CurrentProcess.forbidCoreDump() }
        let typed = try TypedInputs(Registry.jisui.withoutOpenedParts(options.inputs), password: try options.password())
        defer { withExtendedLifetime(typed) {} }
        let settings = recipe.settings(of: Registry.jisui.sourceSettings)
        var failed = false
        var warned = false
        var decrypted = false
        for input in typed.inputs {
            CrashReport.begin(book: input.name)
            defer { CrashReport.end(book: input.name) }
            do {
                let book = try await options.withWorkers(recipe) {
                    try await BookInfo.read(
                        input, source: recipe[.from], settings: settings, limits: recipe.limits, width: options.width,
                        looksAtPages: !metadata, readsText: text, checks: check,
                        isQuiet: options.quiet)
                }
                for warning in book.warnings { Messages.warning(warning, file: input.name) }
                warned = warned || book.hasWarnings
                decrypted = decrypted || book.isDecrypted
                print(
                    metadata
                        ? book.facts.text
                        : json ? book.json.text : text ? book.textOfPages : check ? book.verdict : book.text)
            } catch var error as AdapterError {
                if json { print(BookInfo.failure(of: input, error).text) }
                error.file = error.file ?? input.name
                guard options.inputs.count > 1, error.code != .usage else { throw error }
                Messages.error(error)
                failed = true
            }
        }
        if options.passwordFile != nil, !decrypted, !failed { Messages.note(UnusedOption.passwordFile.text) }
        if failed { throw ExitStatus.failed }
        if warned { throw ExitStatus.warnings }
    }
}

/// The information that `jisui info` shows about one input.
struct BookInfo {
    let input: Input
    private let source: String
    private let book: BookMetadata
    let pages: [PageInfo]
    private let skipped: [String]
    private let guess: FileNameGuess?
    /// The book's active content, in addition to its pages.
    private let active: ActiveContent
    let warnings: [Warning]
    /// Whether there are warnings that are not only notes.
    var hasWarnings: Bool { warnings.contains { !$0.isNote } }
    /// Whether the given password was needed.
    let isDecrypted: Bool

    /// Opens an input and, if requested, examines each page without reading images. `readsText` adds the pages' text and links.
    /// `checks` looks for damage in the pages' images; a progress bar shows the state unless `isQuiet`.
    static func read(
        _ input: Input, source: String?, settings: [String: String], limits: Limits, width: Int, looksAtPages: Bool,
        readsText: Bool, checks: Bool, isQuiet: Bool
    ) async throws -> BookInfo {
        let (opened, source) = try await Library(.jisui).open(
            input, source: source, settings: settings, limits: limits)
        let planner = Planner(SinkCapabilities(formats: nil))
        var pages: [PageInfo] = []
        var warnings = opened.warnings
        try await forEachInOrder(looksAtPages ? opened.sequence.pages : [], width: width) { page in
            CrashReport.begin(page: page.name)
            defer { CrashReport.end(page: page.name) }
            do {
                let picture = try await page.examine()
                let plan = try planner.plans(for: page, picture).first?.withUncertainties
                var info = PageInfo(
                    page, picture, plan, defects: picture.knownDefects + (plan?.drawingDefects ?? []))
                if readsText { try await info.readText() }
                return info
            } catch let error as AdapterError {
                var info = PageInfo(page, nil, nil, defects: [error.explanation])
                info.hint = error.hint
                return info
            }
        } body: { page in
            pages.append(page)
        }
        if checks {
            let findings = try await PageChecking.findings(
                of: opened.sequence.pages, in: FileName.last(of: input.name), limits: limits, width: width,
                isQuiet: isQuiet)
            for (index, found) in findings.enumerated() { pages[index].take(found) }
        }
        warnings += pages.flatMap { page in
            page.defects.map {
                Warning(code: "damaged-page", page.page, $0, hint: page.hint)
            }
                + [page.check?.unchecked].compactMap { $0 }.map {
                    Warning(code: "unchecked-page", page.page, "not checked: \($0)")
                }
        }
        let active = looksAtPages ? try await opened.activeContent?() : nil
        return BookInfo(
            input: input, source: source, book: opened.sequence.book, pages: pages, skipped: opened.skipped,
            guess: Registry.jisui.guess(of: input, for: opened.sequence.book), active: active ?? ActiveContent(),
            warnings: warnings, isDecrypted: opened.effects.contains { $0.seen.contains(.decrypted) })
    }

    /// The line for an input that could not be opened.
    static func failure(of input: Input, _ error: AdapterError) -> JSON {
        ["jisui": .string(Jisui.version), "info": 1, "input": .string(input.name), "error": error.json]
    }

    /// The book's metadata alone.
    var facts: JSON {
        .object(
            [("jisui", .string(Jisui.version)), ("metadata", 1), ("input", .string(input.name))]
                + MetadataJSON.members(of: book) + [("guess", guessed)])
    }

    private var guessed: JSON { guess.map { .object($0.members) } ?? .null }

    var json: JSON {
        let beginning: [(key: String, value: JSON)] = [
            ("jisui", .string(Jisui.version)), ("info", 1), ("input", .string(input.name)),
            ("format", .string(source)),
        ]
        let rest: [(key: String, value: JSON)] = [
            ("readingDirection", ReadingDirection(of: book)?.json ?? .null), ("guess", guessed),
            ("pages", JSON(pages.map(\.json))),
            (
                "outline",
                JSON(
                    book.outline.map {
                        ["title": .string($0.title), "page": JSON($0.page), "level": .integer($0.level)]
                    })
            ),
            ("activeContent", active.json), ("warnings", JSON(warnings.map(\.json))),
            ("skippedFiles", JSON(skipped.map(JSON.string))),
        ]
        let authors = book.authors.map(JSON.string)
        return .object(beginning + MetadataJSON.members(of: book, authors: authors) + rest)
    }

    /// The source's id; for a book that is a single image file, its format.
    private var kind: Message {
        (source == "picture" ? pages[0].encoding : nil) ?? Message(verbatim: source)
    }

    /// The description of the input in one line.
    var heading: Message {
        pages.count == 1 ? "\(input.name): \(kind), 1 page" : "\(input.name): \(kind), \(pages.count) pages"
    }

    /// The result of the check, in a line that is safe to show.
    var verdict: String {
        let verdict = PageChecking.verdict(pages.compactMap(\.check), hasWarnings: hasWarnings)
        return Terminal.safe(("\(heading): \(verdict)" as Message).localized)
    }

    /// The information as lines that are safe to show.
    var text: String {
        var lines = [heading]
        func add(_ name: Message, _ value: Message?) {
            if let value { lines.append("  \(name): \(value)") }
        }
        for (name, value) in book.namedFacts { add(name, value) }
        if !book.outline.isEmpty {
            add("outline", book.outline.count == 1 ? "1 line" : "\(book.outline.count) lines" as Message)
        }
        if !active.isEmpty { add("contains", active.message) }
        if let guess {
            add("guess", "\(guess), from the file name; use --guess to write it to the output" as Message)
        }
        if !skipped.isEmpty {
            add(
                "skipped",
                skipped.count == 1
                    ? "1 file that is not a page" : "\(skipped.count) files that are not pages" as Message)
        }
        let width = pages.map(\.label.count).max() ?? 0
        return (lines + pages.map { $0.line(digits: String(pages.count).count, labelWidth: width) })
            .map { Terminal.safe($0.localized) }.joined(separator: "\n")
    }
}

/// The information that `jisui info` shows about one page.
struct PageInfo: Sendable {
    let page: Page
    private(set) var defects: [Message]
    /// The hint about the error that made the page unreadable.
    fileprivate var hint: Message?
    /// The result of `--check`; nil if it was not requested.
    private(set) var check: PageCheck.Finding?
    /// The page's text and links, if requested.
    private(set) var text: (lines: [TextLine], links: [PageLink])?
    private let picture: Picture?
    private let plan: PagePlan?

    init(_ page: Page, _ picture: Picture?, _ plan: PagePlan?, defects: [Message]) {
        self.page = page
        self.picture = picture
        self.plan = plan
        self.defects = defects
    }

    fileprivate mutating func take(_ finding: PageCheck.Finding) {
        check = finding
        defects = finding.defects
    }

    /// Reads the page's text and links; an error becomes a defect.
    fileprivate mutating func readText() async throws {
        do {
            text = (try await page.text(), try await page.links())
        } catch let error as AdapterError {
            defects.append("its text cannot be read: \(error.explanation)")
        }
    }

    var json: JSON {
        let paper = picture?.paper
        var members: [(key: String, value: JSON)] = [
            ("number", .integer(page.id)), ("name", .string(page.name)), ("label", JSON(page.label)),
            ("roles", JSON(page.roles.map { .string($0.rawValue) })), ("doublePage", .boolean(page.isDoublePage)),
            ("width", JSON(plan?.size?.width)), ("height", JSON(plan?.size?.height)),
            ("encoding", JSON(encoding?.english)),
            ("treatment", JSON(plan?.treatment.rawValue)), ("reason", JSON(plan?.reason.message)),
            ("mediaBox", JSON(box: paper?.mediaBox)), ("cropBox", JSON(box: paper?.cropBox)),
            ("rotation", JSON(paper?.rotation)), ("userUnit", paper.map { .number($0.userUnit) } ?? .null),
        ]
        if let text {
            members += [
                ("text", JSON(text.lines.map { $0.json(plan?.size) })),
                ("links", JSON(text.links.map { $0.json(plan?.size) })),
            ]
        }
        return .object(members)
    }

    /// The printed page number if it differs from the page's place, for the column after it.
    fileprivate var label: String { page.label.flatMap { $0 == String(page.id) ? nil : " (\($0))" } ?? "" }

    /// - Parameters:
    ///   - digits: the number of digits of the last page number.
    ///   - labelWidth: the number of characters of the longest label.
    fileprivate func line(digits: Int, labelWidth: Int) -> Message {
        let number = String(repeating: " ", count: max(0, digits - String(page.id).count)) + String(page.id)
        let label = label + String(repeating: " ", count: max(0, labelWidth - label.count))
        guard let plan else {
            return "  \(number)\(label)  \(page: page.name): unreadable: \(defects.joined(separator: "; "))"
        }
        let image: Message = "\(plan.size.map { "\($0)" } ?? "?") \(encoding ?? "?")"
        return "  \(number)\(label)  \(page: page.name)  \(image)  \(plan.treatment.word): \(plan.reason.message)"
    }

    /// The storage of the image in the source: an image format, the compression of samples, or "page" for rendered pages.
    fileprivate var encoding: Message? {
        switch picture?.representations.first {
        case .encoded(let picture): Message(verbatim: picture.encoding.rawValue)
        case .sampled(let picture): CompressionName.message(picture.compression)
        case .drawn: "page"
        case .joined: "pages"
        case nil: nil
        }
    }
}

extension ActiveContent {
    fileprivate var json: JSON {
        .object(Kind.allCases.filter { self[$0] > 0 }.map { ($0.rawValue, .integer(self[$0])) })
    }
}

extension JSON {
    fileprivate init(box: Paper.Box?) {
        self = box.map { JSON($0.map(JSON.number)) } ?? .null
    }
}
