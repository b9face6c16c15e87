internal import AdapterKit
internal import Files
internal import OrderedJSON
internal import PageModel
internal import Work

/// The command that verifies outputs.
struct Verify: Command {
    static let entry = CommandEntry(
        name: "verify", summary: "Check that outputs are complete, readable and unchanged",
        details: "Decodes every page, and compares each output with its digest in reports and journals. "
            + "Prints a line for each book that is not equal: '-' missing, '+' added, '*' different, '!' unreadable. "
            + "With --verbose jisui also lists the others ('='). Exit status: 0 equal, 3 different, 1 unreadable.",
        operands: [.outputs], own: { own + ComparisonOptions.settings }
    ) { try Verify($0) }

    private static let own: [Setting] = [.against, .digests]

    let options: ComparisonOptions
    private let against: String?
    private let digests: [String]

    init(_ given: GivenOptions) throws(UsageError) {
        options = try ComparisonOptions(given, own: Verify.own)
        (against, digests) = (given[.against], given.values[.commandLine].list(.digests))
        if options.input.inputs.contains("-") || against == "-" {
            throw UsageError("jisui verify reads no standard input; use jisui info --check -", hint: nil)
        }
        if against == nil, options.html != nil {
            throw UsageError("--html shows differing pages; add --against PATH", hint: nil)
        }
    }

    func run() async throws {
        options.begin()
        var known = KnownOutputs()
        for path in digests { try known.add(file: path) }
        let books = try BookPairs(
            .jisui, options.input.inputs, against: against, known, excluding: digests + [options.html].compactMap { $0 }
        )
        for error in books.errors { Messages.error(error) }
        if options.input.verbose { for path in books.others { Messages.note("not a book: \(path)") } }
        let page = try options.page(
            title: options.input.inputs.joined(separator: ", "),
            readFiles: digests + books.pairs.flatMap { [$0.path] + $0.inputs })
        let password = try options.input.password()
        let verifier = BookVerifier(
            .jisui, settings: options.sourceSettings, limits: options.recipe.limits, width: options.input.width,
            password: password, sample: options.sample, images: options.images)
        var counts = VerificationCounts()
        var lines: [Message] = []
        try await options.input.withWorkers(options.recipe) {
            for pair in books.pairs {
                let result = try await verify(pair, verifier, page)
                counts.add(result)
                if options.json { print(ComparisonJSON.json(result).text) }
                for warning in result.warnings { Messages.warning(warning, file: pair.path) }
                let own = result.lines(isVerbose: options.input.verbose)
                for line in own { options.answer(line) }
                if page != nil { lines += own }
            }
        }
        options.answer(counts.summary)
        try page?.finish(lines + [counts.summary])
        if counts[.unreadable] > 0 || !books.errors.isEmpty { throw ExitStatus.failed }
        if counts[.equal] < books.pairs.count { throw ExitStatus.warnings }
    }

    private func verify(
        _ pair: BookPairs.Pair, _ verifier: BookVerifier, _ page: ComparisonHTML?
    ) async throws -> BookVerification {
        CrashReport.begin(book: pair.path)
        defer { CrashReport.end(book: pair.path) }
        return try await verifier.verification(of: pair) { pages in
            try await PageChecking.findings(
                of: pages, in: FileName.last(of: pair.path), limits: options.recipe.limits,
                width: options.input.width, isQuiet: options.input.quiet)
        } onImages: { comparison, images in
            try page?.add(
                comparison.line(in: pair.path), captions: [pair.inputs.joined(separator: ", "), pair.path], images)
        }
    }
}

/// The numbers of verified books and pages.
struct VerificationCounts {
    private var books: [ComparisonSign: Int] = [:]
    private var pages = 0
    private var checked = 0

    subscript(sign: ComparisonSign) -> Int { books[sign] ?? 0 }

    mutating func add(_ result: BookVerification) {
        books[result.sign, default: 0] += 1
        pages += result.pageCount
        checked += result.findings.count
    }

    var summary: Message {
        let total = books.values.reduce(0, +)
        let words: [(ComparisonSign, (Int) -> Message)] = [
            (.equal, { "\($0) verified" }), (.different, { "\($0) different" }), (.missing, { "\($0) missing" }),
            (.added, { "\($0) added" }), (.unreadable, { "\($0) unreadable" }),
        ]
        let parts = words.compactMap { sign, word in self[sign] > 0 ? word(self[sign]) : nil }.joined(separator: ", ")
        let count: Message = total == 1 ? "1 book" : "\(total) books"
        if checked == pages {
            return pages == 1 ? "\(count): \(parts); 1 page" : "\(count): \(parts); \(pages) pages"
        }
        return "\(count): \(parts); checked a sample of \(checked) of \(pages) pages"
    }
}
